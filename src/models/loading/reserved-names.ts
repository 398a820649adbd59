/** Names that Mongoose's documents reserve: a field with such a name would hide a member that Mongoose uses. */
import type { Schema } from 'mongoose';
import type { ModelSchema } from '../fields/model-schema.ts';
import { firstName } from '../fields/path-type.ts';
import { innerOf } from '../mongoose/internals.ts';

const needed: ReadonlySet<string> = new Set([
  ...['_doc', 'get', 'init', 'save', 'schema', 'toBSON', 'toObject', 'validate'],
  ...['initializeTimestamps', 'isDirectModified', 'markModified', 'modifiedPaths', 'ownerDocument'],
  ...['_execDocumentPreHooks', '_execDocumentPostHooks'],
]);

/** Names that answers or every object have already. */
const builtIn: ReadonlySet<string> = new Set([
  'id',
  'score',
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

/** Whether nothing else may be shown under a name at the top level of documents. */
export const isReservedName = (name: string): boolean => needed.has(name) || builtIn.has(name);

/** @throws Error naming the first such field, at any depth */
export function refuseOwnNames({ paths }: Schema, prefix = ''): void {
  for (const [path, type] of Object.entries(paths)) {
    const first = firstName(path);
    if (needed.has(first)) throw new Error(`${prefix}${first} is a name that Mongoose reserves: rename the field`);
    const inner = innerOf(type).schema;
    if (inner !== undefined) refuseOwnNames(inner, `${prefix}${path}.`);
  }
}

/** Whether a free-form schema must refuse a field with this name. Declared fields have been checked at the start. */
export const isOwnName = ({ isOpen, declared }: ModelSchema, name: string): boolean =>
  isOpen && !declared.has(name) && (needed.has(name) || name === 'isNew');
