/** updateOne, updateMany and replaceOne: each document changed atomically and told; upserts go the way of new documents. */
import { fieldsIn } from '../../access/fields-in.ts';
import type { ModelContext } from '../../context.ts';
import { castId } from '../../registry/cast.ts';
import { notDeleted } from '../../registry/deleted.ts';
import { modelOf, ObjectId, type Row } from '../../registry/mongoose.ts';
import { rowBefore } from '../before.ts';
import { changed } from '../changed.ts';
import { deletedFlag, type DeletedFlag } from '../deleted-flag.ts';
import { newRow } from '../document.ts';
import { withoutLastAdminOf } from '../last-admin.ts';
import type { BulkCounts } from './counts.ts';
import type { BulkOperation } from './operations.ts';
import { matching } from './matching.ts';
import { seedOf, valuesOf } from './upsert.ts';
import type { Update } from './update.ts';

type UpdateOperation = Extract<BulkOperation, { kind: 'update' }>;
type ReplaceOperation = Extract<BulkOperation, { kind: 'replace' }>;

export async function updateMatching(
  context: ModelContext,
  operation: UpdateOperation,
  at: number,
  counts: BulkCounts,
): Promise<void> {
  const { set, flag } = settable(context, operation.update);
  const filter = matching(context, operation.filter, operation.grant, flag.filter);
  const update = { ...operation.update, $set: set };
  const before = counts.nMatched;
  if (operation.many) {
    const rows = (await modelOf(context.model)
      .collection.find(filter, { projection: { _id: 1 } })
      .toArray()) as Row[];
    for (const { _id } of rows) await updateOne(context, { $and: [{ _id }, filter] }, update, flag, counts);
  } else await updateOne(context, filter, update, flag, counts);
  if (counts.nMatched === before && operation.upsert)
    await upsert(context, { ...seedOf(operation.filter), ...valuesOf(update, context.services.clock()) }, at, counts);
}

/** The `$set` with the caller's stamps and what `_deleted` means. */
function settable(context: ModelContext, update: Update): { set: Row; flag: DeletedFlag } {
  const set: Row = { ...update['$set'] };
  const flag = deletedFlag(context, set);
  if (typeof set['_owner_id'] === 'string') set['_owner_id'] = castId('_owner_id', set['_owner_id']);
  const { user } = context.principal;
  return { set: user === undefined ? set : { ...set, _updated_by_id: new ObjectId(user.id) }, flag };
}

async function updateOne(
  context: ModelContext,
  filter: Row,
  update: Row,
  flag: DeletedFlag,
  counts: BulkCounts,
): Promise<void> {
  const { model } = context;
  const inc = { ...(update['$inc'] as Row | undefined), __v: 1 };
  const operators = without(update, ['$setOnInsert']);
  const write = (): Promise<Row | null> =>
    modelOf(model)
      .findOneAndUpdate(
        filter,
        { ...operators, $inc: inc },
        { returnDocument: 'after', runValidators: true, lean: true, context: 'query' },
      )
      .exec();
  const before = await rowBefore(context, filter);
  const after = await withoutLastAdminOf(context, filter, update['$set'] as Row, write);
  if (after === null) return;
  counts.nMatched += 1;
  counts.nModified += 1;
  changed(context, [
    { event: flag.deletes ? 'del' : flag.restores ? 'post' : 'put', model, id: String(after['_id']), before, after },
  ]);
}

/** The stamps of the document stay, everything else is replaced. */
export async function replaceOne(
  context: ModelContext,
  operation: ReplaceOperation,
  at: number,
  counts: BulkCounts,
): Promise<void> {
  const { model } = context;
  const filter = matching(context, operation.filter, operation.grant, notDeleted);
  const fresh = await newRow(context, operation.replacement);
  const fields = without(fresh, ['_id', '_owner_id', 'createdAt', '_deleted', '__v']);
  const { user } = context.principal;
  const own = {
    ...fields,
    updatedAt: context.services.clock(),
    ...(user === undefined ? {} : { _updated_by_id: new ObjectId(user.id) }),
  };
  const kept = {
    _id: '$_id',
    _owner_id: '$_owner_id',
    createdAt: '$createdAt',
    _deleted: '$_deleted',
    __v: { $add: [{ $ifNull: ['$__v', 0] }, 1] },
  };
  const privileges =
    model.name === 'user' && !context.principal.admin
      ? { admin: '$admin', groups: '$groups', password: '$password' }
      : {};
  const write = async (): Promise<Row | null> =>
    await modelOf(model).collection.findOneAndUpdate(
      filter,
      [{ $replaceWith: { $mergeObjects: [{ $literal: own }, { ...kept, ...privileges }] } }],
      { returnDocument: 'after' },
    );
  const before = await rowBefore(context, filter);
  const after = await withoutLastAdminOf(context, filter, { admin: fields['admin'] }, write);
  if (after !== null) {
    counts.nMatched += 1;
    counts.nModified += 1;
    changed(context, [{ event: 'put', model, id: String(after['_id']), before, after }]);
  } else if (operation.upsert)
    await upsert(context, { ...seedOf(operation.filter), ...operation.replacement }, at, counts);
}

async function upsert(context: ModelContext, values: Row, at: number, counts: BulkCounts): Promise<void> {
  const { model, principal } = context;
  const row = await newRow(context, fieldsIn(values, model, principal, false));
  await modelOf(model).collection.insertOne(row);
  counts.nUpserted += 1;
  counts.upsertedIds[String(at)] = String(row['_id']);
  changed(context, [{ event: 'post', model, id: String(row['_id']), after: row }]);
}

const without = (row: Row, names: readonly string[]): Row =>
  Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
