/** Resolves aliases, including those of nested schemas, and `id` in a caller's path. A path that is too long is a 400. */
import type { Schema } from 'mongoose';
import { checkPathSize } from './path-size.ts';
import { isPosition } from './path-type.ts';

/** The paths of aliases, by whole paths without positions. `withBase` has added those of nested schemas and of discriminators. */
export const aliasesOf = (schema: Schema): Record<string, string> =>
  (schema as unknown as { aliases: Record<string, string> }).aliases;

export const realPath = (schema: Schema, path: string): string =>
  path === 'id' && schema.paths['id'] === undefined ? '_id' : unaliased(schema, path);

/** Resolves aliases but not `id`. Positions in lists (`logins.0.pin`) stay where they are. */
export function unaliased(schema: Schema, path: string): string {
  checkPathSize(path);
  const aliases = aliasesOf(schema);
  let parts: string[] = [];
  let name = '';
  for (const part of path.split('.')) {
    parts.push(part);
    if (isPosition(part)) continue;
    name = name === '' ? part : `${name}.${part}`;
    const meant = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (meant === undefined) continue;
    parts = withPositions(parts, meant);
    name = meant;
  }
  return parts.join('.');
}

/** The meaning of a path, with the positions of its parts; these are above the names that an alias replaces. */
function withPositions(parts: readonly string[], meant: string): string[] {
  const names = meant.split('.');
  const kept: string[] = [];
  for (const part of parts) {
    if (part === names[0]) names.shift();
    else if (!isPosition(part)) break;
    kept.push(part);
  }
  return [...kept, ...names];
}
