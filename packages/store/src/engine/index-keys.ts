/**
 * The keys of a document in an index: one value per field, or several if an array on the path fans out, as in MongoDB. A missing field
 * has the key null, and an empty array at the end of a path the key undefined, which differs from null.
 */
import { MinKey } from 'bson';
import { StoreError } from 'dossier-language/errors';
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { compare } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';

/** The keys of one document. */
export interface DocumentKeys {
  /** In order and each once, with all fields ascending. */
  readonly keys: readonly (readonly Value[])[];
  /** An array was fanned out. */
  readonly multikey: boolean;
}

/** Compares the values of two keys: other than in documents, undefined is a value between MinKey and null. */
export function compareInKeys(a: Value, b: Value, collation?: Collation): number {
  return a === undefined || b === undefined ? placeOf(a) - placeOf(b) : compare(a, b, collation);
}

function placeOf(value: Value): number {
  if (value === undefined) return 0;
  return value instanceof MinKey ? -1 : 1;
}

function compareKeys(a: readonly Value[], b: readonly Value[], collation: Collation | undefined): number {
  for (let at = 0; at < a.length; at += 1) {
    const order = compareInKeys(a[at], b[at], collation);
    if (order !== 0) return order;
  }
  return 0;
}

/**
 * Whether an index is the same with either of two versions of a document: they have the same keys in the same order, and neither alone
 * makes the index multikey, as `[1]` does in the place of `1`.
 */
export const sameKeys = (one: DocumentKeys, other: DocumentKeys): boolean => {
  const [{ keys: some }, { keys: others }] = [one, other];
  return (
    one.multikey === other.multikey &&
    some.length === others.length &&
    some.every((values, at) => values.every((value, field) => compareInKeys(value, others[at]?.[field]) === 0))
  );
};

/** The state of the walk along one path; a settled value is not fanned out again. */
interface Walk {
  readonly value: Value;
  readonly rest: readonly string[];
  readonly settled: boolean;
}

const missing: Walk = { value: null, rest: [], settled: true };
const wholeNumber = /^(0|[1-9]\d*)$/;

/** Walks along a path until it ends, is missing or reaches an array. */
function advance(start: Value, path: readonly string[]): Walk {
  let value = start;
  let at = 0;
  for (; at < path.length; at += 1) {
    const name = path[at] ?? '';
    if (Array.isArray(value)) {
      if (!wholeNumber.test(name) || Number(name) >= value.length) break;
      value = value[Number(name)];
    } else {
      value = isDoc(value) && Object.hasOwn(value, name) ? value[name] : undefined;
      if (value === undefined) return missing;
    }
  }
  return { value, rest: path.slice(at), settled: false };
}

/** The fields of an index. */
interface IndexedFields {
  readonly paths: readonly string[];
  /** Whether there is no key where all fields are missing. */
  readonly sparse: boolean;
  readonly collation?: Collation | undefined;
}

/**
 * Creates the function that computes a document's keys in an index. In a sparse index each member of an array of which all fields are
 * missing has no key, as in MongoDB's manual ("Sparse Indexes"). Keys that are equal by the collation count as one. The function throws
 * StoreError 171 if two different arrays would have to be fanned out together.
 */
export function keysFor({ paths, sparse, collation }: IndexedFields): (doc: Doc) => DocumentKeys {
  const split = paths.map((path) => path.split('.'));
  const [only] = paths;
  const plain = paths.length === 1 && only !== undefined && !only.includes('.') ? only : undefined;
  return (doc) => {
    if (plain !== undefined) {
      const value = Object.hasOwn(doc, plain) ? doc[plain] : undefined;
      if (!Array.isArray(value))
        return { keys: sparse && value === undefined ? [] : [[value ?? null]], multikey: false };
    }
    const walks = split.map((path) => advance(doc, path));
    const keys = fanOut(walks, sparse);
    return { keys: distinct(keys, collation), multikey: walks.some(isArrayWalk) };
  };
}

const isArrayWalk = (walk: Walk): boolean => !walk.settled && Array.isArray(walk.value);

function fanOut(walks: readonly Walk[], sparse: boolean): Value[][] {
  const array = walks.find(isArrayWalk)?.value;
  if (!Array.isArray(array))
    return sparse && walks.every((walk) => walk === missing) ? [] : [walks.map((walk) => walk.value)];
  if (walks.some((walk) => isArrayWalk(walk) && walk.value !== array)) {
    throw new StoreError(171, 'cannot index parallel arrays');
  }
  const members: readonly Value[] = array.length === 0 ? [undefined] : array;
  return members.flatMap((member) =>
    fanOut(
      walks.map((walk) => (isArrayWalk(walk) ? within(member, walk.rest) : walk)),
      sparse,
    ),
  );
}

/** The contribution of an array member: itself at the end of the path, otherwise the value further along. */
function within(member: Value, rest: readonly string[]): Walk {
  if (rest.length === 0) return { value: member, rest, settled: true };
  return isDoc(member) ? advance(member, rest) : missing;
}

/** Keys in order, each once. */
function distinct(keys: readonly (readonly Value[])[], collation: Collation | undefined): DocumentKeys['keys'] {
  if (keys.length < 2) return keys;
  const sorted = keys.toSorted((a, b) => compareKeys(a, b, collation));
  return sorted.filter((key, at) => at === 0 || compareKeys(key, sorted[at - 1] ?? [], collation) !== 0);
}
