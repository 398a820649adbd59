/**
 * `_cascade=1`: the documents that link to a deleted one go with it, on and on; lists of links only lose the id. Everything is
 * found and checked first, then done in one transaction where the database has them, the outermost documents first elsewhere.
 */
import type { ModelContext } from '../context.ts';
import { forbidden } from '../errors.ts';
import type { Filter } from '../language/filter.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import { notDeleted } from '../registry/deleted.ts';
import type { Link, ModelEntry } from '../registry/entry.ts';
import { modelOf, type ClientSession, type ObjectId, type Row } from '../registry/mongoose.ts';
import type { Change } from '../services.ts';
import { changed } from './changed.ts';
import { coversAll } from './covers.ts';
import { recorder, type Going, type Recorder } from './deletions.ts';
import { checkAdminStays } from './last-admin.ts';
import { deletion, stamps, type Removed } from './remove.ts';
import { missing } from './target.ts';

/** Documents to delete, by model and id, in the order found. */
type Doomed = Map<ModelEntry, Map<string, Row>>;

interface Unlinking {
  readonly model: ModelEntry;
  readonly link: Link;
  readonly ids: readonly unknown[];
}

export async function cascade(context: ModelContext, filter: Row, forGood: boolean): Promise<Removed> {
  let changes: Changes = [];
  try {
    const { removed, done } = await context.services.inTransaction(async (session) => {
      const done: Changes = [];
      // of a transaction that fails nothing stays; without one, what was done before a fault is told
      if (session === undefined) changes = done;
      return { removed: await run(context, filter, forGood, session, done), done };
    });
    changes = done;
    if (removed === undefined) throw await missing(context, context.grant);
    return removed;
  } catch (error) {
    throw fromDatabase(error);
  } finally {
    if (changes.length > 0) changed(context, changes);
  }
}

type Changes = Omit<Change, 'user' | 'silent'>[];

/** @returns undefined when there is no such document, or somebody else had it in the meantime, which only happens without transactions */
async function run(
  context: ModelContext,
  filter: Row,
  forGood: boolean,
  session: ClientSession | undefined,
  changes: Changes,
): Promise<Removed | undefined> {
  const root = (await modelOf(context.model).collection.findOne(filter, options(session))) as Row | null;
  if (root === null) return undefined;
  const doomed: Doomed = new Map([[context.model, new Map([[String(root['_id']), root]])]]);
  const unlinkings = await follow(context, doomed, forGood, session);
  await keepAdmins(doomed, session);
  const mark = forGood ? undefined : deletion(context);
  const record = mark && recorder(context, root['_id'], (mark['$set'] as Row)['updatedAt'], session);
  const unlinked: Record<string, number> = {};
  for (const step of unlinkings) await unlink(context, step, doomed, { session, record, unlinked, changes });
  for (const [model, rows] of doomed)
    await record?.(model, [{ ids: [...rows.values()].filter((row) => row !== root).map((row) => row['_id']) }]);
  const deleted: Record<string, number> = {};
  for (const [model, rows] of [...doomed].reverse()) {
    const others = [...rows.values()].map((row) => row['_id']).filter((id) => id !== root['_id']);
    await destroy(model, { _id: { $in: others } }, mark, session);
    if (forGood && model.name === 'user') await context.services.logins.remove(others as ObjectId[], session);
    deleted[model.name] = rows.size;
    for (const [id, before] of rows) if (before !== root) changes.push({ event: 'del', model, id, before });
  }
  if ((await destroy(context.model, filter, mark, session)) === 0) return undefined;
  if (forGood && context.model.name === 'user')
    await context.services.logins.remove([root['_id'] as ObjectId], session);
  changes.push({ event: 'del', model: context.model, id: String(root['_id']), before: root });
  return { deleted, unlinked };
}

/** @throws 409 when no admin would be left */
async function keepAdmins(doomed: Doomed, session: ClientSession | undefined): Promise<void> {
  for (const [model, rows] of doomed)
    if (model.name === 'user')
      await checkAdminStays(model, { _id: { $in: [...rows.values()].map((row) => row['_id']) } }, session);
}

const options = (session: ClientSession | undefined): { session?: ClientSession } =>
  session === undefined ? {} : { session };

/** Finds all that follows, level by level; cycles end because each document is taken once. */
async function follow(
  context: ModelContext,
  doomed: Doomed,
  forGood: boolean,
  session: ClientSession | undefined,
): Promise<Unlinking[]> {
  const unlinkings: Unlinking[] = [];
  let level: (readonly [ModelEntry, readonly unknown[]])[] = [...doomed].map(([model, rows]) => [
    model,
    [...rows.values()].map((row) => row['_id']),
  ]);
  while (level.length > 0) {
    const next = new Map<ModelEntry, unknown[]>();
    for (const [target, ids] of level)
      for (const { model: name, link } of target.linkedFrom) {
        const model = context.services.registry.internal(name);
        if (link.stamp || model.options.internal) continue;
        if (link.array) unlinkings.push({ model, link, ids });
        else
          (next.get(model) ?? next.set(model, []).get(model) ?? []).push(
            ...(await take(context, doomed, model, link, ids, forGood, session)),
          );
      }
    level = [...next].filter(([, ids]) => ids.length > 0);
  }
  return unlinkings;
}

/** The documents that hold one of the ids in a single link, not taken before; each must be the caller's to delete. */
async function take(
  context: ModelContext,
  doomed: Doomed,
  model: ModelEntry,
  link: Link,
  ids: readonly unknown[],
  forGood: boolean,
  session: ClientSession | undefined,
): Promise<unknown[]> {
  const filter = { [link.path]: { $in: ids }, ...(forGood ? {} : { _deleted: { $ne: true } }) };
  const rows = (await modelOf(model).collection.find(filter, options(session)).toArray()) as Row[];
  const taken = doomed.get(model) ?? new Map<string, Row>();
  const fresh = rows.filter((row) => !taken.has(String(row['_id'])));
  if (fresh.length === 0) return [];
  mayDelete(context, model, fresh);
  doomed.set(model, taken);
  for (const row of fresh) taken.set(String(row['_id']), row);
  return fresh.map((row) => row['_id']);
}

/** @throws 403 unless the caller may delete these documents */
function mayDelete(context: ModelContext, model: ModelEntry, rows: readonly Row[]): void {
  if (!coversAll(context, 'd', model, rows)) throw forbidden(`${model.name} links to this, and you may not delete it`);
}

/** What taking links out of lists adds to. */
interface Progress {
  readonly session: ClientSession | undefined;
  readonly record: Recorder | undefined;
  readonly unlinked: Record<string, number>;
  readonly changes: Changes;
}

async function unlink(
  context: ModelContext,
  { model, link, ids }: Unlinking,
  doomed: Doomed,
  { session, record, unlinked, changes }: Progress,
): Promise<void> {
  const { collection } = modelOf(model);
  const filter = { [link.path]: { $in: ids } };
  const rows = (await collection.find(filter, options(session)).toArray()) as Row[];
  const staying = rows.filter((row) => doomed.get(model)?.has(String(row['_id'])) !== true);
  if (staying.length === 0) return;
  mayDelete(context, model, staying);
  await record?.(model, losses(link, ids, staying));
  const touched = { _id: { $in: staying.map((row) => row['_id']) } };
  const pull = { $pull: { [link.path]: { $in: ids } }, $inc: { __v: 1 } } as Row;
  // the time of a deletion stays with the documents that it marked
  const deleted = { ...touched, _deleted: true } as never;
  if (staying.some((row) => row['_deleted'] === true)) await collection.updateMany(deleted, pull, options(session));
  const active = { ...touched, ...notDeleted } as never;
  await collection.updateMany(active, { ...pull, $set: stamps(context) }, options(session));
  unlinked[model.name] = (unlinked[model.name] ?? 0) + staying.length;
  const after = (await collection.find(touched as never, options(session)).toArray()) as Row[];
  for (const row of after) changes.push({ event: 'put', model, id: String(row['_id']), after: row });
}

/** Which documents lose which id. A list inside of another list cannot be found again, so its links do not come back. */
function losses({ path }: Link, ids: readonly unknown[], rows: readonly Row[]): readonly Going[] {
  const lost = new Map(
    ids.map((target) => [String(target), { path, target: target as ObjectId, ids: [] as unknown[] }]),
  );
  for (const row of rows)
    if (Array.isArray(row[path])) for (const id of new Set(row[path].map(String))) lost.get(id)?.ids.push(row['_id']);
  return [...lost.values()];
}

/** @param mark the update of a soft deletion; undefined deletes for good @returns how many documents were there to delete */
async function destroy(
  model: ModelEntry,
  these: Filter,
  mark: Row | undefined,
  session: ClientSession | undefined,
): Promise<number> {
  const { collection } = modelOf(model);
  if (mark === undefined) return (await collection.deleteMany(these, options(session))).deletedCount;
  return (await collection.updateMany(these, mark, options(session))).matchedCount;
}
