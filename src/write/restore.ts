/** Restores the root of a deletion with `_cascade` together with its other documents and links: all or nothing. */
import type { ModelContext } from '../context.ts';
import { forbidden } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import { maySee } from '../policy/grants.ts';
import type { Filter } from '../query/filter.ts';
import { commit, sessionOf, transaction } from './commit.ts';
import type { UpdateMany } from './contract.ts';
import { coversAll } from './covers.ts';
import { type DeletionRecord, recordsOfTarget, removeRecords } from './deletions.ts';
import { fromWrite } from './mongoose-errors.ts';
import { stamps } from './stamps.ts';
import { missing } from './target.ts';
import { writerOf } from './writer.ts';

/**
 * Restores a document and everything deleted with it, as one unit. Without transactions, the other documents are restored first
 * and deleted again if the write fails.
 * @param write restores the document itself; null if it is gone
 * @throws 403 unless the caller may change everything that is restored
 */
export async function restoring<T>(
  context: ModelContext,
  write: (inner: ModelContext) => Promise<T | null>,
): Promise<T | null> {
  try {
    const records = await recordsOfTarget(context);
    if (records.length === 0) return await write(context);
    return await transaction(context, (inner) => restoreAll(inner, records, write));
  } catch (error) {
    throw fromWrite(error);
  }
}

async function restoreAll<T>(
  context: ModelContext,
  records: readonly DeletionRecord[],
  write: (inner: ModelContext) => Promise<T | null>,
): Promise<T> {
  for (const mutation of await mutationsFor(context, records)) await commit(writerOf(context), mutation);
  const result = await write(context);
  if (result === null) throw await missing(context, context.grant);
  await removeRecords(context, records);
  return result;
}

/** The documents to restore or to link again. @throws 403 unless the caller may change all of them */
async function mutationsFor(context: ModelContext, records: readonly DeletionRecord[]): Promise<readonly UpdateMany[]> {
  const mutations: UpdateMany[] = [];
  for (const record of records) {
    // the model may have been removed from the models folder since
    const model = context.services.registry.served.find(({ name }) => name === record.of);
    if (model === undefined) continue;
    const found = modelOf(model).collection.find(stateOf(record), sessionOf(context));
    const rows = (await found.toArray()) as Row[];
    if (rows.length === 0) continue;
    if (!coversAll(context, 'u', model, rows)) throw forbidden(reasonFor(context, model));
    const ids = rows.map((row) => row['_id']);
    mutations.push(mutationOf(context, record, model, ids));
  }
  return mutations;
}

const reasonFor = ({ principal }: ModelContext, model: ModelEntry): string =>
  `${maySee(principal, model) ? model.name : 'another model'} has documents that were deleted with this one, and you may not change them`;

/** The documents of a record that are unchanged since the deletion. */
const stateOf = ({ ids, at, path, target }: DeletionRecord): Filter =>
  path === undefined
    ? { _id: { $in: ids }, _deleted: true, updatedAt: at }
    : { _id: { $in: ids }, $and: [{ [path]: { $type: 'array' } }, { [path]: { $ne: target } }] };

function mutationOf(
  context: ModelContext,
  { at, path, target }: DeletionRecord,
  model: ModelEntry,
  ids: readonly unknown[],
): UpdateMany {
  const common = { kind: 'updateMany', model, filter: { _id: { $in: ids } } } as const;
  const $inc = { __v: 1 };
  const now = stamps(context);
  const undoing = (update: Row): UpdateMany => ({ ...common, update, event: 'put', images: { before: [] } });
  if (path !== undefined) {
    const update = { $push: { [path]: target }, $set: now, $inc };
    const undo = undoing({ $pull: { [path]: target }, $inc });
    return { ...common, update, event: 'put', images: { after: ids }, undo };
  }
  const update = { $set: { _deleted: false, ...now }, $inc };
  const undo = undoing({ $set: { _deleted: true, updatedAt: at }, $inc });
  return { ...common, update, event: 'post', images: { after: ids }, undo };
}
