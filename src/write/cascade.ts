/**
 * `_cascade=1`: the documents that link to a deleted one go with it, on and on; lists of links only lose the id. Everything is
 * found and checked first, then done in one transaction where the database has them, the outermost documents first elsewhere.
 */
import { decide } from '../access/decide.ts';
import { covers } from '../access/rows.ts';
import type { ModelContext } from '../context.ts';
import { forbidden } from '../errors.ts';
import type { Filter } from '../language/filter.ts';
import { fromDatabase } from '../registry/database-errors.ts';
import type { Link, ModelEntry } from '../registry/entry.ts';
import { modelOf, type ClientSession, type ObjectId, type Row } from '../registry/mongoose.ts';
import type { Change } from '../services.ts';
import { changed } from './changed.ts';
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
  const unlinked: Record<string, number> = {};
  for (const step of unlinkings) await unlink(context, step, doomed, session, unlinked, changes);
  const deleted: Record<string, number> = {};
  for (const [model, rows] of [...doomed].reverse()) {
    const others = [...rows.values()].map((row) => row['_id']).filter((id) => id !== root['_id']);
    await destroy(context, model, { _id: { $in: others } }, forGood, session);
    if (forGood && model.name === 'user') await context.services.logins.remove(others as ObjectId[], session);
    deleted[model.name] = rows.size;
    for (const [id, before] of rows) if (before !== root) changes.push({ event: 'del', model, id, before });
  }
  if ((await destroy(context, context.model, filter, forGood, session)) === 0) return undefined;
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
function mayDelete({ principal }: ModelContext, model: ModelEntry, rows: readonly Row[]): void {
  const grant = decide(principal, 'd', model);
  const own =
    grant !== undefined && rows.every((row) => covers(grant, model, row));
  if (!own) throw forbidden(`${model.name} links to this, and you may not delete it`);
}

async function unlink(
  context: ModelContext,
  { model, link, ids }: Unlinking,
  doomed: Doomed,
  session: ClientSession | undefined,
  unlinked: Record<string, number>,
  changes: Changes,
): Promise<void> {
  const { collection } = modelOf(model);
  const filter = { [link.path]: { $in: ids } };
  const rows = (await collection.find(filter, options(session)).toArray()) as Row[];
  const staying = rows.filter((row) => doomed.get(model)?.has(String(row['_id'])) !== true);
  if (staying.length === 0) return;
  mayDelete(context, model, staying);
  const touched = { _id: { $in: staying.map((row) => row['_id']) } };
  const pull = { $pull: { [link.path]: { $in: ids } }, $set: stamps(context), $inc: { __v: 1 } } as Row;
  await collection.updateMany(touched as never, pull, options(session));
  unlinked[model.name] = (unlinked[model.name] ?? 0) + staying.length;
  const after = (await collection.find(touched as never, options(session)).toArray()) as Row[];
  for (const row of after) changes.push({ event: 'put', model, id: String(row['_id']), after: row });
}

/** @returns how many documents were there to delete */
async function destroy(
  context: ModelContext,
  model: ModelEntry,
  these: Filter,
  forGood: boolean,
  session: ClientSession | undefined,
): Promise<number> {
  const { collection } = modelOf(model);
  if (forGood) return (await collection.deleteMany(these, options(session))).deletedCount;
  return (await collection.updateMany(these, deletion(context), options(session))).matchedCount;
}
