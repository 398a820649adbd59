/** Advice on indexes, from the shapes of reads and the indexes that there are. Pure. */
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { type Shape, withOneList } from './shape.ts';

export type IndexKey = Readonly<Record<string, string | number>>;

/** An index of a collection, as the database describes it. */
export interface StoredIndex {
  readonly name: string;
  readonly key: IndexKey;
  readonly unique: boolean;
  /** Whether it removes documents by their age. */
  readonly expires: boolean;
  /** Whether it lacks documents, or compares by a collation of its own: it then stands in for no other. */
  readonly isSpecial: boolean;
  /** Bytes; absent where the database does not report them. */
  readonly size?: number;
  /** How often reads have used it since `since`; absent where the database does not report it. */
  readonly uses?: number;
  readonly since?: Date;
}

/** An index that reads have needed. */
export interface NeededIndex extends IndexAdvice {
  /** How many of its first paths have given values in these reads. */
  readonly fixed: number;
}

export interface IndexAdvice {
  readonly model: string;
  readonly index: IndexKey;
  readonly reason: 'missing' | 'unused' | 'redundant';
  /** The shape of the reads that need it, the name of an unused index, or the index that serves in place of a redundant one. */
  readonly for: string;
  /** The name of an index that exists. */
  readonly name?: string;
  /** When such a read was first seen, or since when uses are counted. */
  readonly since: Date | undefined;
}

/** The index that serves a read: equality, sort, range. Undefined where no index helps, or one that exists does. */
export function missingIndex(
  schema: ModelSchema,
  shape: Shape,
  indexes: readonly Pick<StoredIndex, 'key' | 'isSpecial'>[],
): IndexKey | undefined {
  const { equality, range, isIndexable } = shape;
  if (!isIndexable || equality.includes('_id')) return undefined;
  const sort = Object.entries(shape.sort).filter(([path]) => !equality.includes(path));
  // rows in the order of their ids are read without an index of one's own
  const ordered = sort.length === 1 && sort[0]?.[0] === '_id' ? [] : sort;
  const ways = new Map<string, 1 | -1>([
    ...equality.map((path) => [path, 1] as const),
    ...ordered,
    ...range
      .filter((path) => !ordered.some(([one]) => one === path) && path !== '_id')
      .map((path) => [path, 1] as const),
  ]);
  const paths = withOneList(schema, [...ways.keys()]);
  if (paths.length === 0) return undefined;
  const key = Object.fromEntries(paths.map((path) => [path, ways.get(path) ?? 1]));
  const fixed = fixedPathCount(key, shape);
  return isServed(key, indexes, fixed) ? undefined : key;
}

/** How many of the first paths of an index have given values in reads of a shape. */
export const fixedPathCount = (key: IndexKey, { equality }: Pick<Shape, 'equality'>): number =>
  equality.filter((path) => Object.hasOwn(key, path)).length;

/**
 * Whether an index that exists begins as the wanted one does.
 * @param fixed how many of its first paths have given values: their order and direction do not matter
 */
function serves(existing: IndexKey, wanted: IndexKey, fixed: number): boolean {
  const has = Object.entries(existing);
  const needs = Object.entries(wanted);
  if (has.length < needs.length) return false;
  const first = new Set(needs.slice(0, fixed).map(([path]) => path));
  if (!has.slice(0, fixed).every(([path, way]) => first.has(path) && isOrdered(way))) return false;
  const rest = needs.slice(fixed);
  const compared = has.slice(fixed, needs.length);
  if (!rest.every(([path], at) => compared[at]?.[0] === path)) return false;
  const same = rest.every(([, way], at) => compared[at]?.[1] === way);
  return same || rest.every(([, way], at) => compared[at]?.[1] === -Number(way));
}

const isOrdered = (way: unknown): boolean => way === 1 || way === -1;

/** Whether an index is a true prefix of another one. */
function isPrefix(short: IndexKey, long: IndexKey): boolean {
  const a = Object.entries(short);
  const b = Object.entries(long);
  return (
    a.length < b.length && a.every(([path, way], at) => b[at]?.[0] === path && b[at]?.[1] === way && isOrdered(way))
  );
}

/** Whether an index exists that serves the reads of the wanted one. @param fixed how many of its first paths have given values */
export const isServed = (
  wanted: IndexKey,
  indexes: readonly Pick<StoredIndex, 'key' | 'isSpecial'>[],
  fixed: number,
): boolean => indexes.some(({ key, isSpecial }) => !isSpecial && serves(key, wanted, fixed));

/** Whether an index is on standard fields alone: the server creates it again at each start. */
const isOfServer = (key: IndexKey): boolean => Object.keys(key).every((path) => path.startsWith('_'));

/** The advice on the indexes of a model that exist. @param isAdded whether the server adds an index to those of the model file */
export function adviceOnStored(
  model: string,
  indexes: readonly StoredIndex[],
  isAdded: (key: IndexKey) => boolean,
): readonly IndexAdvice[] {
  return indexes.flatMap((one): IndexAdvice[] => {
    const { name, key, unique, expires, isSpecial, uses, since } = one;
    if (unique || expires || isOfServer(key) || isAdded(key)) return [];
    const other = isSpecial ? undefined : indexes.find((two) => !two.isSpecial && isPrefix(key, two.key));
    if (other !== undefined) return [{ model, index: key, reason: 'redundant', for: other.name, name, since }];
    return uses === 0 ? [{ model, index: key, reason: 'unused', for: name, name, since }] : [];
  });
}

/** Missing indexes, each once, and none that is the beginning of another one. */
export const withoutPrefixes = (all: readonly IndexAdvice[]): readonly IndexAdvice[] =>
  all.filter(
    (one, at) =>
      !all.some(
        (two, place) =>
          two.model === one.model &&
          (isPrefix(one.index, two.index) || (place < at && JSON.stringify(two.index) === JSON.stringify(one.index))),
      ),
  );
