/** Writes an entry of the history with each write of a document, in its transaction. */
import type { ModelEntry } from '../../models/entry.ts';
import { type ClientSession, inSession, internalCollection, type Row } from '../../models/mongoose.ts';
import { recordable } from '../../policy/recordable.ts';
import type { Author, Mutation, Recorder, States } from '../../write/contract.ts';
import { type DocumentOperation, operationOf } from '../../write/mutation/row-changes.ts';
import type { RecorderParts } from '../feature.ts';
import { contentOf, digestOf, encodeContent } from './content.ts';
import { documentKey, entriesOf, entryKey } from './keys.ts';
import { hasHistory } from './model-options.ts';
import { entryModel, headModel } from './models.ts';

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
  /** When the document was stamped. */
  readonly stamped: unknown;
  readonly author: Author;
}

/** The head of a history (`models.ts`), as far as entries depend on it. */
interface Head {
  readonly rev: number;
  readonly at: Date;
  readonly digest?: string;
  readonly born?: number;
}

type Collection = ReturnType<typeof internalCollection>;
type BulkWrites = Parameters<Collection['bulkWrite']>[0];

export class HistoryRecorder implements Recorder<NewEntry> {
  readonly name = 'history';
  readonly #entries: Collection;
  readonly #heads: Collection;

  constructor(private readonly parts: Pick<RecorderParts, 'registry' | 'clock'>) {
    this.#entries = internalCollection(parts.registry, `_${entryModel.name}`);
    this.#heads = internalCollection(parts.registry, `_${headModel.name}`);
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
      return {
        model,
        id,
        key: documentKey(model, id),
        op: operationOf(mutation, state),
        before: before && recordable(model, before),
        after: after && recordable(model, after),
        stamped: String(stamp) === String(before?.['updatedAt']) ? undefined : stamp,
        author,
      };
    });
  }

  async write(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void> {
    const erased = entries.filter(isErasing);
    if (erased.length > 0) await this.#erase(erased, session);
    const kept = entries.filter((entry) => !isErasing(entry));
    const [first] = kept;
    if (first === undefined) return;
    // without transactions, the head counts for concurrent writers
    if (kept.length === 1 || session === undefined) for (const entry of kept) await this.#writeOne(entry, session);
    else await this.#writeMany(kept, session);
  }

  async #writeOne(entry: NewEntry, session: ClientSession | undefined): Promise<void> {
    const options = { upsert: true, returnDocument: 'before', ...inSession(session) } as const;
    const now = this.parts.clock();
    const { key, model, id } = entry;
    const update = {
      $inc: { rev: 1 },
      $max: { at: timeOf(entry, now) },
      ...digestUpdate(entry),
      $setOnInsert: { model: model.name, document: id },
    };
    const head = (await this.#heads.findOneAndUpdate({ _id: key } as never, update, options)) as Head | null;
    const rev = (head?.rev ?? 0) + 1;
    if (entry.op === 'create' && head !== null)
      await this.#heads.updateOne({ _id: key } as never, { $set: { born: rev } }, inSession(session));
    await this.#entries.insertOne(rowOf(entry, rev, head ?? undefined, now) as never, inSession(session));
  }

  async #writeMany(entries: readonly NewEntry[], session: ClientSession): Promise<void> {
    const now = this.parts.clock();
    const ids = [...new Set(entries.map(({ key }) => key))];
    const found = this.#heads.find({ _id: { $in: ids } } as never, { batchSize: ids.length + 1, session });
    const heads = new Map<string, Head>();
    for (const { _id, ...head } of (await found.toArray()) as unknown as (Head & { _id: string })[])
      heads.set(_id, head);
    const rows = entries.map((entry) => {
      const { key } = entry;
      const head = heads.get(key);
      const row = rowOf(entry, (head?.rev ?? 0) + 1, head, now);
      heads.set(key, headAfter(entry, row, head));
      return row;
    });
    const last = new Map(entries.map((entry) => [entry.key, entry]));
    const updates = [...last].map(([key, { model, id }]) => ({
      replaceOne: {
        filter: { _id: key },
        replacement: { model: model.name, document: id, ...heads.get(key) },
        upsert: true,
      },
    }));
    await this.#heads.bulkWrite(updates as unknown as BulkWrites, { ordered: false, session });
    await this.#entries.insertMany(rows as never, { session });
  }

  /** Removes the histories of documents that are removed with them. */
  async #erase(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void> {
    const keys = entries.map(({ key }) => key);
    await this.#entries.deleteMany({ $or: keys.map((key) => entriesOf(key)) }, inSession(session));
    await this.#heads.deleteMany({ _id: { $in: keys } } as never, inSession(session));
  }
}

const isErasing = ({ op, author }: NewEntry): boolean => op === 'remove' && author.origin?.via === trashOrigin;

const digestUpdate = ({ after }: NewEntry): object =>
  after === undefined ? { $unset: { digest: '' } } : { $set: { digest: digestOf(after) } };

const headAfter = ({ op, after }: NewEntry, row: EntryRow, head: Head | undefined): Head => ({
  rev: row.rev,
  at: row.at,
  ...(after === undefined ? {} : { digest: digestOf(after) }),
  ...(op === 'create' && head !== undefined ? { born: row.rev } : head?.born === undefined ? {} : { born: head.born }),
});

/** An entry as it is stored. */
export interface EntryRow {
  readonly _id: string;
  readonly model: string;
  readonly document: string;
  readonly rev: number;
  readonly at: Date;
  readonly op: DocumentOperation;
  readonly who?: string;
  readonly by?: string;
  readonly via?: string;
  readonly request_id?: string;
  /** Whether reading the history can begin here. */
  readonly whole?: true;
  readonly content: unknown;
}

function rowOf(entry: NewEntry, rev: number, head: Head | undefined, now: Date): EntryRow {
  const { model, id, key, op, before, after, author } = entry;
  const { user, origin: { by, via, requestId } = {} } = author;
  // another program may have changed the document since the last entry
  const isForeign = before !== undefined && (head?.digest === undefined || head.digest !== digestOf(before));
  const isWhole = rev % wholeEvery === 1 || isForeign;
  const time = timeOf(entry, now);
  const content = contentOf(before, after, isWhole);
  return {
    _id: entryKey(key, rev),
    model: model.name,
    document: id,
    rev,
    at: head !== undefined && head.at > time ? head.at : time,
    op,
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
