/**
 * A deletion that cascades: it also deletes the documents that link to a deleted one, recursively; lists of links only lose the id. Everything
 * is found and checked first, then done in one transaction where the database has them, otherwise the outermost documents first.
 */
import type { ModelActor } from '../context.ts';
import { forbidden, tooMany } from '../errors/errors.ts';
import { activeFilter } from '../models/deleted.ts';
import { type Link, type ModelEntry, storedLink } from '../models/entry.ts';
import { modelOf, type ObjectId, type Row } from '../models/mongoose.ts';
import { userData } from '../ports/core.ts';
import type { Filter } from '../query/filter.ts';
import { ofKindsWith } from '../query/kind-filter.ts';
import { sessionOf, writerOf } from './commit.ts';
import type { UnitOfWork } from './contract.ts';
import { deletePermanently, deleteSoftly } from './delete-one.ts';
import { type AffectedDocuments, type Recorder, recorder } from './deletions.ts';
import type { RemoveIntent } from './intents.ts';
import { perform } from './perform.ts';
import { softDeletion, stamps } from './plan/change.ts';
import { coversAll, nameFor } from './rules/covers.ts';
import { checkAdminRemains } from './rules/user-rules.ts';
import { missingTargetFailure } from './target.ts';
import { transaction } from './transaction.ts';

/** The number of deleted documents of each model, and of documents that lost a link from a list. */
export interface CascadeCounts {
  readonly deleted: Readonly<Record<string, number>>;
  readonly unlinked: Readonly<Record<string, number>>;
}

/** The actor, in the unit of work of the cascade. */
type InUnit = ModelActor & { readonly unit: UnitOfWork };

/** The documents that a cascade has found so far. */
interface Cascade {
  readonly actor: InUnit;
  readonly intent: RemoveIntent;
  /** Documents to delete, by model and id, in the order found. */
  readonly doomed: Map<ModelEntry, Map<string, Row>>;
}

interface Unlinking {
  readonly model: ModelEntry;
  readonly link: Link;
  readonly ids: readonly unknown[];
}

/** @throws 403, 404, 409. Without transactions, deletions before a failure stay and are published */
export const cascade = (actor: ModelActor, intent: RemoveIntent, filter: Row): Promise<CascadeCounts> =>
  transaction(actor, (inner) => run(inner, intent, filter));

async function run(actor: InUnit, intent: RemoveIntent, filter: Row): Promise<CascadeCounts> {
  const root = await modelOf(actor.model).collection.findOne<Row>(filter, sessionOf(actor));
  if (root === null) throw await missingTargetFailure(actor, intent);
  const doomed: Cascade['doomed'] = new Map([[actor.model, new Map([[String(root['_id']), root]])]]);
  const found: Cascade = { actor, intent, doomed };
  const unlinkings = await follow(found);
  await requireRemainingAdmin(found);
  const mark = intent.permanently ? undefined : softDeletion(actor);
  const record = mark && recorder(actor, root['_id'], (mark['$set'] as { readonly updatedAt: Date }).updatedAt);
  const unlinked: Record<string, number> = {};
  for (const unlinking of unlinkings) {
    const count = await unlink(found, unlinking, record);
    if (count > 0) unlinked[unlinking.model.name] = (unlinked[unlinking.model.name] ?? 0) + count;
  }
  const othersIn = (rows: ReadonlyMap<string, Row>): readonly Row[] => [...rows.values()].filter((row) => row !== root);
  for (const [model, rows] of doomed) await record?.(model, [{ ids: othersIn(rows).map((row) => row['_id']) }]);
  for (const [model, rows] of [...doomed].reverse()) await destroy(found, model, othersIn(rows), mark);
  // a reaction to the others may have changed it in the same transaction, and so its revision
  const own = actor.unit.session === undefined ? filter : { _id: root['_id'] };
  const deleted = await (mark === undefined
    ? deletePermanently(actor, intent, own)
    : deleteSoftly(actor, intent, own, mark));
  // another caller has changed it meanwhile, which only happens without transactions
  if (deleted === null) throw await missingTargetFailure(actor, intent);
  return { deleted: Object.fromEntries([...doomed].reverse().map(([{ name }, { size }]) => [name, size])), unlinked };
}

/** @throws 409 when no admin would remain */
async function requireRemainingAdmin({ actor, doomed }: Cascade): Promise<void> {
  for (const [model, rows] of doomed)
    if (model.name === 'user')
      await checkAdminRemains(model, { _id: { $in: [...rows.values()].map((row) => row['_id']) } }, actor.unit.session);
}

/** Finds all linking documents, level by level. Cycles end because each document is visited once. */
async function follow(found: Cascade): Promise<Unlinking[]> {
  const unlinkings: Unlinking[] = [];
  let level: (readonly [ModelEntry, readonly unknown[]])[] = [...found.doomed].map(([model, rows]) => [
    model,
    [...rows.values()].map((row) => row['_id']),
  ]);
  while (level.length > 0) {
    const next = new Map<ModelEntry, unknown[]>();
    for (const [target, ids] of level)
      for (const { model: name, link } of target.linkedFrom) {
        const model = found.actor.services.registry.internal(name);
        if (link.stamp || model.options.internal) continue;
        const step = { model, link, ids: ids.map((id) => storedLink(link, id)) };
        if (link.array) unlinkings.push(step);
        else (next.get(model) ?? next.set(model, []).get(model) ?? []).push(...(await take(found, step)));
      }
    level = [...next].filter(([, ids]) => ids.length > 0);
  }
  return unlinkings;
}

/** The documents that a link leads from to one of the ids. */
const linkingTo = ({ path }: Link, { schema }: ModelEntry, ids: readonly unknown[]): Filter => ({
  [path]: { $in: ids },
  ...ofKindsWith(path, schema),
});

/** Documents that a cascade deletes, or that lose a link by one step of it. They are in memory together, and in one transaction. */
const maxDocuments = 20_000;

/** @throws 400 for too many */
async function linkedRows(actor: InUnit, model: ModelEntry, filter: Filter): Promise<Row[]> {
  const options = { limit: maxDocuments + 1, ...sessionOf(actor) };
  const rows = (await modelOf(model).collection.find(filter, options).toArray()) as Row[];
  if (rows.length > maxDocuments) throw tooMany('documents that link to those of a cascade', maxDocuments);
  return rows;
}

/** The unvisited documents with a single link to one of the ids; the caller must have the right to delete each. */
async function take({ actor, doomed, intent }: Cascade, { model, link, ids }: Unlinking): Promise<unknown[]> {
  const filter = { ...linkingTo(link, model, ids), ...(intent.permanently ? {} : { _deleted: { $ne: true } }) };
  const rows = await linkedRows(actor, model, filter);
  const taken = doomed.get(model) ?? new Map<string, Row>();
  const fresh = rows.filter((row) => !taken.has(String(row['_id'])));
  if (fresh.length === 0) return [];
  const count = [...doomed.values()].reduce((sum, { size }) => sum + size, fresh.length);
  if (count > maxDocuments) throw tooMany('documents that a cascade deletes', maxDocuments);
  mayDelete(actor, model, fresh);
  doomed.set(model, taken);
  for (const row of fresh) taken.set(String(row['_id']), row);
  return fresh.map((row) => row['_id']);
}

/** @throws 403 unless the caller may delete these documents */
function mayDelete(actor: ModelActor, model: ModelEntry, rows: readonly Row[]): void {
  if (!coversAll(actor, 'd', model, rows))
    throw forbidden(`${nameFor(actor, 'd', model, rows)} links to this, and you may not delete it`);
}

/** Removes ids from a list of links. @returns the number of documents that lose one */
async function unlink(
  { actor, doomed, intent }: Cascade,
  step: Unlinking,
  record: Recorder | undefined,
): Promise<number> {
  const { model, link, ids } = step;
  const linking = await linkedRows(actor, model, linkingTo(link, model, ids));
  const rows = linking.filter((row) => doomed.get(model)?.has(String(row['_id'])) !== true);
  if (rows.length === 0) return 0;
  mayDelete(actor, model, rows);
  await record?.(model, losses(link, ids, rows));
  const pull = { $pull: { [link.path]: { $in: ids } }, $inc: { __v: 1 } } as Row;
  const common = { kind: 'change', model, event: 'put' } as const;
  const idsWhere = (isDeleted: boolean): unknown[] =>
    rows.filter((row) => (row['_deleted'] === true) === isDeleted).map((row) => row['_id']);
  const [deleted, active] = [idsWhere(true), idsWhere(false)];
  if (deleted.length > 0) {
    // the time of a deletion identifies the documents that it marked
    const filter = { _id: { $in: deleted }, _deleted: true };
    await perform(actor, intent, { ...common, filter, update: pull, many: { after: deleted } });
  }
  if (active.length > 0) {
    const filter = { _id: { $in: active }, ...activeFilter };
    const update = { ...pull, $set: stamps(actor) };
    await perform(actor, intent, { ...common, filter, update, many: { after: active } });
  }
  return rows.length;
}

/** The documents that lose an id. Lists inside of lists are not recorded, so their links are not restored. */
function losses({ path }: Link, ids: readonly unknown[], rows: readonly Row[]): readonly AffectedDocuments[] {
  const lost = new Map(
    ids.map((target) => [String(target), { path, target: target as ObjectId, ids: [] as unknown[] }]),
  );
  for (const row of rows)
    if (Array.isArray(row[path])) for (const id of new Set(row[path].map(String))) lost.get(id)?.ids.push(row['_id']);
  return [...lost.values()];
}

/** Deletes the documents that follow the root. @param mark the update of a soft deletion; undefined deletes permanently */
async function destroy(
  { actor, intent }: Cascade,
  model: ModelEntry,
  rows: readonly Row[],
  mark: Row | undefined,
): Promise<void> {
  if (rows.length === 0) return;
  const ids = rows.map((row) => row['_id']);
  const these = { model, filter: { _id: { $in: ids } } };
  if (mark === undefined) await perform(actor, intent, { ...these, kind: 'remove', many: { before: rows } });
  else await perform(actor, intent, { ...these, kind: 'change', update: mark, event: 'del', many: { before: rows } });
  if (mark === undefined && model.name === 'user')
    await actor.services.of(userData).removeAll(ids as ObjectId[], writerOf(actor, intent));
}
