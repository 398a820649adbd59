/** Suggestions for misspelt names: parameters, fields, options. */
import leven, { closestMatch } from 'leven';

/** Longer names get no suggestion, so that long names from callers cost nothing. */
const maxLength = 60;

/**
 * The candidate that a misspelt name most likely means.
 * The comparison ignores case. A third of the name may differ, and two letters of a short one (`lnik` → `link`).
 * @param candidates names that the recipient of the message may see
 */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length < 2 || name.length > maxLength) return undefined;
  const byLowerCase = new Map<string, string>();
  for (const candidate of candidates)
    if (!byLowerCase.has(candidate.toLowerCase())) byLowerCase.set(candidate.toLowerCase(), candidate);
  const maxDistance = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  const found = closestMatch(name.toLowerCase(), [...byLowerCase.keys()], { maxDistance });
  return found === undefined ? undefined : byLowerCase.get(found);
}

/** The end of a message: `; did you mean "status"?`. */
export const didYouMean = (name: string): string => `; did you mean ${JSON.stringify(name)}?`;

/** The end of a message that suggests the nearest candidate; empty if none is near. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const found = nearestName(name, candidates);
  return found === undefined ? '' : didYouMean(found);
}

/**
 * The candidate of which a name is clearly a misspelling: the same first letter, and two swapped neighbouring letters, one extra
 * or missing letter, one wrong letter (from five letters on), or two such differences (from eight letters on). This is
 * stricter than `nearestName`, for names that other software may also use.
 */
export function correctedName(name: string, candidates: Iterable<string>): string | undefined {
  return slipOf(
    name,
    [...candidates].filter(({ length }) => length >= 4),
  );
}

/**
 * The end of a message that suggests the operator of which a name is clearly a misspelling, or which lacks its `$`; empty if there
 * is none. MongoDB has operators that are not allowed, and these are no misspellings of others.
 */
export function operatorSuggestion(name: string, operators: Iterable<string>): string {
  const found = slipOf(name.startsWith('$') ? name : `$${name}`, operators);
  return found === undefined ? '' : didYouMean(found);
}

/** The candidate with the least difference; the first of several. */
function slipOf(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > maxLength) return undefined;
  let found: { readonly candidate: string; readonly differences: number } | undefined;
  for (const candidate of candidates) {
    const differences = slips(name.toLowerCase(), candidate.toLowerCase());
    if (differences !== undefined && differences < (found?.differences ?? Infinity)) found = { candidate, differences };
  }
  return found?.candidate;
}

/** The number of differences of a name that is clearly a misspelling of the candidate; otherwise undefined. */
function slips(name: string, candidate: string): number | undefined {
  if (name[0] !== candidate[0]) return undefined;
  const distance = leven(name, candidate);
  if (distance === 1 && name.length === candidate.length && candidate.length < 5) return undefined;
  if (distance <= 1) return distance;
  if (distance > 2) return undefined;
  if (isSwap(name, candidate)) return 1;
  return candidate.length >= 8 ? distance : undefined;
}

/** Whether two strings differ by two swapped neighbouring letters. */
function isSwap(one: string, other: string): boolean {
  const at = [...one].findIndex((letter, index) => letter !== other[index]);
  return other === one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2);
}
