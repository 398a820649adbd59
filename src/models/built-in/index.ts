/** The built-in models. A file named `user.*` replaces the user model; the internal ones cannot be replaced. */
import { modelFileError } from '../loading/files.ts';
import type { LoadedSchema } from '../loading/loaded-schema.ts';
import { accountSchema, deletionSchema, sessionSchema, setupSchema, sharedSchema, usedSchema } from './internal.ts';
import type { InternalModel } from './internal-model.ts';
import { laneModel, outboxModel } from './outbox.ts';
import { userSchema } from './user.ts';

const core: readonly InternalModel[] = [
  { name: 'session', collection: '_dossier_sessions', schema: sessionSchema, ofUsers: { path: 'user_id' } },
  { name: 'account', collection: '_dossier_accounts', schema: accountSchema, ofUsers: { path: '_id' } },
  { name: 'used', collection: '_dossier_used', schema: usedSchema },
  { name: 'deletion', collection: '_dossier_deletions', schema: deletionSchema },
  { name: 'setup', collection: '_dossier_setup', schema: setupSchema },
  { name: 'shared', collection: '_dossier_shared', schema: sharedSchema },
  outboxModel,
  laneModel,
];

/** The internal models of the core, and those of features. */
export const internalModels = (added: readonly InternalModel[]): readonly InternalModel[] => [...core, ...added];

/**
 * @param own names that model files define
 * @param internal models
 * @throws ModelFileError when a file takes the name of an internal model
 */
export function builtIn(own: ReadonlySet<string>, internal: readonly InternalModel[]): LoadedSchema[] {
  const made: LoadedSchema[] = own.has('user')
    ? []
    : [{ name: 'user', file: undefined, schema: userSchema(), collection: 'users' }];
  for (const { name, schema, collection } of internal) {
    const hidden = `_${name}`;
    if (own.has(hidden)) throw modelFileError(hidden, 'a built-in model has this name');
    made.push({ name: hidden, file: undefined, schema: schema(), collection });
  }
  return made;
}
