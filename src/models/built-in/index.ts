/** The built-in models. A file named `user.*` replaces the user model; the internal ones cannot be replaced. */
import { modelFileError } from '../loading/files.ts';
import type { LoadedSchema } from '../loading/loaded-schema.ts';
import { accountSchema, deletionSchema, sessionSchema, setupSchema, sharedSchema, usedSchema } from './internal.ts';
import { type InternalModel, internalSchema, mixedType } from './internal-model.ts';
import { userSchema } from './user.ts';

/**
 * An entry of the outbox. `due` is when it may be claimed: of a running one, when the claim of its process ends; a finished one has none.
 * `lane` and `seq` order unfinished entries, `key` is unique among waiting ones, which a running one has as `held_key`; `data` is what the kind has
 * written, and `data.error` why it has ended.
 */
const outboxModel = {
  name: 'outbox',
  isOwn: true,
  collection: '_dossier_outbox',
  schema: () => {
    const schema = internalSchema(
      {
        kind: { type: String, required: true },
        group: { type: String, required: true },
        status: { type: String, required: true },
        due: Date,
        lane: { type: String, secret: true },
        seq: { type: Number, secret: true },
        key: { type: String, secret: true },
        held_key: { type: String, secret: true },
        attempts: { type: Number, required: true },
        claim: { type: String, secret: true },
        process: { type: String, secret: true },
        at: { type: Date, required: true },
        // mails have links that sign in
        data: { type: mixedType, secret: true },
        expires: { type: Date, index: { expireAfterSeconds: 0 } },
      },
      { perms: { admin: 'r' }, label: 'Jobs and deliveries', title: 'kind' },
      { retry: { operation: 'jobs.retry' } },
    );
    schema.index({ kind: 1, due: 1 });
    schema.index({ kind: 1, status: 1, _id: -1 });
    schema.index({ kind: 1, group: 1, status: 1, _id: -1 });
    schema.index({ lane: 1, seq: 1 }, { sparse: true });
    schema.index({ key: 1 }, { unique: true, sparse: true });
    return schema;
  },
} as const satisfies InternalModel;

/** The last number of each lane. It is kept longer than an entry waits. */
const laneModel = {
  name: 'outbox_lane',
  collection: '_dossier_outbox_lanes',
  schema: () =>
    internalSchema({
      _id: { type: String, required: true },
      seq: { type: Number, required: true },
      until: { type: Date, required: true, index: { expireAfterSeconds: 0 } },
    }),
} as const satisfies InternalModel;

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

export const internalModels = (added: readonly InternalModel[]): readonly InternalModel[] => [...core, ...added];

/**
 * @param own names that model files define
 * @param internal models
 * @throws ModelFileError when a file takes the name of an internal model
 */
export function builtInModels(own: ReadonlySet<string>, internal: readonly InternalModel[]): LoadedSchema[] {
  const made: LoadedSchema[] = own.has('user')
    ? []
    : [{ name: 'user', file: undefined, schema: userSchema(), collection: 'users' }];
  for (const { name, schema, collection, isOwn, publishes } of internal) {
    const hidden = `_${name}`;
    if (own.has(hidden)) throw modelFileError(hidden, 'a built-in model has this name');
    made.push({ name: hidden, file: undefined, schema: schema(), collection, isOwn, publishes });
  }
  return made;
}
