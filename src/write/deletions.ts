/**
 * Records the effects of each soft deletion with `_cascade` in an internal model, for restoring the root. A record applies to the
 * documents that are unchanged since the deletion, which its time identifies.
 */
import type { ModelActor } from '../context.ts';
import type { ModelEntry } from '../models/entry.ts';
import { type Collection, internalCollection, modelOf, type ObjectId } from '../models/mongoose.ts';
import { sessionOf } from './commit.ts';
import type { Target } from './intents.ts';
import { targetFilter } from './target.ts';

/** Documents of one model that were deleted with a root, or that lost the `target` from the list at `path`. */
export interface DeletionRecord {
  /** Name of the root's model. */
  readonly model: string;
  readonly root: unknown;
  /** `updatedAt` of everything that the deletion marked. */
  readonly at: Date;
  /** Name of the documents' model. */
  readonly of: string;
  readonly ids: readonly unknown[];
  readonly path?: string;
  readonly target?: unknown;
}

/** A record with the id that the database has given it. */
export type StoredRecord = DeletionRecord & { readonly _id: ObjectId };

/** Ids in one record. */
const maxIds = 1000;

const recordsIn = ({ services }: ModelActor): Collection<DeletionRecord> =>
  internalCollection(services.registry, '_deletion');

/** Whether a deletion with `_cascade` may have affected other documents. */
const mayCascade = ({ linkedFrom }: ModelEntry): boolean => linkedFrom.some(({ link }) => !link.stamp);

/** Documents of one model that are deleted or lose a link. */
export type AffectedDocuments = Pick<DeletionRecord, 'path' | 'target'> & { readonly ids: readonly unknown[] };

export type Recorder = (of: ModelEntry, affected: readonly AffectedDocuments[]) => Promise<void>;

/** Records the effects of a deletion before it is carried out. @param at the time with which the deletion marks documents */
export const recorder =
  (actor: ModelActor, root: unknown, at: Date): Recorder =>
  async (of, affected) => {
    const common = { model: actor.model.name, root, at, of: of.name };
    const records = affected.flatMap(({ ids, ...lost }) =>
      Array.from({ length: Math.ceil(ids.length / maxIds) }, (_, part) => ({
        ...common,
        ...lost,
        ids: ids.slice(part * maxIds, (part + 1) * maxIds),
      })),
    );
    if (records.length > 0) await recordsIn(actor).insertMany(records, sessionOf(actor));
  };

/** The records of the deletion whose root is a deleted target. */
export async function recordsOfTarget(actor: ModelActor, target: Target): Promise<readonly StoredRecord[]> {
  const { model } = actor;
  if (!mayCascade(model)) return [];
  const filter = targetFilter(actor, target, { _deleted: true });
  const root = await modelOf(model).collection.findOne<{ readonly _id: unknown; readonly updatedAt: Date }>(filter, {
    projection: { updatedAt: 1 },
    ...sessionOf(actor),
  });
  if (root === null) return [];
  const ofRoot = { model: model.name, root: root._id, at: root.updatedAt };
  const records = recordsIn(actor).find(ofRoot, sessionOf(actor));
  return records.toArray();
}

export async function removeRecords(actor: ModelActor, records: readonly StoredRecord[]): Promise<void> {
  const ids = records.map(({ _id }) => _id);
  await recordsIn(actor).deleteMany({ _id: { $in: ids } }, sessionOf(actor));
}

/** Removes the records of permanently deleted documents, which are never restored. */
export async function removeRecordsOf(actor: ModelActor, ...roots: readonly unknown[]): Promise<void> {
  const { model } = actor;
  const filter = { model: model.name, root: { $in: roots } };
  if (mayCascade(model)) await recordsIn(actor).deleteMany(filter, sessionOf(actor));
}

/** What was deleted together with roots, the last of each first: documents that link to others come before these. */
export async function deletionsWith(actor: ModelActor, roots: readonly unknown[]): Promise<readonly DeletionRecord[]> {
  const { model } = actor;
  if (!mayCascade(model)) return [];
  const filter = { model: model.name, root: { $in: roots }, path: { $exists: false } };
  const records = recordsIn(actor).find(filter, { sort: { _id: -1 }, ...sessionOf(actor) });
  return records.toArray();
}
