/**
 * Follows changes of users, sessions, stored keys and accounts that other servers make, by a change stream: this server removes the cached
 * principals, and open sockets and event streams are verified again. Without change streams, cached principals expire instead.
 * None of these changes is an event for callers.
 */
import type { ChangeStreamDocument } from '../../models/mongoose.ts';
import type { AuthCore } from '../core.ts';

type Stage = Readonly<Record<string, unknown>>;

/** The stages of the stream, and the handler of its events. */
export interface LoginChanges {
  readonly pipeline: readonly Stage[];
  readonly changed: (event: ChangeStreamDocument) => void;
  /** Called when changes may have been missed. */
  readonly missed: () => void;
}

export function loginChanges({
  registry,
  internalModels,
  principals,
}: Pick<AuthCore, 'registry' | 'internalModels' | 'principals'>): LoginChanges {
  const [users, sessions, accounts] = (['user', '_session', '_account'] as const).map(
    (model) => registry.internal(model).collection,
  );
  const keys = new Map(
    internalModels.flatMap(({ collection, keySecretAt: path }) => (path === undefined ? [] : [[collection, path]])),
  );
  return {
    pipeline: [
      {
        $match: {
          $or: [
            { 'ns.coll': users, operationType: { $in: ['update', 'replace', 'delete'] } },
            // a refresh replaces the token, so the earlier one has ended
            { 'ns.coll': sessions, $or: [replacedOrDeleted, sets('token_digest')] },
            // `last_used_at` ends nothing, so it is left out
            ...[...keys].map(([coll, path]) => ({ 'ns.coll': coll, $or: [replacedOrDeleted, sets(path)] })),
            // the account's number of logins changes no right, so it is left out
            {
              'ns.coll': accounts,
              $or: [replacedOrDeleted, ...['epoch', 'mark', 'key_digest', 'factor'].map(sets), removesFactor],
            },
          ],
        },
      },
      { $project: { operationType: 1, ns: 1, documentKey: 1 } },
    ],
    changed(event) {
      if (!('documentKey' in event) || !('ns' in event) || !('coll' in event.ns)) return;
      const id = String(event.documentKey._id);
      // each worker of a server follows the stream
      if (event.ns.coll === sessions) principals.dropLocally({ session: id });
      else principals.dropLocally(keys.has(event.ns.coll) ? { key: id } : { user: id });
    },
    missed: () => principals.clear(),
  };
}

const replacedOrDeleted: Stage = { operationType: { $in: ['replace', 'delete'] } };

const removesFactor: Stage = { 'updateDescription.removedFields': 'factor' };

const sets = (path: string): Stage => ({ [`updateDescription.updatedFields.${path}`]: { $exists: true } });
