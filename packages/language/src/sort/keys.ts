/** Sort keys: one value per field; the direction selects among the members of an array. */
import { StoreError } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import { arrayIndex, field } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';

/** An empty array; it sorts after MinKey and before null. */
const emptyArray = Symbol('empty array');

/** The part of a key for one field. */
export type Part = Value | typeof emptyArray;

/** The sort key of a document: one part for each field. */
export type Key = readonly Part[];

/** The state of the walk along one path. Settled values are final, even arrays. */
interface Walk {
  readonly value: Part;
  readonly rest: readonly string[];
  readonly settled: boolean;
}

const settled = (value: Part): Walk => ({ value, rest: [], settled: true });

/** Walks along a path until it ends, is missing or reaches an array that is not addressed by index. */
function advance(start: Value, parts: readonly string[]): Walk {
  let value = start;
  for (let at = 0; at < parts.length; at += 1) {
    const part = parts[at] ?? '';
    if (Array.isArray(value)) {
      const place = arrayIndex(part);
      if (place === undefined) return { value, rest: parts.slice(at), settled: false };
      value = value[place];
    } else if (isDoc(value)) value = field(value, part);
    else return settled(undefined);
  }
  return { value, rest: [], settled: !Array.isArray(value) };
}

/**
 * Creates the function that computes the key of a document: the smallest one by `compare` if an array gives several.
 */
export function keyMaker(paths: readonly string[], compare: (a: Key, b: Key) => number): (doc: Doc) => Key {
  const split = paths.map((path) => path.split('.'));
  return (doc) => {
    const walks = split.map((parts) => advance(doc, parts));
    if (walks.every((walk) => walk.settled)) return walks.map((walk) => walk.value);
    return keysOf(walks).reduce((least, key) => (compare(key, least) < 0 ? key : least));
  };
}

/** All keys, one per member of the array on the paths. Two different arrays cannot be combined. */
function keysOf(walks: readonly Walk[]): readonly Key[] {
  const array = walks.find((walk) => !walk.settled)?.value;
  if (!Array.isArray(array)) return [walks.map((walk) => walk.value)];
  if (walks.some((walk) => !walk.settled && walk.value !== array)) {
    throw new StoreError(2, 'cannot sort with keys that are parallel arrays');
  }
  const members: readonly Part[] = array.length === 0 ? [emptyArray] : array;
  return members.flatMap((member) => keysOf(walks.map((walk) => (walk.settled ? walk : within(member, walk.rest)))));
}

function within(member: Part, rest: readonly string[]): Walk {
  if (rest.length === 0) return settled(member);
  return typeof member !== 'symbol' && isDoc(member) ? advance(member, rest) : settled(undefined);
}
