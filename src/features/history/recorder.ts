/** Writes an entry of the history with each write of a document, in its transaction. */
import { makeKeyedMutex } from '../../async/keyed-mutex.ts';
import {
  type Author,
  type ClientSession,
  type DocumentOperation,
  makeYielder,
  type ModelEntry,
  operationOf,
  type Recorder,
  type RecorderParts,
  type Row,
  type States,
} from '../../core.ts';
import { recordableRow } from '../../policy/recordable.ts';
import { maxTimerMs } from '../../text/durations.ts';
import { contentOf, digestOf, encodeContent } from './content.ts';
import { Heads } from './heads.ts';
import { documentKey, rowKey } from './keys.ts';
import { hasHistory } from './model-options.ts';
import { type EntryRow, type Head, HistoryRows, retryInserts } from './rows.ts';

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
  readonly state: States[number];
  /** When the document was stamped. */
  readonly stamped: unknown;
  /** Whether the document had this stamp before the write. */
  readonly isStampOld: boolean;
  readonly author: Author;
}

/** What an entry has of a document: without what no history may hold. */
interface Images {
  readonly before: Row | undefined;
  readonly after: Row | undefined;
  readonly digests: { readonly before: string | undefined; readonly after: string | undefined };
}

type Prepared = NewEntry & Images;
type Pause = () => Promise<void> | undefined;

export class HistoryRecorder implements Recorder<NewEntry> {
  readonly name = 'history';
  readonly #rows: HistoryRows;
  readonly #heads = new Heads();
  /** The entries of a document have the order of its writes, as far as this server writes it. */
  readonly #inOrder = makeKeyedMutex({ maxWaitMs: maxTimerMs });
  /** The head after an entry that a transaction has written. */
  readonly #after = new WeakMap<NewEntry, Head>();
  readonly #images = new WeakMap<NewEntry, Images>();

  constructor(private readonly parts: Pick<RecorderParts, 'registry' | 'clock'>) {
    this.#rows = new HistoryRows(parts.registry);
  }

  mayNeed(model: ModelEntry): boolean {
    return hasHistory(model);
  }

  needs(): boolean {
    return true;
  }

  needsBoth(): boolean {
    return true;
  }

  entriesOf(model: ModelEntry, states: States, author: Author): readonly NewEntry[] {
    return states.map((state) => {
      const { before, after } = state;
      const id = String((after ?? before)?.['_id']);
      const stamp = after?.['updatedAt'];
      return {
        model,
        id,
        key: documentKey(model, id),
        op: operationOf(state),
        state,
        stamped: stamp,
        isStampOld: isSameTime(stamp, before?.['updatedAt']),
        author,
      };
    });
  }

  async write(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void> {
    const erased = entries.filter(isErasing);
    if (erased.length > 0)
      await this.#rows.removeAll(
        erased.map(({ key }) => key),
        session,
      );
    const kept = entries.filter((entry) => !isErasing(entry));
    if (kept.length === 0) return;
    if (session !== undefined) await this.#insert(kept, session);
    // without a transaction, each entry that is written stays
    else for (const entry of kept) await this.#inOrder(entry.key, () => this.#insertAlone(entry));
  }

  committed(entries: readonly NewEntry[]): void {
    for (const entry of entries) {
      const head = this.#after.get(entry);
      if (head !== undefined) this.#heads.keep(entry.key, head);
    }
  }

  async #insertAlone(entry: NewEntry): Promise<void> {
    await retryInserts(undefined, () => this.#insert([entry], undefined));
    this.committed([entry]);
  }

  /** Writes entries by one command. @throws a transient error where another writer has stored one of their revisions */
  async #insert(entries: readonly NewEntry[], session: ClientSession | undefined): Promise<void> {
    const now = this.parts.clock();
    const pause = makeYielder();
    const prepared = await this.#prepare(entries, pause);
    const heads = await this.#headsBefore(prepared, session);
    const born = new Map<string, EntryRow>();
    const rows: EntryRow[] = [];
    for (const [at, entry] of prepared.entries()) {
      const { key, op } = entry;
      const head = heads.get(key);
      const row = await rowOf(entry, head, { now, pause });
      if (op === 'create' && head !== undefined) born.set(key, row);
      heads.set(key, row);
      this.#after.set(entries[at] as NewEntry, headOf(row));
      rows.push(row);
    }
    try {
      await this.#noteBirths(born, rows, session);
      await this.#rows.insert(rows, session);
    } catch (error) {
      for (const { key } of entries) this.#heads.distrust(key);
      throw error;
    }
  }

  /** The images of entries, made once for all tries of a write. */
  async #prepare(entries: readonly NewEntry[], pause: Pause): Promise<readonly Prepared[]> {
    const prepared: Prepared[] = [];
    for (const entry of entries) {
      const images = this.#images.get(entry) ?? (await imagesOf(entry, pause));
      this.#images.set(entry, images);
      prepared.push({ ...entry, ...images });
    }
    return prepared;
  }

  /** The heads of the documents of entries, from memory where what they say of the document is still so. */
  async #headsBefore(entries: readonly Prepared[], session: ClientSession | undefined): Promise<Map<string, Head>> {
    const found = new Map<string, Head>();
    for (const { key, op, digests } of new Map(entries.toReversed().map((entry) => [entry.key, entry])).values()) {
      const kept = this.#heads.get(key);
      const isKept = kept !== undefined && kept.digest === digests.before;
      // a new document has no history, unless its first row is there
      const isNew = op === 'create' && kept === undefined && !this.#heads.isDistrusted(key);
      const head = isKept ? kept : isNew ? undefined : await this.#rows.last(key, session);
      if (head !== undefined) found.set(key, head);
    }
    return found;
  }

  /**
   * Notes in the first rows of documents that were removed and are created again where their entries begin.
   * @param born their first entries, by the keys of the documents
   * @param rows that are about to be inserted
   */
  async #noteBirths(
    born: ReadonlyMap<string, EntryRow>,
    rows: EntryRow[],
    session: ClientSession | undefined,
  ): Promise<void> {
    for (const [key, { document, rev }] of born) {
      const at = rows.findIndex(({ _id }) => _id === rowKey(key, 1));
      const row = rows[at];
      if (row !== undefined) rows[at] = { ...row, born: rev };
      else await this.#rows.noteBirth({ key, document, rev }, session);
    }
  }
}

const isErasing = ({ op, author }: NewEntry): boolean => op === 'remove' && author.origin?.via === trashOrigin;

const headOf = ({ rev, at, digest }: EntryRow): Head => ({ rev, at, ...(digest === undefined ? {} : { digest }) });

/** Whether two stamps are of the same millisecond; other values are of none. */
const isSameTime = (one: unknown, other: unknown): boolean =>
  one instanceof Date && other instanceof Date && one.getTime() === other.getTime();

async function imagesOf({ model, state }: NewEntry, pause: Pause): Promise<Images> {
  const image = async (row: Readonly<Row> | undefined): Promise<readonly [Row?, string?]> => {
    if (row === undefined) return [];
    await pause();
    const recorded = recordableRow(model, row);
    await pause();
    return [recorded, digestOf(recorded)];
  };
  const [[before, digestBefore], [after, digestAfter]] = [await image(state.before), await image(state.after)];
  return { before, after, digests: { before: digestBefore, after: digestAfter } };
}

interface Making {
  readonly now: Date;
  readonly pause: Pause;
}

/** @param head of the document before the entry */
async function rowOf(entry: Prepared, head: Head | undefined, { now, pause }: Making): Promise<EntryRow> {
  const { model, id, key, op, before, after, digests, author } = entry;
  const { user, origin: { by, for: person, via, requestId } = {} } = author;
  const rev = (head?.rev ?? 0) + 1;
  // another program may have changed the document since the last entry
  const isForeign = before !== undefined && (head?.digest === undefined || head.digest !== digests.before);
  const isWhole = rev % wholeEvery === 1 || isForeign;
  const time = timeOf(entry, now);
  await pause();
  const content = contentOf(before, after, isWhole);
  await pause();
  return {
    _id: rowKey(key, rev),
    model: model.name,
    document: id,
    rev,
    at: head?.at !== undefined && head.at > time ? head.at : time,
    operation: op,
    ...(user === undefined ? {} : { who: user }),
    ...(by === undefined ? {} : { by }),
    ...(person === undefined ? {} : { for: person }),
    ...(via === undefined ? {} : { via }),
    ...(requestId === undefined ? {} : { request_id: requestId }),
    ...(content.before === undefined && before !== undefined ? {} : { whole: true as const }),
    ...(digests.after === undefined ? {} : { digest: digests.after }),
    content: encodeContent(content),
  };
}

/** Milliseconds between the stamp of a document and its entry: an older stamp is one that a caller has given. */
const maxDelayMs = 60_000;
/** The same for a stamp that the document had before: two writes within a millisecond have the same one. */
const maxDelayOfOldMs = 1000;

/** When the document was stamped, so that it is found by its own time; otherwise now. */
function timeOf({ stamped, isStampOld }: NewEntry, now: Date): Date {
  const delay = stamped instanceof Date ? now.getTime() - stamped.getTime() : -1;
  const max = isStampOld ? maxDelayOfOldMs : maxDelayMs;
  return stamped instanceof Date && delay >= 0 && delay < max ? stamped : now;
}
