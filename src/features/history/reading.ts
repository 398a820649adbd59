/** Reads the entries of histories that a caller may see. */
import type { ModelActor } from '../../context.ts';
import { tookTooLong, unknownDocument } from '../../errors.ts';
import { documentId } from '../../models/fields/document-id.ts';
import { type Collection, inSession, internalCollection, modelOf, type Row } from '../../models/mongoose.ts';
import { policyFor } from '../../policy/policy.ts';
import type { Filter } from '../../query/filter.ts';
import { documentKey, entriesOf, rowKey } from './keys.ts';
import { rowsName } from './models.ts';
import { wholeEvery } from './recorder.ts';
import type { EntryRow, StoredRow } from './rows.ts';
import { rebuild, type Rebuilt } from './states.ts';
import { type SeenEntry, seenEntry, type View } from './visible.ts';

/** The history of one document, as far as a caller may see it. */
export interface Subject extends View {
  readonly id: string;
  readonly key: string;
  /** The first revision that the caller may see: those of an earlier document with this id are for admins. */
  readonly from: number;
}

/** Whether the caller may see what was removed: admins, who read all rows. */
const seesRemoved = ({ principal, model }: ModelActor): boolean =>
  principal.admin && policyFor(principal, model).extent('r') === 'all';

const rowsIn = ({ services }: Pick<ModelActor, 'services'>): Collection<StoredRow> =>
  internalCollection(services.registry, rowsName);

/** Options of a read: its time limit, and the transaction that it belongs to. */
const optionsOf = ({ services, unit }: ModelActor) => ({
  maxTimeMS: services.settings.query_limits.max_time_ms,
  ...inSession(unit?.session),
});

/** @param given the id as text @throws 400 for what is no id, 404 for a document that the caller may not read */
export async function subjectOf(actor: ModelActor, given: string | undefined): Promise<Subject> {
  const { model, restrictions } = actor;
  const policy = policyFor(actor.principal, model);
  const _id = documentId(model, 'id', given);
  const id = String(_id);
  const key = documentKey(model, id);
  const filter = policy.filter('r', { _id }, restrictions.hook);
  const current = await modelOf(model).collection.findOne<Row>(filter, optionsOf(actor));
  const first = await rowsIn(actor).findOne({ _id: rowKey(key, 1) }, optionsOf(actor));
  if (current === null && (first === null || !seesRemoved(actor))) throw unknownDocument(model.name, id);
  const from = seesRemoved(actor) ? 1 : (first?.born ?? 1);
  return { policy, current: current ?? undefined, id, key, from };
}

/** Entries of a document, in the order of their revisions. */
const rowsOf = (actor: ModelActor, filter: Filter): Promise<EntryRow[]> =>
  rowsIn(actor)
    .find<EntryRow>(filter, { ...optionsOf(actor), sort: { _id: 1 } })
    .toArray();

/** The revisions from one to another with the documents before and after them. */
async function rebuiltFrom(actor: ModelActor, { key }: Subject, from: number, to: number): Promise<readonly Rebuilt[]> {
  const rows = await rowsOf(actor, entriesOf(key, from - wholeEvery, to));
  return rebuild(rows).filter(({ row }) => row.rev >= from);
}

/** The newest entries below a revision that the caller may see. @returns one more than wanted where there are more */
export async function seenEntriesBelow(
  actor: ModelActor,
  subject: Subject,
  below: number | undefined,
  limit: number,
): Promise<readonly SeenEntry[]> {
  const seen: SeenEntry[] = [];
  let upper = below ?? (await lastRevision(actor, subject)) + 1;
  const beginning = deadlineOf(actor);
  while (upper > subject.from && seen.length <= limit) {
    beginning();
    const from = Math.max(subject.from, upper - limit - 1);
    const found = (await rebuiltFrom(actor, subject, from, upper - 1)).toReversed();
    seen.push(...found.flatMap((entry) => seenEntry(subject, entry) ?? []));
    // entries that are not kept any longer
    if (found.length === 0 && (await lastRevision(actor, subject, from)) === 0) break;
    upper = from;
  }
  return seen.slice(0, limit + 1);
}

/** The newest revision, or the newest one below another; 0 for none. */
async function lastRevision(actor: ModelActor, { key, from }: Subject, below?: number): Promise<number> {
  const last = await lastRow(actor, entriesOf(key, from, below === undefined ? undefined : below - 1));
  return last?.rev ?? 0;
}

const lastRow = (actor: ModelActor, filter: Filter): Promise<EntryRow | null> =>
  rowsIn(actor).findOne<EntryRow>(filter, { ...optionsOf(actor), sort: { _id: -1 } });

/** The revision of a document; undefined where there is no such entry. */
export async function rebuiltAt(actor: ModelActor, subject: Subject, rev: number): Promise<Rebuilt | undefined> {
  if (rev < subject.from) return undefined;
  return (await rebuiltFrom(actor, subject, rev, rev))[0];
}

/** The last entry of a time or before it. */
export async function rebuiltBy(actor: ModelActor, subject: Subject, time: Date): Promise<Rebuilt | undefined> {
  const last = await lastRow(actor, { ...entriesOf(subject.key, subject.from), at: { $lte: time } });
  return last === null ? undefined : rebuiltAt(actor, subject, last.rev);
}

/** The oldest entry. */
export async function firstRebuilt(actor: ModelActor, subject: Subject): Promise<Rebuilt | undefined> {
  const options = { ...optionsOf(actor), sort: { _id: 1 } as const };
  const first = await rowsIn(actor).findOne<EntryRow>(entriesOf(subject.key, subject.from), options);
  return first === null ? undefined : rebuild([first])[0];
}

/** Throws when the time of a read is over: a read that passes over what the caller may not see has no other end. */
function deadlineOf({ services, signal }: ModelActor): () => void {
  const { elapsed, settings } = services;
  const end = elapsed() + settings.query_limits.max_time_ms;
  return () => {
    if (signal.aborted || elapsed() > end) throw tookTooLong();
  };
}

/** Which entries of a model are wanted. */
export interface ModelEntries {
  readonly filter: Filter;
  /** The entry after which the page begins. */
  readonly after: { readonly at: Date; readonly _id: string } | undefined;
  readonly limit: number;
}

/** An entry with its document, and its place in the list. */
export interface SeenOfModel {
  readonly entry: SeenEntry & { readonly id: string };
  readonly place: { readonly at: Date; readonly _id: string };
}

/** The newest entries of a model that the caller may see. @returns one more than wanted where there are more */
export async function seenEntriesOf(actor: ModelActor, wanted: ModelEntries): Promise<readonly SeenOfModel[]> {
  const { limit } = wanted;
  const seen: SeenOfModel[] = [];
  const beginning = deadlineOf(actor);
  let { after } = wanted;
  while (seen.length <= limit) {
    beginning();
    const rows = await pageOf(actor, { ...wanted, after });
    seen.push(...(await seenOf(actor, rows)));
    const last = rows.at(-1);
    if (last === undefined || rows.length <= limit) break;
    after = { at: last.at, _id: last._id };
  }
  return seen.slice(0, limit + 1);
}

/** One page of rows, the newest first, with one more than the limit. */
function pageOf(actor: ModelActor, { filter, after, limit }: ModelEntries): Promise<EntryRow[]> {
  const below =
    after === undefined ? {} : { $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after._id } }] };
  const all = { $and: [{ model: actor.model.name }, filter, below] };
  const options = { ...optionsOf(actor), sort: { at: -1, _id: -1 } as const, limit: limit + 1 };
  return rowsIn(actor).find<EntryRow>(all, options).toArray();
}

/** What the caller sees of rows of any documents. */
async function seenOf(actor: ModelActor, rows: readonly EntryRow[]): Promise<readonly SeenOfModel[]> {
  const subjects = await subjectsOf(actor, [...new Set(rows.map(({ document }) => document))]);
  const known = rows.filter(({ document, rev }) => rev >= (subjects.get(document)?.from ?? Infinity));
  if (known.length === 0) return [];
  const chains = known.map(({ document, rev }) => entriesOf(documentKey(actor.model, document), rev - wholeEvery, rev));
  const chained = await rowsOf(actor, { $or: chains });
  return known.flatMap((row) => {
    const subject = subjects.get(row.document);
    const first = rowKey(subject?.key ?? '', Math.max(0, row.rev - wholeEvery));
    const chain = chained.filter(({ _id }) => _id >= first && _id <= row._id);
    const rebuilt = rebuild(chain).at(-1);
    const entry = subject && rebuilt && seenEntry(subject, rebuilt);
    return entry === undefined ? [] : [{ entry: { id: row.document, ...entry }, place: { at: row.at, _id: row._id } }];
  });
}

/** The documents of which the caller may see the history. */
async function subjectsOf(actor: ModelActor, ids: readonly string[]): Promise<ReadonlyMap<string, Subject>> {
  const { model, restrictions } = actor;
  const policy = policyFor(actor.principal, model);
  const _id = { $in: ids.map((id) => model.idType.parse(id)) };
  const keys = ids.map((id) => documentKey(model, id));
  const firstRows = keys.map((key) => rowKey(key, 1));
  const filter = policy.filter('r', { _id }, restrictions.hook);
  const current = (await modelOf(model).collection.find<Row>(filter, optionsOf(actor)).toArray()).map(
    (row) => [String(row['_id']), row] as const,
  );
  const born = await rowsIn(actor)
    .find({ _id: { $in: firstRows }, born: { $exists: true } }, optionsOf(actor))
    .toArray();
  const [rows, starts] = [new Map(current), new Map(born.map((row) => [row.document, row.born]))];
  const all = seesRemoved(actor);
  return new Map(
    ids.flatMap((id, at) => {
      const row = rows.get(id);
      if (row === undefined && !all) return [];
      return [[id, { policy, current: row, id, key: keys[at] ?? '', from: all ? 1 : (starts.get(id) ?? 1) }]];
    }),
  );
}
