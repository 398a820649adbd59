/** Writes an entry of the history with each write of a document, in its transaction. */
import type { ModelEntry } from '../../models/entry.ts';
import {
  type ClientSession,
  type Collection,
  inSession,
  internalCollection,
  mongo,
  type Row,
} from '../../models/mongoose.ts';
import { recordable } from '../../policy/recordable.ts';
import type { Filter } from '../../query/filter.ts';
import type { Author, Mutation, Recorder, States } from '../../write/contract.ts';
import { type DocumentOperation, operationOf } from '../../write/mutation/row-changes.ts';
import { overtakenError } from '../../write/unit.ts';
import type { RecorderParts } from '../feature.ts';
import { contentOf, digestOf, encodeContent } from './content.ts';
import { type Head, type HeadRow, Heads } from './heads.ts';
import { documentKey, entriesOf, entryKey } from './keys.ts';
import { hasHistory } from './model-options.ts';
import { rowsName } from './models.ts';

/** Every so many revisions, an entry has the whole document, so that reading one reads at most so many. */
export const wholeEvery = 16;

/** The origin of writes that remove documents with their history. */
export const trashOrigin = 'trash';

/** An entry before it has a revision. */
interface NewEntry {
  readonly model: ModelEntry;
  readonly id: string;
  readonly key: string;
  readonly op: DocumentOperation;
  /** Without what no history may hold. */
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  readonly digests: { readonly before?: string | undefined; readonly after?: string | undefined };
  /** When the document was stamped. */
  readonly stamped: unknown;
  readonly author: Author;
}

export class HistoryRecorder implements Recorder<NewEntry> {
  readonly name = 'history';
  readonly #rows: Collection<StoredRow>;
  readonly #heads = new Heads();
  /** The head after an entry that a transaction has written. */
  readonly #after = new WeakMap<NewEntry, Head>();

  constructor(private readonly parts: Pick<RecorderParts, 'registry' | 'clock'>) {
    this.#rows = internalCollection(parts.registry, rowsName);
  }

  needs({ model }: Mutation): boolean {
    return hasHistory(model);
  }

  needsBoth(model: ModelEntry): boolean {
    return hasHistory(model);
  }

  entriesOf(mutation: Mutation, states: States, author: Author): readonly NewEntry[] {
    const { model } = mutation;
    return states.map((state) => {
      const { before, after } = state;
      const id = String((after ?? before)?.['_id']);
      const stamp = after?.['updatedAt'];
      const [then, now] = [before && recordable(model, before), after && recordable(model, after)];
      return {
        model,
        id,
        key: documentKey(model, id),
        op: operationOf(mutation, state),
        before: then,
        after: now,
        digests: { before: then && digestOf(then), after: now && digestOf(now) },
        stamped: String(stamp) === String(before?.['updatedAt']) ? undefined : stamp,
        author,
      };
    });
  }

  async write(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void> {
    const erased = entries.filter(isErasing);
    if (erased.length > 0) await this.#erase(erased, session);
    const kept = entries.filter((entry) => !isErasing(entry));
    if (kept.length === 0) return;
    if (session !== undefined) await this.#writeTogether(kept, session);
    // without transactions, the head counts for concurrent writers
    else for (const entry of kept) await this.#writeOne(entry);
  }

  committed(entries: readonly NewEntry[]): void {
    for (const entry of entries) {
      const head = this.#after.get(entry);
      if (head !== undefined) this.#heads.keep(entry.key, head);
    }
  }

  async #writeOne(entry: NewEntry): Promise<void> {
    const now = this.parts.clock();
    const { key, id } = entry;
    const update = {
      $inc: { rev: 1 },
      $max: { last: timeOf(entry, now) },
      ...digestUpdate(entry),
      $setOnInsert: { document: id },
    };
    const options = { upsert: true, returnDocument: 'before' } as const;
    const head = (await this.#rows.findOneAndUpdate({ _id: key }, update, options)) as Head | null;
    const rev = (head?.rev ?? 0) + 1;
    if (entry.op === 'create' && head !== null) await this.#rows.updateOne({ _id: key }, { $set: { born: rev } });
    await this.#rows.insertOne(rowOf(entry, rev, head ?? undefined, now));
  }

  /** Writes entries and the heads after them by one command. @throws a transient error where a head has changed since it was read */
  async #writeTogether(entries: readonly NewEntry[], session: ClientSession): Promise<void> {
    const now = this.parts.clock();
    const known = await this.#headsBefore(entries, session);
    const heads = new Map(known);
    const rows = entries.map((entry) => {
      const head = heads.get(entry.key);
      const row = rowOf(entry, (head?.rev ?? 0) + 1, head, now);
      const next = headAfter(entry, row, head);
      heads.set(entry.key, next);
      this.#after.set(entry, next);
      return row;
    });
    const ids = new Map(entries.map(({ key, id }) => [key, id]));
    const headRows = [...heads].map(([_id, head]): HeadRow => ({ _id, document: ids.get(_id) ?? '', ...head }));
    try {
      if (known.size === 0) await this.#rows.insertMany([...headRows, ...rows], { session });
      else await this.#replace(known, headRows, rows, session);
    } catch (error) {
      if (!(error instanceof mongo.MongoServerError) || error.code !== duplicateKey) throw error;
      for (const { key } of entries) this.#heads.distrust(key);
      throw overtakenError(error);
    }
  }

  /** The heads of the documents of entries, from memory where what they say of the document is still so. */
  async #headsBefore(entries: readonly NewEntry[], session: ClientSession): Promise<ReadonlyMap<string, Head>> {
    const found = new Map<string, Head>();
    const unknown = new Set<string>();
    const first = new Map(entries.toReversed().map((entry) => [entry.key, entry]));
    for (const [key, { op, digests }] of first) {
      const head = this.#heads.get(key);
      if (head !== undefined && head.digest === digests.before) found.set(key, head);
      // a new document has no history, unless the insert below fails
      else if (op !== 'create' || head !== undefined || this.#heads.isDistrusted(key)) unknown.add(key);
    }
    if (unknown.size === 0) return found;
    const options = { batchSize: unknown.size + 1, session };
    const rows = this.#rows.find<HeadRow>({ _id: { $in: [...unknown] } }, options);
    for (const { _id, document: _, ...head } of await rows.toArray()) found.set(_id, head);
    return found;
  }

  async #replace(
    known: ReadonlyMap<string, Head>,
    heads: readonly HeadRow[],
    rows: readonly EntryRow[],
    session: ClientSession,
  ): Promise<void> {
    const changed = heads.map((head) => {
      const { rev = none, digest = null } = known.get(head._id) ?? {};
      return replacing(head, { rev, digest });
    });
    const added = rows.map((row) => replacing(row, { rev: none }));
    // of one kind, so that the driver sends them by one command
    await this.#rows.bulkWrite([...changed, ...added], { ordered: true, session });
  }

  /** Removes the histories of documents that are removed with them. */
  async #erase(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void> {
    const keys = entries.map(({ key }) => key);
    const all = [...keys.map((key) => entriesOf(key)), { _id: { $in: keys } }];
    await this.#rows.deleteMany({ $or: all }, inSession(session));
  }
}

const isErasing = ({ op, author }: NewEntry): boolean => op === 'remove' && author.origin?.via === trashOrigin;

/** A revision that no row has. */
const none = -1;
const duplicateKey = 11_000;

/** Writes a row in place of that of a state. One in another state is a duplicate key. */
const replacing = ({ _id, ...replacement }: StoredRow, state: Filter) => ({
  replaceOne: { filter: { _id, ...state }, replacement, upsert: true },
});

const digestUpdate = ({ digests: { after } }: NewEntry): object =>
  after === undefined ? { $unset: { digest: '' } } : { $set: { digest: after } };

const headAfter = ({ op, digests: { after } }: NewEntry, row: EntryRow, head: Head | undefined): Head => ({
  rev: row.rev,
  last: row.at,
  ...(after === undefined ? {} : { digest: after }),
  ...(op === 'create' && head !== undefined ? { born: row.rev } : head?.born === undefined ? {} : { born: head.born }),
});

/** An entry as it is stored. */
export interface EntryRow {
  readonly _id: string;
  readonly model: string;
  readonly document: string;
  readonly rev: number;
  readonly at: Date;
  /** Not named `op`, of which a compatible database cannot have an index of several fields. */
  readonly operation: DocumentOperation;
  readonly who?: string;
  readonly by?: string;
  readonly via?: string;
  readonly request_id?: string;
  /** Whether reading the history can begin here. */
  readonly whole?: true;
  readonly content: unknown;
}

/** A row of the collection: an entry, or the head of a history. */
export type StoredRow = EntryRow | HeadRow;

function rowOf(entry: NewEntry, rev: number, head: Head | undefined, now: Date): EntryRow {
  const { model, id, key, op, before, after, digests, author } = entry;
  const { user, origin: { by, via, requestId } = {} } = author;
  // another program may have changed the document since the last entry
  const isForeign = before !== undefined && (head?.digest === undefined || head.digest !== digests.before);
  const isWhole = rev % wholeEvery === 1 || isForeign;
  const time = timeOf(entry, now);
  const content = contentOf(before, after, isWhole);
  return {
    _id: entryKey(key, rev),
    model: model.name,
    document: id,
    rev,
    at: head !== undefined && head.last > time ? head.last : time,
    operation: op,
    ...(user === undefined ? {} : { who: user }),
    ...(by === undefined ? {} : { by }),
    ...(via === undefined ? {} : { via }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(content.before === undefined && before !== undefined ? {} : { whole: true as const }),
    content: encodeContent(content),
  };
}

/** Milliseconds between the stamp of a document and its entry: an older stamp is one that a caller has given. */
const maxDelayMs = 60_000;

/** When the document was stamped, so that it is found by its own time; otherwise now. */
function timeOf({ stamped }: NewEntry, now: Date): Date {
  const delay = stamped instanceof Date ? now.getTime() - stamped.getTime() : -1;
  return stamped instanceof Date && delay >= 0 && delay < maxDelayMs ? stamped : now;
}
