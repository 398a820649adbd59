/** Loads a stored document that a replacement changes: it may become one of another kind, and loses what its schema does not declare. */
import type { ModelEntry } from '../../models/entry.ts';
import { kindIn, kindKeyOf, schemaOfKind } from '../../models/kinds.ts';
import { ownPathState } from '../../models/known-path.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { typeAt } from '../../models/path-type.ts';

type Loaded = InstanceType<ReturnType<typeof modelOf>>;

interface Replaced {
  readonly document: Loaded;
  /** The values to set in it. */
  readonly set: Row;
  /** The values of fields that it gets with a new kind, which may be immutable from now on. */
  readonly ofNewKind: Row;
}

/**
 * Mongoose sets neither the kind of a document nor a path that its schema does not declare. So the document is loaded as one of its new kind,
 * without such paths, which saving then removes, and without the fields of its old kind.
 * @param changes the values that a replacement sets; undefined for a path to remove
 */
export function replacedDocument(model: ModelEntry, stored: Row, changes: Row): Replaced {
  const { schema } = model;
  const key = kindKeyOf(schema);
  const before = kindIn(schema, stored);
  const kind = Object.hasOwn(changes, key) ? changes[key] : before;
  const own = schemaOfKind(schema, kind);
  const isOfKinds = (name: string): boolean => kind !== before && typeAt(schema, name).kind === 'unknown';
  const names = Object.keys(changes);
  const isGone = (name: string): boolean =>
    changes[name] === undefined && (isOfKinds(name) || ownPathState(own, name).kind === 'unknown');
  const unloaded = names.filter((name) => name === key || isOfKinds(name) || isGone(name));
  const row = { ...without(stored, unloaded), ...(kind === undefined ? {} : { [key]: kind }) };
  const document = modelOf(model).hydrate(row);
  const gone = names.filter(isGone);
  for (const name of [...gone, ...(kind === before ? [] : [key])]) document.markModified(name);
  const ofNewKind = names.filter((name) => isOfKinds(name) && !isGone(name));
  return {
    document,
    set: without(changes, [...gone, ...ofNewKind]),
    ofNewKind: Object.fromEntries(ofNewKind.map((name) => [name, changes[name]])),
  };
}

const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
