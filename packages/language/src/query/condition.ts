/** The building blocks of filters: conditions on one value, and matchers of whole documents. */
import type { Doc, Value } from '../values/types.ts';
import type { Charge } from './regex/metered-text.ts';
import { anyAt, type PathEnd, placeAt, type Test } from './walk.ts';

/** A compiled filter. */
export interface Matcher {
  matches(doc: Doc): boolean;
  /** The index of the array member that made a document match, for the positional `$` of updates and projections. */
  matchPosition(doc: Doc): number | undefined;
}

/** A condition on a field, such as `{ $gt: 5 }`. */
export interface Condition {
  /** Tests one value as it is, as `$elemMatch` and `$pull` do. */
  readonly holds: Test;
  /** Tests the values at a path of a document; `charge` meters long arrays. */
  on(path: string, charge?: Charge): Matcher;
}

/** A condition that one value must meet: an array member, or the array itself. */
export function leaf(holds: Test): Condition {
  return { holds, on: (path, charge) => matcherAt(path, { test: holds, arrays: 'members too', charge }) };
}

/** A condition on the whole value of a field; arrays are not entered. */
export function whole(holds: Test, placeWithin?: (value: Value) => number | undefined): Condition {
  return {
    holds,
    on: (path, charge) => matcherAt(path, { test: holds, arrays: 'as a whole', within: placeWithin, charge }),
  };
}

function matcherAt(path: string, end: PathEnd): Matcher {
  return { matches: anyAt(path, end), matchPosition: placeAt(path, end) };
}

/** The negation of a condition: no value at the path may meet it. */
export function not(condition: Condition): Condition {
  return { holds: (value) => !condition.holds(value), on: (path, charge) => noneOf([condition.on(path, charge)]) };
}

/** The conjunction of conditions; different array members may meet them. */
export function both(conditions: readonly Condition[]): Condition {
  const [only] = conditions;
  if (only !== undefined && conditions.length === 1) return only;
  return {
    holds: (value) => conditions.every((condition) => condition.holds(value)),
    on: (path, charge) => allOf(conditions.map((condition) => condition.on(path, charge))),
  };
}

/** A matcher without a match position. */
export function plainMatcher(matches: (doc: Doc) => boolean): Matcher {
  return { matches, matchPosition: () => undefined };
}

/** The conjunction of matchers; the last match position wins. */
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

/** The disjunction of matchers. */
export function anyOf(matchers: readonly Matcher[]): Matcher {
  const find = (doc: Doc): Matcher | undefined => matchers.find((matcher) => matcher.matches(doc));
  return { matches: (doc) => find(doc) !== undefined, matchPosition: (doc) => find(doc)?.matchPosition(doc) };
}

/** Matches if none of the matchers does. */
export function noneOf(matchers: readonly Matcher[]): Matcher {
  return plainMatcher((doc) => {
    for (const matcher of matchers) if (matcher.matches(doc)) return false;
    return true;
  });
}
