/** The collection of the links of users to providers. */
import { type InternalModel, internalSchema, objectId } from '../../models/built-in/internal-model.ts';

/** An OAuth identity and its user, with the incarnation; `_id` is a digest of the provider's name and the id at the provider. */
export const identityModel: InternalModel = {
  name: 'identity',
  collection: '_dossier_identities',
  // another person may have held an account before its email was verified, and linked it to an identity of theirs
  ofUsers: { path: 'user_id', endedByRecovery: 'unverified' },
  schema: () =>
    internalSchema({
      _id: { type: String, required: true },
      provider: { type: String, required: true },
      user_id: { type: objectId, required: true, index: true },
      incarnation: { type: String, required: true },
    }),
};
