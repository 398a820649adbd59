/** The built-in models. A file named `user.*` replaces the user model; the internal ones cannot be replaced. */
import { modelFileError } from '../files.ts';
import type { LoadedSchema } from '../loaded-schema.ts';
import {
  accountSchema,
  auditSchema,
  deletionSchema,
  idempotencySchema,
  identitySchema,
  keySchema,
  sessionSchema,
  setupSchema,
  sharedSchema,
  usedSchema,
} from './internal.ts';
import { userSchema } from './user.ts';

const internal = [
  ['session', sessionSchema, '_dossier_sessions'],
  ['account', accountSchema, '_dossier_accounts'],
  ['key', keySchema, '_dossier_keys'],
  ['identity', identitySchema, '_dossier_identities'],
  ['used', usedSchema, '_dossier_used'],
  ['deletion', deletionSchema, '_dossier_deletions'],
  ['idempotency', idempotencySchema, '_dossier_idempotency'],
  ['audit', auditSchema, '_dossier_audit'],
  ['setup', setupSchema, '_dossier_setup'],
  ['shared', sharedSchema, '_dossier_shared'],
] as const;

/** @param own names that model files define @throws ModelFileError when a file takes the name of an internal model */
export function builtIn(own: ReadonlySet<string>): LoadedSchema[] {
  const made: LoadedSchema[] = own.has('user')
    ? []
    : [{ name: 'user', file: undefined, schema: userSchema(), collection: 'users' }];
  for (const [name, schema, collection] of internal) {
    const hidden = `_${name}`;
    if (own.has(hidden)) throw modelFileError(hidden, 'a built-in model has this name');
    made.push({ name: hidden, file: undefined, schema: schema(), collection });
  }
  return made;
}
