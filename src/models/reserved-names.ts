/** Names that documents of Mongoose need for themselves: a field of such a name hides what Mongoose calls or reads. */
import type { Schema } from 'mongoose';
import { innerOf } from './path-type.ts';

const needed: ReadonlySet<string> = new Set([
  ...['_doc', 'get', 'init', 'save', 'schema', 'toBSON', 'toObject', 'validate'],
  ...['initializeTimestamps', 'isDirectModified', 'markModified', 'modifiedPaths', 'ownerDocument'],
  ...['_execDocumentPreHooks', '_execDocumentPostHooks'],
]);

/** @throws Error naming the first such field, at any depth */
export function refuseOwnNames({ paths }: Schema, prefix = ''): void {
  for (const [path, type] of Object.entries(paths)) {
    const [first = path] = path.split('.', 1);
    if (needed.has(first)) throw new Error(`${prefix}${first} is a name that Mongoose needs: call the field otherwise`);
    const inner = innerOf(type).schema;
    if (inner !== undefined) refuseOwnNames(inner, `${prefix}${path}.`);
  }
}

/** Whether a schema that takes any field cannot take one of this name. What it declares is declared as it should be. */
export const isOwnName = (schema: Schema, name: string): boolean =>
  schema.get('strict') === false && !Object.hasOwn(schema.paths, name) && (needed.has(name) || name === 'isNew');
