/** Which names may stand in paths, bodies and filters: nothing that JavaScript or MongoDB would take for its own. */
import { badFilter, dangerousKey, secretPath } from '../errors.ts';
import { isSecretPath } from '../registry/secrets.ts';

const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype', '_bsontype']);

/** Whether a key may not be used as the name of a field. */
export const isDangerous = (key: string): boolean =>
  inherited.has(key) || key.startsWith('$') || key.includes('\0') || key === '';

/** Refuses a dotted path that has a part which is no name, or is password-named. @throws 400 */
export function checkPath(path: string): void {
  if (path.length > 500) throw badFilter('a path may have 500 characters at most');
  for (const part of path.split('.')) if (isDangerous(part)) throw dangerousKey(part);
  if (isSecretPath(path)) throw secretPath(path);
}
