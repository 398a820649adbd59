/** The keys by which the rows of a list are ordered, as the database compares them. */
import type { ModelEntry } from '../models/entry.ts';
import { ownersOf } from '../models/fields/declared-names.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';
import { firstName, isFreeForm, listsOn } from '../models/fields/path-type.ts';
import { fieldTypeOf } from '../models/fields/types/index.ts';
import { scorePath } from '../query/search.ts';
import type { Sort } from '../query/sort.ts';
import { type Bracket, bracketOf } from './cursors/brackets.ts';

/** The field with the computed keys of a row during a read by a pipeline. */
export const computedKeys = '_dossier_order';

export interface OrderKey {
  /** The stored path. */
  readonly path: string;
  /** The path that the database compares: that of a computed key if the stored value is free-form. */
  readonly compared: string;
  readonly direction: 1 | -1;
  /** The value is free-form: objects and lists in it count as missing. */
  readonly isFree: boolean;
  /** The documents that have the path, if not all do; it is missing in the others, whatever is stored. */
  readonly within: Kinds | undefined;
  /** The lists whose members are compared; the least one counts, or with direction -1 the greatest one. */
  readonly lists: readonly string[];
  /** Of `_id`: the bracket of the model's ids. */
  readonly idBracket?: Bracket;
}

/** The documents of some discriminators. */
interface Kinds {
  readonly key: string;
  readonly values: readonly unknown[];
}

/**
 * The keys of a sort up to `_id`, which no two rows share.
 * @param scored whether rows have a `score`, which is not in the schema
 */
export function orderKeys({ schema, idType }: ModelEntry, sort: Sort, scored: boolean): readonly OrderKey[] {
  const keys = Object.entries(sort).map(([path, direction], at): OrderKey => {
    const isFree = !(scored && path === scorePath) && isFreeForm(schema, path);
    const lists = isFree ? [] : listsOn(schema, path);
    const within = isFree ? kindsWith(schema, path) : undefined;
    const ids = path === '_id' ? idBracketOf(idType.name) : {};
    return { ...ids, within, path, compared: isFree ? `${computedKeys}.at${at}` : path, direction, isFree, lists };
  });
  const last = keys.findIndex(({ path }) => path === '_id');
  return last === -1 ? keys : keys.slice(0, last + 1);
}

/** @param instance the name of a type of ids */
function idBracketOf(instance: string): Pick<OrderKey, 'idBracket'> {
  const [stored = ''] = fieldTypeOf({ instance })?.stored ?? [];
  const idBracket = bracketOf(stored, false);
  return idBracket === undefined ? {} : { idBracket };
}

function kindsWith(schema: ModelSchema, path: string): Kinds | undefined {
  const names = schema.storedNames;
  if (names === 'any' || names.kinds === undefined) return undefined;
  const values = ownersOf(firstName(path), names.kinds);
  return values && { key: names.kinds.key, values };
}

/** The order of a list by the compared paths, in both directions. */
export const sortsOf = (order: readonly OrderKey[]): { readonly forward: Sort; readonly reversed: Sort } => ({
  forward: Object.fromEntries(order.map(({ compared, direction }) => [compared, direction])),
  reversed: Object.fromEntries(order.map(({ compared, direction }) => [compared, direction === 1 ? -1 : 1])),
});
