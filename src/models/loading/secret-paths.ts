/** Paths that answers leave out: refuses indexes and names that would show secrets, and lists the paths with `select: false`. */
import type { Schema, SchemaType } from 'mongoose';
import type { Link, ReverseLink } from '../entry.ts';
import { innerOf, schemaParts } from '../mongoose/internals.ts';
import { isSecretPath } from '../secrets.ts';

/** Refuses text indexes over password-named paths, and over those that no caller reads, which would make them searchable. */
export function refuseSecretIndexes(schema: Schema, ownPaths: readonly string[]): void {
  const isSecret = (path: string): boolean => isSecretPath(path) || ownPaths.includes(path.split('.', 1)[0] ?? path);
  const secret = Object.keys(schema.paths).find(isSecret);
  for (const [fields] of schema.indexes())
    for (const [path, type] of Object.entries(fields)) {
      const found = path === '$**' ? secret : path;
      if (type !== 'text' || found === undefined || !isSecret(found)) continue;
      throw new Error(`the text index over ${path} would make ${isSecretPath(found) ? 'passwords' : found} searchable`);
    }
}

/** Refuses password-named aliases: their values would be hashed when written but shown under the name of the path. */
export function refuseSecretAliases(schema: Schema): void {
  for (const [alias, path] of Object.entries(schemaParts(schema).aliases))
    if (isSecretPath(alias) && !isSecretPath(path))
      throw new Error(`the alias ${alias} of ${path} would show a value that is meant as a password`);
}

/** Refuses password-named reverse links, which no answer would show. */
export function refuseSecretReverses(links: readonly Link[]): void {
  for (const { path, reverse = '' } of links)
    if (isSecretPath(reverse))
      throw new Error(`reverse of ${path} is ${reverse}, which no answer shows: set another name`);
}

/** Refuses virtuals over password-named paths, which would show which documents have the same hash. */
export function refuseSecretVirtuals(virtuals: readonly ReverseLink[]): void {
  for (const { as, local, path } of virtuals)
    for (const one of [local, path])
      if (isSecretPath(one)) throw new Error(`the virtual ${as} would show which documents have the same ${one}`);
}

/** @returns dotted paths, through nested schemas and lists of them */
export const unselectedPaths = (schema: Schema): readonly string[] =>
  Object.entries(schema.paths).flatMap(([path, type]) => {
    if (isUnselected(type)) return [path];
    const inner = innerOf(type).schema;
    return inner === undefined ? [] : unselectedPaths(inner).map((below) => `${path}.${below}`);
  });

const isUnselected = ({ options }: SchemaType): boolean => (options as { select?: unknown }).select === false;
