/** The path that a caller's name means: aliases and `id` are followed. */
import type { Schema } from 'mongoose';

export function realPath(schema: Schema, path: string): string {
  if (path === 'id' && schema.paths['id'] === undefined) return '_id';
  const { aliases } = schema as unknown as { aliases: Readonly<Record<string, string>> };
  const [first = '', ...rest] = path.split('.');
  const meant = Object.hasOwn(aliases, first) ? aliases[first] : undefined;
  return meant === undefined ? path : [meant, ...rest].join('.');
}
