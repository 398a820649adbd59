/** The rows of histories, as they are stored (`models.ts`). */
import {
  type ClientSession,
  type Collection,
  type DocumentOperation,
  inSession,
  internalCollection,
  mongo,
  type Registry,
} from '../../core.ts';
import { transientErrorIn } from '../../write/mutation/failed-unit.ts';
import { overtakenError } from '../../write/unit.ts';
import { entriesOf, rowKey, rowsOf } from './keys.ts';
import { rowsName } from './models.ts';

/** A row without an entry: its revision is not given again after its entry was removed, or the history was forgotten. */
interface Placeholder {
  readonly _id: string;
  /** The id of the document, as text. */
  readonly document: string;
  readonly rev: number;
  /** In the first row: the first revision of the document that exists now, where an earlier one with this id was removed. */
  readonly born?: number;
}

export interface EntryRow extends Placeholder {
  readonly model: string;
  readonly at: Date;
  /** Not named `op`, of which a compatible database cannot have an index of several fields. */
  readonly operation: DocumentOperation;
  readonly who?: string;
  readonly by?: string;
  readonly for?: string;
  readonly via?: string;
  readonly request_id?: string;
  /** Whether reading the history can begin here. */
  readonly whole?: true;
  readonly content: unknown;
  /** Of the document after the write. */
  readonly digest?: string;
}

export type StoredRow = EntryRow | Placeholder;

/** The last row of a document. `at` is missing in a placeholder, `digest` there and in the entry of a removal. */
export type Head = Pick<EntryRow, 'rev' | 'digest'> & Partial<Pick<EntryRow, 'at'>>;

/** What an entry has and a placeholder has not. */
const ofEntries: Readonly<Record<Exclude<keyof EntryRow, keyof Placeholder>, ''>> = {
  ...{ model: '', at: '', operation: '', content: '', digest: '', whole: '' },
  ...{ who: '', by: '', for: '', via: '', request_id: '' },
};
const placeholderUpdate = { $unset: ofEntries };

const duplicateKey = 11_000;

/** Maximum tries without a transaction, in which others may be first again and again. */
const maxTries = 100;

/** Runs work that inserts rows, again where another writer was first. A transaction runs again as a whole. */
export async function retryInserts(session: ClientSession | undefined, work: () => Promise<void>): Promise<void> {
  for (let left = session === undefined ? maxTries : 1; ; left--)
    try {
      return await work();
    } catch (error) {
      if (left <= 1 || transientErrorIn(error) === undefined) throw error;
    }
}

/** The collection of the rows. */
export class HistoryRows {
  readonly #rows: Collection<StoredRow>;

  constructor(registry: Registry) {
    this.#rows = internalCollection(registry, rowsName);
  }

  /** The last row of a document. */
  async last(key: string, session?: ClientSession): Promise<Head | undefined> {
    const options = { projection: { rev: 1, at: 1, digest: 1 }, sort: { _id: -1 }, ...inSession(session) } as const;
    return (await this.#rows.findOne<Head>(rowsOf(key), options)) ?? undefined;
  }

  /** @throws a transient error where another writer has stored one of the revisions */
  async insert(added: readonly StoredRow[], session: ClientSession | undefined): Promise<void> {
    try {
      await this.#rows.insertMany(added, inSession(session));
    } catch (error) {
      throw error instanceof mongo.MongoServerError && error.code === duplicateKey ? overtakenError(error) : error;
    }
  }

  /** Notes in the first row of a document its first revision after it was removed. */
  async noteBirth(
    { key, document, rev }: { readonly key: string; readonly document: string; readonly rev: number },
    session: ClientSession | undefined,
  ): Promise<void> {
    const update = { $set: { born: rev }, $setOnInsert: { document, rev: 1 } };
    // the row may be missing: the history of a removed document ends some time
    await this.#rows.updateOne({ _id: rowKey(key, 1) }, update, { upsert: true, ...inSession(session) });
  }

  /**
   * Removes the entries of a document up to a revision. The first leaves a placeholder, so that a later document with this id does not
   * begin at the first revision again.
   * @returns their number
   */
  async removeEntries(key: string, upTo: number, session?: ClientSession): Promise<number> {
    const options = inSession(session);
    const { modifiedCount } = await this.#rows.updateOne({ _id: rowKey(key, 1) }, placeholderUpdate, options);
    const { deletedCount } = await this.#rows.deleteMany(entriesOf(key, 2, upTo), options);
    return modifiedCount + deletedCount;
  }

  /** Removes what the entries of a removed document have left, unless the document is created again meanwhile. */
  async removePlaceholders(key: string): Promise<void> {
    const _id = rowKey(key, 1);
    const born = (await this.#rows.findOne({ _id }))?.born ?? { $exists: false };
    if ((await this.#rows.findOne(entriesOf(key))) !== null) return;
    await this.#rows.deleteMany(rowsOf(key, 2));
    await this.#rows.deleteOne({ _id, born });
  }

  /** Removes the histories of documents. */
  async removeAll(keys: readonly string[], session: ClientSession | undefined): Promise<void> {
    await this.#rows.deleteMany({ $or: keys.map((key) => rowsOf(key)) }, inSession(session));
  }
}
