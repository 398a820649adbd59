/** The built-in models. A file named `user.*` replaces the user model; the internal ones cannot be replaced. */
import { modelFileError } from '../loading/files.ts';
import type { LoadedSchema } from '../loading/loaded-schema.ts';
import {
  accountSchema,
  deletionSchema,
  idempotencySchema,
  identitySchema,
  keySchema,
  sessionSchema,
  setupSchema,
  sharedSchema,
  usedSchema,
} from './internal.ts';
import type { InternalModel } from './internal-model.ts';
import { userSchema } from './user.ts';

const internal: readonly (readonly [string, InternalModel['schema'], string])[] = [
  ['session', sessionSchema, '_dossier_sessions'],
  ['account', accountSchema, '_dossier_accounts'],
  ['key', keySchema, '_dossier_keys'],
  ['identity', identitySchema, '_dossier_identities'],
  ['used', usedSchema, '_dossier_used'],
  ['deletion', deletionSchema, '_dossier_deletions'],
  ['idempotency', idempotencySchema, '_dossier_idempotency'],
  ['setup', setupSchema, '_dossier_setup'],
  ['shared', sharedSchema, '_dossier_shared'],
];

/**
 * @param own names that model files define
 * @param added internal models of features
 * @throws ModelFileError when a file takes the name of an internal model
 */
export function builtIn(own: ReadonlySet<string>, added: readonly InternalModel[]): LoadedSchema[] {
  const made: LoadedSchema[] = own.has('user')
    ? []
    : [{ name: 'user', file: undefined, schema: userSchema(), collection: 'users' }];
  const all = [...internal, ...added.map(({ name, schema, collection }) => [name, schema, collection] as const)];
  for (const [name, schema, collection] of all) {
    const hidden = `_${name}`;
    if (own.has(hidden)) throw modelFileError(hidden, 'a built-in model has this name');
    made.push({ name: hidden, file: undefined, schema: schema(), collection });
  }
  return made;
}
