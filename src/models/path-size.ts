/** How long a dotted path from a caller may be. Reading a path looks at each of its beginnings, so its cost grows with their square. */
import { badPath } from '../errors.ts';

/** MongoDB nests documents 100 levels deep at most: https://www.mongodb.com/docs/manual/reference/limits/ */
export const pathLimits = { characters: 500, levels: 100 } as const;

/** @throws 400 for a dotted path that is too long or has too many parts; a single name may have any length */
export function checkPathSize(path: string): void {
  if (!path.includes('.')) return;
  if (path.length > pathLimits.characters)
    throw badPath(`a path may have ${pathLimits.characters} characters at most, and this one has ${path.length}`);
  const levels = path.split('.').length;
  if (levels > pathLimits.levels)
    throw badPath(`a path may have ${pathLimits.levels} names at most, and this one has ${levels}`);
}
