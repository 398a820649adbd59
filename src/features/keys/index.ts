/** Named keys: credentials for programs, each with limits of its own (docs/keys.md). */
import { storedKeys } from '../../auth/ports.ts';
import { type Feature, type InternalModel, internalSchema, objectId, provide, readByTheirUsers } from '../../core.ts';
import { keyCreated, keyRemoved, keyRotated } from './events.ts';
import { namedKeys } from './named-keys.ts';
import { keyOperations } from './operations.ts';

/**
 * A named key. Only digests of its secrets are stored: of the current one, and of replaced ones (`earlier`) with the times until
 * which they work. `resets` is that of the account when the key was created.
 */
const keyModel: InternalModel = {
  name: 'key',
  collection: '_dossier_keys',
  ofUsers: { path: 'user_id', endedByRecovery: 'always' },
  keySecretAt: 'digest',
  isOwn: true,
  publishes: true,
  schema: () =>
    internalSchema(
      {
        user_id: { type: objectId, required: true, index: true },
        incarnation: { type: String, required: true, secret: true },
        resets: { type: Number, required: true, secret: true },
        name: { type: String, required: true },
        digest: { type: String, required: true, secret: true },
        earlier: { type: [{ _id: false, digest: String, until: Date }], secret: true },
        scopes: [{ _id: false, model: String, letters: String }],
        addresses: [String],
        created_at: { type: Date, required: true },
        expires_at: Date,
        last_used_at: Date,
      },
      { perms: readByTheirUsers, label: 'Keys', title: 'name', history: true },
      { rotate: { operation: 'keys.rotate' } },
    ),
};

export const keys: Feature = {
  name: 'keys',
  models: [keyModel],
  operations: (described) => [keyOperations(described)],
  accountEvents: [keyCreated, keyRotated, keyRemoved],
  provides: [provide(storedKeys, namedKeys)],
};
