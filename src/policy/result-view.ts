/** What is hidden from a caller in the result of a function: documents of any model keep their rules at any depth. */
import { aliasesOf } from '../models/aliases.ts';
import type { ModelEntry } from '../models/entry.ts';
import { originOf, placeOf } from '../models/marked-documents.ts';
import { withoutPositions } from '../models/numbered-names.ts';
import type { Hidden } from '../query/schema-view.ts';
import { type HiddenKeys, hiddenPart } from './hidden.ts';
import { policyFor } from './policy.ts';
import type { Principal } from './principal.ts';

/** The hidden keys of an object by itself: `all` for a part that is hidden as a whole, undefined for one that is no document. */
export type ResultView = (value: object) => HiddenKeys | 'all' | undefined;

/** The view of a caller. A document leaves without the paths that they may not read, and without those of `select: false`. */
export function resultViewOf(principal: Principal): ResultView {
  // a schema has a few views, and a result many rows
  const known = new Map<Hidden, HiddenKeys>();
  const inRow = (model: ModelEntry, row: object): HiddenKeys => {
    const hidden = policyFor(principal, model).hiddenIn(row as Row);
    const part = known.get(hidden) ?? hiddenPart(withUnselected(hidden, model));
    known.set(hidden, part);
    return part;
  };
  const inDocument = (value: object): HiddenKeys | undefined => {
    const { models, isAggregated, stored } = originOf(value) ?? nothing;
    const parts = models.map((model) => inRow(model, stored ?? value));
    if (!isAggregated) return parts[0];
    const strict = models.map((model) => inRow(model, {}));
    return joined(parts, strict);
  };
  return (value) => {
    const place = placeOf(value);
    if (place === undefined) return inDocument(value);
    const part = inDocument(place.owner);
    const [model] = originOf(place.owner)?.models ?? [];
    return part && model && below(part, withoutPositions(model.schema, place.path).split('.'));
  };
}

type Row = Readonly<Record<string, unknown>>;
const nothing = { models: [], isAggregated: false, stored: undefined };

function below(part: HiddenKeys, [first, ...rest]: readonly string[]): HiddenKeys | 'all' {
  if (first === undefined) return part;
  return part.hides(first) ? 'all' : below(part.below(first), rest);
}

/** Hides what one of the parts hides. @param everywhere parts that begin at each level again */
function joined(parts: readonly HiddenKeys[], everywhere: readonly HiddenKeys[]): HiddenKeys {
  return {
    hides: (key) => parts.some((part) => part.hides(key)),
    below: (key) => joined([...new Set([...everywhere, ...parts.map((part) => part.below(key))])], everywhere),
  };
}

/** Functions get `select: false` where they ask for it; an alias would show a hidden path by another name. */
function withUnselected(hidden: Hidden, { schema, unselected }: ModelEntry): Hidden {
  const paths = [...hidden.paths, ...unselected];
  const isHidden = (path: string): boolean => paths.some((one) => path === one || path.startsWith(`${one}.`));
  const aliases = Object.entries(aliasesOf(schema)).flatMap(([alias, path]) => (isHidden(path) ? [alias] : []));
  return { ...hidden, paths: [...paths, ...aliases] };
}
