/**
 * The paths that the server, or the code of a model file, keeps for itself: no caller reads, names or writes them. A model file declares one
 * by `secret: true` (docs/models.md).
 */
import type { Schema } from 'mongoose';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';
import { incarnationPath } from './incarnation.ts';

/** What the server stores in documents of served models, by the name of the model. */
export const ownPaths: Readonly<Record<string, readonly string[]>> = { user: [incarnationPath] };

/** @throws Error for `secret` that is no boolean, or of a path that is not at the top of a document */
export function ownPathsOf(name: string, schema: Schema): readonly string[] {
  const server = Object.hasOwn(ownPaths, name) ? (ownPaths[name] ?? []) : [];
  return [...new Set([...server, ...secretPathsOf(schema)])];
}

function secretPathsOf(schema: Schema): readonly string[] {
  return placesOf(schema)
    .flatMap(typesIn)
    .flatMap(({ type, path }) => {
      const { secret = false } = (type.options ?? {}) as { readonly secret?: unknown };
      if (typeof secret !== 'boolean') throw new Error(`secret of ${path} must be true or false`);
      if (!secret) return [];
      if (path === '_id' || path.includes('.'))
        throw new Error(`secret of ${path}: set it on a path at the top of the document, other than _id`);
      return [path];
    });
}
