/** Resolves aliases, including those of nested schemas, and `id` in a caller's path. A path that is too long is a 400. */
import type { Schema } from 'mongoose';
import { checkPathSize } from './path-size.ts';

/** The paths of aliases, by whole paths. `withBase` has added those of nested schemas. */
export const aliasesOf = (schema: Schema): Record<string, string> =>
  (schema as unknown as { aliases: Record<string, string> }).aliases;

export const realPath = (schema: Schema, path: string): string =>
  path === 'id' && schema.paths['id'] === undefined ? '_id' : unaliased(schema, path);

/** Resolves aliases but not `id`. */
export function unaliased(schema: Schema, path: string): string {
  const aliases = aliasesOf(schema);
  if (!path.includes('.')) return Object.hasOwn(aliases, path) ? (aliases[path] ?? path) : path;
  checkPathSize(path);
  const parts = path.split('.');
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('.');
    if (Object.hasOwn(aliases, name)) return [aliases[name], ...parts.slice(length)].join('.');
  }
  return path;
}
