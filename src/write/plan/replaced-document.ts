/** Loads a stored document that a replacement changes: it may become one of another kind, and loses what its schema does not declare. */
import type { ModelEntry } from '../../models/entry.ts';
import { kindIn, ownPathState, schemaOfKind } from '../../models/fields/known-path.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { modelOf, type Row, sameRow } from '../../models/mongoose.ts';
import { isImmutable } from '../patch/immutable.ts';

type Loaded = InstanceType<ReturnType<typeof modelOf>>;

/** What a replacement makes of a document. */
export interface Replacement {
  /** The values of the caller to set; undefined for a path to remove. */
  readonly set: Row;
  /** Defaults, and other values that setters have seen. */
  readonly made: Row;
}

interface Replaced {
  readonly document: Loaded;
  /** The values to set in it. */
  readonly set: Row;
  /** The values of fields that it gets with a new kind, which may be immutable from now on. */
  readonly ofNewKind: Row;
}

/**
 * Mongoose sets neither the kind of a document nor a path that its schema does not declare, and setters would run for defaults again. So the
 * document is loaded once more as one of its new kind, with the values that are made, and without what saving is to remove.
 * @param loaded the document as it is
 */
export function replacedDocument(model: ModelEntry, loaded: Loaded, stored: Row, { set, made }: Replacement): Replaced {
  const { schema } = model;
  const key = schema.kindKey;
  const before = kindIn(schema, stored);
  const kind = Object.hasOwn(set, key) ? set[key] : before;
  const own = schemaOfKind(schema, kind);
  const isOfKinds = (name: string): boolean => kind !== before && typeAt(schema, name).kind === 'unknown';
  const isKept = (name: string): boolean =>
    !isOfKinds(name) && (isImmutable(loaded, schema, name) || sameRow({ value: stored[name] }, { value: made[name] }));
  const added = without(made, Object.keys(made).filter(isKept));
  const isGone = (name: string): boolean =>
    set[name] === undefined && (isOfKinds(name) || ownPathState(own, name).kind === 'unknown');
  const names = Object.keys(set).filter((name) => name !== key);
  const gone = names.filter(isGone);
  const ofNewKind = names.filter((name) => isOfKinds(name) && !isGone(name));
  const row = { ...without(stored, [key, ...gone, ...ofNewKind]), ...added };
  const document = modelOf(model).hydrate(kind === undefined ? row : { ...row, [key]: kind });
  for (const name of [...gone, ...Object.keys(added), ...(kind === before ? [] : [key])]) document.markModified(name);
  return { document, set: without(set, [key, ...gone, ...ofNewKind]), ofNewKind: only(set, ofNewKind) };
}

const only = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
