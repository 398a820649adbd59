/**
 * Limits the length of dotted paths from callers: the cost of reading a path grows with the square of its length, because each
 * prefix is looked up.
 */
import { badPath } from '../../errors.ts';

/** MongoDB supports at most 100 levels of nesting: https://www.mongodb.com/docs/manual/reference/limits/ */
export const pathLimits = { characters: 500, levels: 100 } as const;

/** @throws 400 for a dotted path that is too long or has too many parts; a single name may have any length */
export function checkPathSize(path: string): void {
  if (!path.includes('.')) return;
  if (path.length > pathLimits.characters)
    throw badPath(`a path must have at most ${pathLimits.characters} characters, got ${path.length}`);
  const levels = path.split('.').length;
  if (levels > pathLimits.levels) throw badPath(`a path must have at most ${pathLimits.levels} names, got ${levels}`);
}
