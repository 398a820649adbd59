/**
 * The filter of the rows after a position, or before it: alternatives that each fix some leading keys and bound the next one, so that
 * the database finds them in an index over these keys.
 */
import { allOf } from '../../query/and.ts';
import type { Filter } from '../../query/filter.ts';
import type { OrderKey } from '../order.ts';
import { type Bracket, bracketsBeyond } from './brackets.ts';
import type { KeyValue } from './position.ts';

/** Brackets with one value, which nothing follows inside the bracket. */
const singular: ReadonlySet<Bracket> = new Set<Bracket>(['minKey', 'empty', 'null', 'nan', 'maxKey']);
const never: Filter = { _id: { $in: [] } };

/** @param values of the keys at the position @param isReversed for the rows before it */
export function rangeOf(order: readonly OrderKey[], values: readonly KeyValue[], isReversed: boolean): Filter {
  const fixed: Filter[] = [];
  const alternatives: Filter[] = [];
  for (const [at, key] of order.entries()) {
    const value = values[at];
    if (value === undefined) break;
    for (const next of following(key, value, isReversed)) alternatives.push(allOf([...fixed, next]));
    fixed.push(...same(key, value));
  }
  return anyOf(alternatives);
}

const anyOf = (filters: readonly Filter[]): Filter => {
  const [first, ...others] = filters;
  return first === undefined ? never : others.length === 0 ? first : { $or: [...filters] };
};

/** The rows whose key follows a value: any of these filters. */
function following(key: OrderKey, value: KeyValue, isReversed: boolean): readonly Filter[] {
  const { direction, lists } = key;
  if (lists.length === 0) return beyond(key, value, (direction === 1) !== isReversed);
  // of a list its first member counts: it follows when all do, and precedes when any does
  const before = beyond(key, value, direction !== 1);
  return isReversed ? before : [{ $nor: [...equal(key, value), ...before] }];
}

/** The rows whose key equals a value: all of these filters. */
function same(key: OrderKey, value: KeyValue): readonly Filter[] {
  const before = key.lists.length === 0 ? [] : beyond(key, value, key.direction !== 1);
  return [anyOf(equal(key, value)), ...(before.length === 0 ? [] : [{ $nor: [...before] }])];
}

/** The rows with a value that equals this one: any of these filters. */
function equal({ compared, lists }: OrderKey, { bracket, value }: KeyValue): readonly Filter[] {
  switch (bracket) {
    case 'minKey':
    case 'maxKey':
      return [{ [compared]: { $type: bracket } }];
    case 'empty':
      return [{ [compared]: { $size: 0 } }];
    case 'null':
      return nothingAt(compared, lists);
    case 'nan':
      return [{ [compared]: Number.NaN }];
    default:
      return [{ [compared]: { $eq: value } }];
  }
}

/** A field of the members of an empty list counts as missing. */
const nothingAt = (path: string, lists: readonly string[]): readonly Filter[] => [
  { [path]: null },
  ...lists.filter((list) => list !== path).map((list) => ({ [list]: { $size: 0 } })),
];

/** The rows with a value above this one, or below it: any of these filters. */
function beyond(key: OrderKey, { bracket, value }: KeyValue, upwards: boolean): readonly Filter[] {
  const { compared, lists, path } = key;
  const filters: Filter[] = [];
  // the ids of a model have one type, and engines find the rows of a single bound fastest
  if (path === '_id' && (bracket === 'id' || bracket === 'text' || bracket === key.idBracket))
    return [{ [compared]: { [upwards ? '$gt' : '$lt']: value } }];
  if (bracket === 'nan' && upwards) filters.push({ [compared]: { $gte: Number.NEGATIVE_INFINITY } });
  else if (!singular.has(bracket)) filters.push({ [compared]: { [upwards ? '$gt' : '$lt']: value } });
  const others = bracketsBeyond(bracket, upwards).filter(({ name }) => bracket !== 'nan' || name !== 'number');
  const types = others.flatMap(({ types: names }): readonly string[] => names);
  if (types.length > 0) filters.push({ [compared]: { $type: types } });
  for (const { name } of others) {
    if (name === 'empty' && lists.length > 0) filters.push({ [compared]: { $size: 0 } });
    if (name === 'null') filters.push(...nothingAt(compared, lists));
    // an index of DocumentDB finds it by its value, and not as a number
    if (name === 'nan') filters.push({ [compared]: Number.NaN });
  }
  return filters;
}
