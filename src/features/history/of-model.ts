/** Reads the entries of all documents of a model that a caller may see. */
import { type Filter, type ModelActor, modelOf, policyFor, type Row } from '../../core.ts';
import type { EntriesPage } from './entries-page.ts';
import { documentKey, entriesOf, rowKey } from './keys.ts';
import { entriesIn, optionsOf, pauseOf, rowsIn, seesRemoved, type Subject } from './reading.ts';
import { wholeEvery } from './recorder.ts';
import type { EntryRow } from './rows.ts';
import { rebuild } from './states.ts';
import { VisibleEntries } from './visible.ts';

/** The place of an entry in the list. */
export interface Place {
  readonly at: Date;
  readonly _id: string;
}

/** Which entries of a model are wanted. */
interface OfModel {
  readonly filter: Filter;
  /** The entry after which the page begins. */
  readonly after: Place | undefined;
  readonly page: EntriesPage<Place>;
}

/** An entry without its content. */
type Listed = Omit<EntryRow, 'content'>;

type Pause = () => Promise<void> | undefined;

/** Reads the newest entries of a model that the caller may see, until the page is full. */
export async function readOfModel(actor: ModelActor, asked: OfModel): Promise<void> {
  const { page } = asked;
  const pause = pauseOf(actor);
  let { after } = asked;
  for (let position = 0; !page.isFull; position += page.limit + 1) {
    await pause();
    const rows = await listed(actor, { ...asked, after });
    await addSeen(actor, { rows, position, page, pause });
    const last = rows.at(-1);
    if (last === undefined || rows.length <= page.limit) break;
    after = { at: last.at, _id: last._id };
  }
}

/** One page of rows, the newest first, with one more than the limit. */
function listed(actor: ModelActor, { filter, after, page }: OfModel): Promise<Listed[]> {
  const below =
    after === undefined ? {} : { $or: [{ at: { $lt: after.at } }, { at: after.at, _id: { $lt: after._id } }] };
  const all = { $and: [{ model: actor.model.name }, filter, below] };
  const options = { ...optionsOf(actor), sort: { at: -1, _id: -1 } as const, limit: page.limit + 1 };
  return rowsIn(actor)
    .find<Listed>(all, { ...options, projection: { content: 0 } })
    .toArray();
}

/** Rows of any documents. */
interface Rows {
  readonly rows: readonly Listed[];
  /** The position of the first one in the list. */
  readonly position: number;
  readonly page: EntriesPage<Place>;
  readonly pause: Pause;
}

/** Adds what the caller sees of rows: each document is rebuilt once, whatever the number of its rows. */
async function addSeen(actor: ModelActor, { rows, position, page, pause }: Rows): Promise<void> {
  const subjects = await subjectsOf(actor, [...new Set(rows.map(({ document }) => document))]);
  const positions = new Map<string, number>();
  for (const [at, { _id, document, rev }] of rows.entries())
    if (rev >= (subjects.get(document)?.from ?? Infinity)) positions.set(_id, position + at);
  if (positions.size === 0) return;
  const known = rows.filter(({ _id }) => positions.has(_id));
  let seeing: { readonly subject: Subject; readonly by: VisibleEntries } | undefined;
  for await (const rebuilt of rebuild(entriesIn(actor, { $or: chainsOf(actor, known) }), pause)) {
    const { _id, document, at } = rebuilt.row;
    const [place, subject] = [positions.get(_id), subjects.get(document)];
    if (place === undefined || subject === undefined || !page.mayHave(place)) continue;
    if (seeing?.subject !== subject) seeing = { subject, by: new VisibleEntries(subject, pause) };
    const entry = await seeing.by.entry(rebuilt);
    if (entry !== undefined) page.add(place, { at, _id }, { id: document, ...entry });
  }
}

/** The filters of the entries that rows are rebuilt from: one for each span of revisions of a document. */
function chainsOf({ model }: ModelActor, rows: readonly Listed[]): readonly Filter[] {
  const inOrder = rows.toSorted((one, other) => (one._id < other._id ? -1 : 1));
  const spans: { readonly document: string; readonly from: number; to: number }[] = [];
  for (const { document, rev } of inOrder) {
    const last = spans.at(-1);
    const from = rev - wholeEvery;
    if (last?.document === document && from <= last.to + 1) last.to = rev;
    else spans.push({ document, from, to: rev });
  }
  return spans.map(({ document, from, to }) => entriesOf(documentKey(model, document), from, to));
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
