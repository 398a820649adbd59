/** Reads the entries of histories that a caller may see. */
import {
  type Collection,
  type Filter,
  inSession,
  internalCollection,
  makeYielder,
  type ModelActor,
  modelOf,
  monotonicClock,
  policyFor,
  type Row,
  unknownDocument,
} from '../../core.ts';
import { tookTooLong } from '../../errors/errors.ts';
import { documentId } from '../../models/fields/document-id.ts';
import type { FindCursor } from '../../models/mongoose.ts';
import type { EntriesPage } from './entries-page.ts';
import { documentKey, entriesOf, rowKey } from './keys.ts';
import { rowsName } from './models.ts';
import { wholeEvery } from './recorder.ts';
import type { EntryRow, StoredRow } from './rows.ts';
import { type EntryStates, lastEntry, rebuild } from './states.ts';
import { type View, VisibleEntries } from './visible.ts';

/** The history of one document, as far as a caller may see it. */
export interface Subject extends View {
  readonly id: string;
  readonly key: string;
  /** The first revision that the caller may see: those of an earlier document with this id are for admins. */
  readonly from: number;
}

/** Whether the caller may see what was removed: admins, who read all rows. */
export const seesRemoved = ({ principal, model }: ModelActor): boolean =>
  principal.admin && policyFor(principal, model).extent('r') === 'all';

export const rowsIn = ({ services }: Pick<ModelActor, 'services'>): Collection<StoredRow> =>
  internalCollection(services.registry, rowsName);

/** Options of a read: its time limit, and the transaction that it belongs to. */
export const optionsOf = ({ services, unit }: ModelActor) => ({
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

/** Entries, in the order of documents and revisions. */
export const entriesIn = (actor: ModelActor, filter: Filter): FindCursor<EntryRow> =>
  rowsIn(actor).find<EntryRow>(filter, { ...optionsOf(actor), sort: { _id: 1 } });

/**
 * Awaited between the steps of a long computation: it lets others run, and ends the computation when its time is over, or its caller has left.
 * @throws 503
 */
export function pauseOf({ services, signal }: ModelActor): () => Promise<void> {
  const { settings } = services;
  const elapsed = services.of(monotonicClock);
  const end = elapsed() + settings.query_limits.max_time_ms;
  const pause = makeYielder();
  return async () => {
    await pause();
    if (signal.aborted || elapsed() > end) throw tookTooLong();
  };
}

interface Below {
  readonly subject: Subject;
  /** The revision before which the page begins. */
  readonly below: number | undefined;
  readonly page: EntriesPage<{ readonly rev: number }>;
}

/** Reads the newest entries below a revision that the caller may see, until the page is full. */
export async function readBelow(actor: ModelActor, { subject, below, page }: Below): Promise<void> {
  const newest = below ?? (await lastRevision(actor, subject)) + 1;
  const pause = pauseOf(actor);
  const [min, step] = [subject.from, page.limit + 1];
  for (let upper = newest; upper > min && !page.isFull; upper -= step) {
    await pause();
    const from = Math.max(min, upper - step);
    const seeing = new VisibleEntries(subject, pause);
    let found = 0;
    for await (const rebuilt of rebuild(
      entriesIn(actor, entriesOf(subject.key, from - wholeEvery, upper - 1)),
      pause,
    )) {
      const { rev } = rebuilt.row;
      if (rev < from) continue;
      found += 1;
      const entry = page.mayHave(newest - rev) ? await seeing.entry(rebuilt) : undefined;
      if (entry !== undefined) page.add(newest - rev, { rev }, entry);
    }
    // entries that are not kept any longer
    if (found === 0 && (await lastRevision(actor, subject, from)) === 0) break;
  }
}

/** The newest revision, or the newest one below another; 0 for none. */
async function lastRevision(actor: ModelActor, { key, from }: Subject, below?: number): Promise<number> {
  const last = await lastRow(actor, entriesOf(key, from, below === undefined ? undefined : below - 1));
  return last?.rev ?? 0;
}

const lastRow = (actor: ModelActor, filter: Filter): Promise<EntryRow | null> =>
  rowsIn(actor).findOne<EntryRow>(filter, { ...optionsOf(actor), sort: { _id: -1 } });

/** The revision of a document; undefined where there is no such entry. */
export async function entryOfRevision(
  actor: ModelActor,
  subject: Subject,
  rev: number,
): Promise<EntryStates | undefined> {
  if (rev < subject.from) return undefined;
  const rows = await entriesIn(actor, entriesOf(subject.key, rev - wholeEvery, rev)).toArray();
  const found = await lastEntry(rebuild(rows, pauseOf(actor)));
  return found?.row.rev === rev ? found : undefined;
}

/** The last entry of a time or before it. */
export async function entryAtTime(actor: ModelActor, subject: Subject, time: Date): Promise<EntryStates | undefined> {
  const last = await lastRow(actor, { ...entriesOf(subject.key, subject.from), at: { $lte: time } });
  return last === null ? undefined : entryOfRevision(actor, subject, last.rev);
}

/** The oldest entry. */
export async function oldestEntry(actor: ModelActor, subject: Subject): Promise<EntryStates | undefined> {
  const options = { ...optionsOf(actor), sort: { _id: 1 } as const };
  const first = await rowsIn(actor).findOne<EntryRow>(entriesOf(subject.key, subject.from), options);
  return first === null ? undefined : lastEntry(rebuild([first], pauseOf(actor)));
}
