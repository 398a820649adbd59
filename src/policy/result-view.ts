/** What is hidden from a caller in the result of a function or a route: documents of any model keep their rules at any depth. */
import type { ModelEntry } from '../models/entry.ts';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import { type NameOfLink, type Origin, originOf, placeOf } from '../models/mongoose/marked-documents.ts';
import type { HiddenNames } from '../query/schema-view.ts';
import { hiddenInDocument, type HiddenKeys, hiddenPart } from './hidden.ts';
import { policyFor } from './policy.ts';
import type { Principal } from './principal.ts';

/** The hidden keys of an object by itself: `all` for a part that is hidden as a whole, undefined for one that is no document. */
export type ResultView = (value: object) => HiddenKeys | 'all' | undefined;

/** The view of a caller. A document leaves without the paths that they may not read, and without those of `select: false`. */
export function resultViewOf(principal: Principal): ResultView {
  // a schema has a few views, and a result many rows
  const known = new Map<HiddenNames, Views>();
  const inRow = (model: ModelEntry, row: object): Views => {
    const hidden = policyFor(principal, model).hiddenIn(row as Row);
    const views = known.get(hidden) ?? viewsOf(withUnselected(hidden, model), model);
    known.set(hidden, views);
    return views;
  };
  const inAnswer = answerViewOf(principal);
  const inDocument = (value: object): HiddenKeys | undefined => {
    const { models, isAggregated, stored, keys, namesOfLinks, reader } = originOf(value) ?? nothing;
    if (reader === principal) return undefined;
    const [only] = models;
    if (only !== undefined && namesOfLinks !== undefined) return inAnswer(only, namesOfLinks, value);
    if (only !== undefined && !isAggregated) {
      const row = (stored ?? value) as Row;
      return asRead(inRow(only, row), row, keys ?? new Set(Object.keys(row)));
    }
    const parts = models.map((model) => inRow(model, stored ?? value).open);
    if (models.length === 0) return undefined;
    const strict = models.map((model) => inRow(model, {}).open);
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

/** The view of documents in answers of `api`. They have what their reader has asked for, and links under names of their own. */
function answerViewOf(
  principal: Principal,
): (model: ModelEntry, names: readonly NameOfLink[], document: object) => HiddenKeys {
  const known = new Map<HiddenNames, HiddenKeys>();
  return (model, names, document) => {
    const hidden = policyFor(principal, model).hiddenIn(document as Row);
    const found = known.get(hidden);
    if (found !== undefined) return found;
    const closed = names.filter((name) =>
      name.model === model ? isBelow(name.path, hidden.paths) : !policyFor(principal, name.model).view.shows(name.path),
    );
    const paths = [...hidden.paths, ...closed.map(({ as }) => as)];
    const keys = hiddenPart({ ...withAliases(hidden, paths, model), names: 'any' });
    known.set(hidden, keys);
    return keys;
  };
}

type Row = Readonly<Record<string, unknown>>;
const nothing: Partial<Origin> & Pick<Origin, 'models' | 'isAggregated'> = { models: [], isAggregated: false };

/** What is hidden where documents have the names of the schema only, and where they may have any. */
interface Views {
  readonly declared: HiddenKeys;
  readonly open: HiddenKeys;
}

const viewsOf = (hidden: HiddenNames, { schema }: ModelEntry): Views => ({
  declared: hiddenPart({ ...hidden, names: schema.resultNames }),
  open: hiddenPart({ ...hidden, names: 'any' }),
});

/** Hides what has left the schema of a document as it was read; what the function has added to it stays. */
function asRead({ declared, open }: Views, row: Row, keys: ReadonlySet<string>): HiddenKeys {
  const part = hiddenInDocument(declared, row);
  const isAdded = (key: string): boolean => !keys.has(key);
  return {
    hides: (key) => (isAdded(key) ? open : part).hides(key),
    below: (key) => (isAdded(key) && part.hides(key) ? open : part).below(key),
  };
}

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

/** Functions get `select: false` where they ask for it. */
const withUnselected = (hidden: HiddenNames, model: ModelEntry): HiddenNames =>
  withAliases(hidden, [...hidden.paths, ...model.unselected], model);

/** An alias would show a hidden path by another name. */
function withAliases(hidden: HiddenNames, paths: readonly string[], { schema }: ModelEntry): HiddenNames {
  const aliases = Object.entries(schema.aliases).flatMap(([alias, path]) => (isBelow(path, paths) ? [alias] : []));
  return { ...hidden, paths: [...paths, ...aliases] };
}

/** Whether a path is one of some, or below one. */
const isBelow = (path: string, paths: readonly string[]): boolean =>
  paths.some((one) => path === one || path.startsWith(`${one}.`));
