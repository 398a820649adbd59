/** What a filter is made of: conditions on one value, and the matchers of whole documents they become on a path. */
import type { Doc, Value } from '../values/types.ts';
import { anyAt, placeAt, type ArraysAtEnd, type Test } from './walk.ts';

/** A filter, ready to be held against documents. */
export interface Matcher {
  matches(doc: Doc): boolean;
  /** The place in an array that made a document match, which the positional `$` of updates and projections means. */
  matchPosition(doc: Doc): number | undefined;
}

/** A condition on a field, such as `{ $gt: 5 }`. */
export interface Condition {
  /** Held against one value as it is, as `$elemMatch` and `$pull` do. */
  readonly holds: Test;
  /** Held against what lies at a path of a document. */
  on(path: string): Matcher;
}

/** A condition that one value must meet: a member of an array, or the array itself. */
export function leaf(holds: Test): Condition {
  return { holds, on: (path) => matcherAt(path, holds, 'members too') };
}

/** A condition on a field's whole value, whose arrays are not entered. */
export function whole(holds: Test, placeWithin?: (value: Value) => number | undefined): Condition {
  return { holds, on: (path) => matcherAt(path, holds, 'as a whole', placeWithin) };
}

function matcherAt(
  path: string,
  test: Test,
  arrays: ArraysAtEnd,
  within?: (value: Value) => number | undefined,
): Matcher {
  return { matches: anyAt(path, test, arrays), matchPosition: placeAt(path, test, arrays, within) };
}

/** The opposite of a condition: no value at the path may meet it. */
export function not(condition: Condition): Condition {
  return { holds: (value) => !condition.holds(value), on: (path) => noneOf([condition.on(path)]) };
}

/** All of some conditions; different members of an array may meet them. */
export function both(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (only !== undefined && conditions.length === 1) return only;
  return {
    holds: (value) => conditions.every((condition) => condition.holds(value)),
    on: (path) => allOf(conditions.map((condition) => condition.on(path))),
  };
}

/** A matcher that finds no place in an array. */
export function plainMatcher(matches: (doc: Doc) => boolean): Matcher {
  return { matches, matchPosition: () => undefined };
}

/** Every one of some matchers; the last place found is the one that counts. */
export function allOf(matchers: readonly Matcher[]): Matcher {
  const [first, second] = matchers;
  if (first === undefined) return plainMatcher(() => true);
  if (second === undefined) return first;
  return {
    matches:
      matchers.length === 2 ? (doc) => first.matches(doc) && second.matches(doc) : (doc) => everyMatches(matchers, doc),
    matchPosition: (doc) =>
      everyMatches(matchers, doc) ? matchers.map((matcher) => matcher.matchPosition(doc)).findLast(isPlace) : undefined,
  };
}

const isPlace = (place: number | undefined): boolean => place !== undefined;

function everyMatches(matchers: readonly Matcher[], doc: Doc): boolean {
  for (const matcher of matchers) if (!matcher.matches(doc)) return false;
  return true;
}

/** At least one of some matchers. */
export function anyOf(matchers: readonly Matcher[]): Matcher {
  const find = (doc: Doc): Matcher | undefined => matchers.find((matcher) => matcher.matches(doc));
  return { matches: (doc) => find(doc) !== undefined, matchPosition: (doc) => find(doc)?.matchPosition(doc) };
}

/** None of some matchers. */
export function noneOf(matchers: readonly Matcher[]): Matcher {
  return plainMatcher((doc) => {
    for (const matcher of matchers) if (matcher.matches(doc)) return false;
    return true;
  });
}
