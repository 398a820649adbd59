/** The field of the user model by which users sign in (`LOGIN_FIELD`). */
import type { Schema } from 'mongoose';
import { plainEmail } from '../../text/email.ts';
import type { ModelEntry } from '../entry.ts';
import { castJson } from '../fields/cast.ts';
import { compileSchema } from '../fields/compile-schema.ts';
import type { PathType } from '../fields/model-schema.ts';
import { typeAt } from '../fields/path-type.ts';
import { isSecretPath } from '../secrets.ts';

/**
 * Makes a field of the user schema what users sign in with: required, unique, and stored in Unicode's form NFC without spaces around it.
 * @throws Error naming the setting, for a field that cannot be that
 */
export function completeLogin(schema: Schema, name: string): void {
  const reason = reasonAgainst(schema, name, typeAt(compileSchema(schema), name));
  if (reason !== undefined) throw new Error(`LOGIN_FIELD: users cannot sign in by ${name}: ${reason}`);
  const path = schema.path<Schema.Types.String>(name);
  path.trim(true);
  path.set((value: unknown) => (typeof value === 'string' ? value.normalize('NFC') : value));
  path.required(true);
  if (!isUnique(schema, name)) path.unique(true);
}

/** Why a field cannot be what users sign in with; undefined if it can. */
function reasonAgainst(schema: Schema, name: string, type: PathType): string | undefined {
  if (name.startsWith('_') || name === 'id') return 'it is set by the server';
  if (name.includes('.')) return 'it is a part of a field';
  if (type.kind === 'unknown') return 'the user model has no such field';
  if (type.kind !== 'leaf' || type.array || type.field.typeName !== 'String') return 'it must be of type String';
  const { select } = schema.path(name).options as { readonly select?: unknown };
  if (isSecretPath(name) || select === false) return 'it is hidden';
  return type.field.isEncrypted ? 'it is encrypted' : undefined;
}

/** Whether no two documents can have the same value of a field. */
export const isUnique = (schema: Schema, name: string): boolean =>
  schema
    .indexes()
    .some(
      ([keys, { unique, partialFilterExpression: part }]) =>
        unique === true && part === undefined && Object.keys(keys).join() === name,
    );

/** What a text stands for in the login field of users: the value that is stored; empty for a text that cannot be one. */
export function loginNames({ schema }: Pick<ModelEntry, 'schema'>, field: string): (text: string) => string {
  if (field === 'email') return plainEmail;
  return (text) => {
    try {
      const value = castJson(schema, field, text);
      return typeof value === 'string' ? value : '';
    } catch {
      // a setter refuses it
      return '';
    }
  };
}
