/** Suggestions for misspelt names: parameters, fields, options. */
import { closestMatch } from 'leven';

/** Longer names get no suggestion, so that a long name from a caller costs nothing. */
const maxLength = 60;

/**
 * The candidate that a misspelt name most likely means.
 * Upper and lower case count as equal. A third of the name may differ, and two letters of a short one (`lnik` → `link`).
 * @param candidates names that the reader of the message may see
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name === '' || name.length > maxLength) return undefined;
  const byLowerCase = new Map<string, string>();
  for (const candidate of candidates)
    if (!byLowerCase.has(candidate.toLowerCase())) byLowerCase.set(candidate.toLowerCase(), candidate);
  const maxDistance = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
  const found = closestMatch(name.toLowerCase(), [...byLowerCase.keys()], { maxDistance });
  return found === undefined ? undefined : byLowerCase.get(found);
}

/** `; did you mean "status"?` to end a message with, or nothing. */
export function suggestion(name: string, candidates: Iterable<string>): string {
  const found = nearest(name, candidates);
  return found === undefined ? '' : `; did you mean ${JSON.stringify(found)}?`;
}
