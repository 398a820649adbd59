/**
 * The keys of a document in an index: one value per field, or several if an array on the path fans out, as in MongoDB.
 */
import { StoreError } from 'dossier-language/errors';
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { distinctOf } from 'dossier-language/values';
import { compare } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';

/** The keys of one document. */
export interface DocumentKeys {
  readonly keys: readonly (readonly Value[])[];
  /** An array was fanned out. */
  readonly multikey: boolean;
  /** All indexed fields are missing. */
  readonly empty: boolean;
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
    some.every((values, at) => values.every((value, field) => compare(value, others[at]?.[field]) === 0))
  );
};

/** The state of the walk along one path; a settled value is not fanned out again. */
interface Walk {
  readonly value: Value;
  readonly rest: readonly string[];
  readonly settled: boolean;
}

const missing: Walk = { value: undefined, rest: [], settled: true };
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

/**
 * Creates the function that computes a document's keys for the paths of an index. Keys that are equal by the collation
 * count as one. The function throws StoreError 171 if two different arrays would have to be fanned out together.
 */
export function keysFor(paths: readonly string[], collation?: Collation): (doc: Doc) => DocumentKeys {
  const split = paths.map((path) => path.split('.'));
  const [only] = paths;
  const plain = paths.length === 1 && only !== undefined && !only.includes('.') ? only : undefined;
  return (doc) => {
    if (plain !== undefined) {
      const value = Object.hasOwn(doc, plain) ? doc[plain] : undefined;
      if (!Array.isArray(value)) return { keys: [[value ?? null]], multikey: false, empty: value === undefined };
    }
    return allKeys(
      split.map((path) => advance(doc, path)),
      collation,
    );
  };
}

function allKeys(walks: readonly Walk[], collation: Collation | undefined): DocumentKeys {
  const multikey = walks.some(isArrayWalk);
  if (!multikey) {
    const empty = walks.every((walk) => walk.value === undefined);
    return { keys: [walks.map((walk) => walk.value ?? null)], multikey, empty };
  }
  const keys = distinctOf(fanOut(walks), collation);
  return { keys, multikey, empty: false };
}

const isArrayWalk = (walk: Walk): boolean => !walk.settled && Array.isArray(walk.value);

function fanOut(walks: readonly Walk[]): Value[][] {
  const array = walks.find(isArrayWalk)?.value;
  if (!Array.isArray(array)) return [walks.map((walk) => walk.value ?? null)];
  if (walks.some((walk) => isArrayWalk(walk) && walk.value !== array)) {
    throw new StoreError(171, 'cannot index parallel arrays');
  }
  const members: readonly Value[] = array.length === 0 ? [undefined] : array;
  return members.flatMap((member) =>
    fanOut(walks.map((walk) => (isArrayWalk(walk) ? within(member, walk.rest) : walk))),
  );
}

/** The contribution of an array member: itself at the end of the path, otherwise the value further along. */
function within(member: Value, rest: readonly string[]): Walk {
  if (rest.length === 0) return { value: member, rest, settled: true };
  return isDoc(member) ? advance(member, rest) : missing;
}
