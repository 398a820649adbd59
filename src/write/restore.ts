/** Restores what a deletion with `_cascade` took along, together with its root: all of it or nothing. */
import { maySee } from '../policy/decide.ts';
import type { ModelContext } from '../context.ts';
import { forbidden } from '../errors.ts';
import type { Filter } from '../language/filter.ts';
import type { ModelEntry } from '../registry/entry.ts';
import { modelOf, type ClientSession, type Row } from '../registry/mongoose.ts';
import type { Change } from '../services.ts';
import { changed } from './changed.ts';
import { coversAll } from './covers.ts';
import { recordsOfTarget, removeRecords, type DeletionRecord } from './deletions.ts';
import { fromWrite } from './mongoose-errors.ts';
import { stamps } from './remove.ts';
import { missing } from './target.ts';

/** Documents to bring back, or to link again. */
interface Step {
  readonly model: ModelEntry;
  readonly these: Filter;
  readonly event: 'post' | 'put';
  readonly update: Row;
  /** What takes the step back. */
  readonly undo: Row;
}

type Changes = Omit<Change, 'user' | 'silent'>[];

/**
 * Does a write that restores a document, with what went with it, in one transaction where the database has them. Elsewhere what went
 * with the document comes back first and is deleted again when the write fails.
 * @param write of the document itself; null where it is not there any more
 * @throws 403 unless the caller may change everything that comes back
 */
export async function restoring<T>(
  context: ModelContext,
  write: (session: ClientSession | undefined) => Promise<T | null>,
): Promise<T | null> {
  try {
    const records = await recordsOfTarget(context);
    if (records.length === 0) return await write(undefined);
    const { result, changes } = await context.services.inTransaction((session) =>
      restoreAll(context, records, write, session),
    );
    changed(context, changes);
    return result;
  } catch (error) {
    throw fromWrite(error);
  }
}

async function restoreAll<T>(
  context: ModelContext,
  records: readonly DeletionRecord[],
  write: (session: ClientSession | undefined) => Promise<T | null>,
  session: ClientSession | undefined,
): Promise<{ result: T; changes: Changes }> {
  const options = session === undefined ? {} : { session };
  const steps = await stepsFor(context, records, session);
  const done: Step[] = [];
  try {
    for (const step of steps) {
      done.push(step);
      await modelOf(step.model).collection.updateMany(step.these, step.update, options);
    }
    const result = await write(session);
    if (result === null) throw await missing(context, context.grant);
    const changes: Changes = [];
    for (const { model, these, event } of steps)
      for (const row of (await modelOf(model).collection.find(these, options).toArray()) as Row[])
        changes.push({ event, model, id: String(row['_id']), after: row });
    await removeRecords(context, records, session);
    return { result, changes };
  } catch (error) {
    // a transaction takes itself back
    if (session === undefined)
      for (const { model, these, undo } of done.reverse()) await modelOf(model).collection.updateMany(these, undo);
    throw error;
  }
}

async function stepsFor(
  context: ModelContext,
  records: readonly DeletionRecord[],
  session: ClientSession | undefined,
): Promise<readonly Step[]> {
  const steps: Step[] = [];
  for (const record of records) {
    // a model may have left the models folder since
    const model = context.services.registry.served.find(({ name }) => name === record.of);
    if (model === undefined) continue;
    const filter = stateOf(record);
    const found = modelOf(model).collection.find(filter, session === undefined ? {} : { session });
    const rows = (await found.toArray()) as Row[];
    if (rows.length === 0) continue;
    if (!coversAll(context, 'u', model, rows)) throw forbidden(reasonFor(context, model));
    steps.push({ model, these: { _id: { $in: rows.map((row) => row['_id']) } }, ...updatesOf(context, record) });
  }
  return steps;
}

const reasonFor = ({ principal }: ModelContext, model: ModelEntry): string =>
  `${maySee(principal, model) ? model.name : 'another model'} has documents that were deleted with this one, and you may not change them`;

/** The documents of a record that are still as the deletion left them. */
const stateOf = ({ ids, at, path, target }: DeletionRecord): Filter =>
  path === undefined
    ? { _id: { $in: ids }, _deleted: true, updatedAt: at }
    : { _id: { $in: ids }, $and: [{ [path]: { $type: 'array' } }, { [path]: { $ne: target } }] };

function updatesOf(
  context: ModelContext,
  { at, path, target }: DeletionRecord,
): Pick<Step, 'event' | 'update' | 'undo'> {
  const now = stamps(context);
  if (path !== undefined) {
    const update = { $push: { [path]: target }, $set: now, $inc: { __v: 1 } };
    return { event: 'put', update, undo: { $pull: { [path]: target }, $inc: { __v: 1 } } };
  }
  const undo = { $set: { _deleted: true, updatedAt: at }, $inc: { __v: 1 } };
  return { event: 'post', update: { $set: { _deleted: false, ...now }, $inc: { __v: 1 } }, undo };
}
