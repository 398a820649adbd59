/** Restores the root of a deletion with `_cascade` together with its other documents and links: all or nothing. */
import type { ModelActor } from '../context.ts';
import { forbidden } from '../errors/errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { sessionOf } from './commit.ts';
import type { Change } from './contract.ts';
import { type DeletionRecord, recordsOfTarget, removeRecords, type StoredRecord } from './deletions.ts';
import type { Target, WriteIntent } from './intents.ts';
import { fromWrite } from './mutation/mongoose-errors.ts';
import { perform } from './perform.ts';
import { stamps } from './plan/change.ts';
import { coversAll, nameFor } from './rules/covers.ts';
import { missingTargetFailure } from './target.ts';
import { transaction } from './transaction.ts';

type Restoration = Target & WriteIntent;

/**
 * Restores a document and everything deleted with it, as one unit. Without transactions, the other documents are restored first
 * and deleted again if the write fails.
 * @param restoration the document and how it is written
 * @param write restores the document itself; null if it is gone
 * @throws 403 unless the caller may change everything that is restored
 */
export async function restoreCascade<T>(
  actor: ModelActor,
  restoration: Restoration,
  write: (inner: ModelActor) => Promise<T | null>,
): Promise<T | null> {
  try {
    const records = await recordsOfTarget(actor, restoration);
    if (records.length === 0) return await write(actor);
    return await transaction(actor, (inner) => restoreAll(inner, restoration, records, write));
  } catch (error) {
    throw fromWrite(error);
  }
}

async function restoreAll<T>(
  actor: ModelActor,
  restoration: Restoration,
  records: readonly StoredRecord[],
  write: (inner: ModelActor) => Promise<T | null>,
): Promise<T> {
  const mutations = await mutationsFor(actor, records);
  const restoreOthers = async (): Promise<void> => {
    for (const mutation of mutations) await perform(actor, restoration, mutation);
  };
  // in a transaction the root comes first, so that reactions to the others find it; without one last, since the others can be undone
  const isRootFirst = actor.unit?.session !== undefined;
  if (!isRootFirst) await restoreOthers();
  const result = await write(actor);
  if (result === null) throw await missingTargetFailure(actor, restoration);
  if (isRootFirst) await restoreOthers();
  await removeRecords(actor, records);
  return result;
}

/** The documents to restore or to link again. @throws 403 unless the caller may change all of them */
async function mutationsFor(actor: ModelActor, records: readonly DeletionRecord[]): Promise<readonly Change[]> {
  const mutations: Change[] = [];
  for (const record of records) {
    // the model may have been removed from the models folder since
    const model = actor.services.registry.served.find(({ name }) => name === record.of);
    if (model === undefined) continue;
    const found = modelOf(model).collection.find(stateOf(record), sessionOf(actor));
    const rows = (await found.toArray()) as Row[];
    if (rows.length === 0) continue;
    if (!coversAll(actor, 'u', model, rows)) throw forbidden(reasonFor(nameFor(actor, 'u', model, rows)));
    const ids = rows.map((row) => row['_id']);
    mutations.push(mutationOf(actor, record, model, ids));
  }
  return mutations;
}

const reasonFor = (name: string): string =>
  `${name} has documents that were deleted with this one, and you may not change them`;

/** The documents of a record that are unchanged since the deletion. */
const stateOf = ({ ids, at, path, target }: DeletionRecord): Filter =>
  path === undefined
    ? { _id: { $in: ids }, _deleted: true, updatedAt: at }
    : { _id: { $in: ids }, $and: [{ [path]: { $type: 'array' } }, { [path]: { $ne: target } }] };

function mutationOf(
  actor: ModelActor,
  { at, path, target }: DeletionRecord,
  model: ModelEntry,
  ids: readonly unknown[],
): Change {
  const common = { kind: 'change', model, filter: { _id: { $in: ids } } } as const;
  const $inc = { __v: 1 };
  const now = stamps(actor);
  const undoing = (update: Row): Change => ({ ...common, update, event: 'put', many: { before: [] } });
  if (path !== undefined) {
    const update = { $push: { [path]: target }, $set: now, $inc };
    const undo = undoing({ $pull: { [path]: target }, $inc });
    return { ...common, update, event: 'put', many: { after: ids }, undo };
  }
  const update = { $set: { _deleted: false, ...now }, $inc };
  const undo = undoing({ $set: { _deleted: true, updatedAt: at }, $inc });
  return { ...common, update, event: 'post', many: { after: ids }, undo };
}
