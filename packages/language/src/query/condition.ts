/** What a filter is made of: conditions on one value, and the matchers of whole documents they become on a path. */
import type { Doc, Value } from '../values/types.ts';
import type { Charge } from './regex/metered-text.ts';
import { anyAt, placeAt, type PathEnd, type Test } from './walk.ts';

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
  /** Held against what lies at a path of a document; `charge` counts the members of long arrays. */
  on(path: string, charge?: Charge): Matcher;
}

/** A condition that one value must meet: a member of an array, or the array itself. */
export function leaf(holds: Test): Condition {
  return { holds, on: (path, charge) => matcherAt(path, { test: holds, arrays: 'members too', charge }) };
}

/** A condition on a field's whole value, whose arrays are not entered. */
export function whole(holds: Test, placeWithin?: (value: Value) => number | undefined): Condition {
  return {
    holds,
    on: (path, charge) => matcherAt(path, { test: holds, arrays: 'as a whole', within: placeWithin, charge }),
  };
}

function matcherAt(path: string, end: PathEnd): Matcher {
  return { matches: anyAt(path, end), matchPosition: placeAt(path, end) };
}

/** The opposite of a condition: no value at the path may meet it. */
export function not(condition: Condition): Condition {
  return { holds: (value) => !condition.holds(value), on: (path, charge) => noneOf([condition.on(path, charge)]) };
}

/** All of some conditions; different members of an array may meet them. */
export function both(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (only !== undefined && conditions.length === 1) return only;
  return {
    holds: (value) => conditions.every((condition) => condition.holds(value)),
    on: (path, charge) => allOf(conditions.map((condition) => condition.on(path, charge))),
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
