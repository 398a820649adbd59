/** What one command changed in the store as it is, gathered until it is handed to the group commit. */
import { Binary } from 'bson';
import { encode } from '../values/encode.ts';
import type { Doc } from '../values/types.ts';
import { differenceOf } from './changes/difference.ts';
import type { ChangeEvent, History } from './changes/history.ts';
import type { Collection } from './collection.ts';
import type { Contribution } from './group.ts';
import type { EncodedBytes, Stored } from './stored.ts';
import type { Change } from './view.ts';

/** The changes of one command. */
export class Unit {
  #changes: Change[] = [];
  #collections = new Map<number, Collection>();
  #dropped: number[] = [];
  #events: ((history: History) => void)[] = [];
  #retries: { readonly session: string; readonly bytes: Uint8Array }[] = [];
  #forgotten: string[] = [];
  #writes = 0;
  #origin: Doc = {};

  /** Nothing was changed. */
  get empty(): boolean {
    return (
      this.#changes.length === 0 &&
      this.#collections.size === 0 &&
      this.#dropped.length === 0 &&
      this.#retries.length === 0 &&
      this.#forgotten.length === 0
    );
  }

  /** Adds `lsid` and `txnNumber` of a transaction to the events of its documents. */
  markTransaction(lsid: Doc, txnNumber: bigint): void {
    this.#origin = { txnNumber, lsid };
  }

  /** How often a document came, changed or went, with what was handed over already. */
  get writes(): number {
    return this.#writes;
  }

  change(change: Change): void {
    this.#writes += 1;
    this.#changes.push(change);
  }

  /** Writes down what a collection is now: its name, collation and indexes. */
  describe(collection: Collection): void {
    this.#collections.set(collection.id, collection);
  }

  drop(collection: Collection): void {
    this.#dropped.push(collection.id);
  }

  /** Something that change streams tell besides documents: a collection or database that went or was renamed. */
  announce(db: string, collection: string, event: Doc): void {
    this.#events.push((history) => announceTo(history, db, collection, event));
  }

  remember(session: string, bytes: Uint8Array): void {
    this.#retries.push({ session, bytes });
  }

  forget(session: string): void {
    this.#forgotten.push(session);
  }

  /** What goes to disk; makes the events. The unit is empty afterwards. */
  finish(encoded: EncodedBytes, history: History): Contribution {
    const first = history.next;
    for (const { db, name } of this.#collections.values()) announceTo(history, db, name, { operationType: 'modify' });
    const documents = new Map<number, { readonly collection: number; readonly bytes: Uint8Array } | null>();
    for (const change of this.#changes) {
      const { after, before, collection } = change;
      const stored = after ?? before;
      if (stored === undefined) continue;
      documents.set(stored.sequence, after ? { collection: collection.id, bytes: encoded.of(after) } : null);
      history.add(collection.db, collection.name, { ...eventOf(change, stored, history), ...this.#origin }, before);
    }
    for (const event of this.#events) event(history);
    const contribution = {
      documents,
      collections: [...this.#collections].map(([id, collection]) => ({ id, bytes: encode(recordOf(collection)) })),
      dropped: this.#dropped,
      events: history
        .from(first, Number.POSITIVE_INFINITY)
        .map(({ sequence, bytes }: ChangeEvent) => ({ sequence, bytes })),
      retries: this.#retries,
      forgottenRetries: this.#forgotten,
    };
    this.#clear();
    return contribution;
  }

  #clear(): void {
    this.#changes = [];
    this.#collections = new Map();
    this.#dropped = [];
    this.#events = [];
    this.#retries = [];
    this.#forgotten = [];
  }
}

/** What is written down of a collection. */
const recordOf = ({ db, name, uuid, collation, indexes }: Collection): Doc => ({
  db,
  name,
  uuid: new Binary(uuid, 4),
  ...(collation ? { collation: collation.shown } : {}),
  indexes: indexes.map((index) => index.shown),
});

function announceTo(history: History, db: string, collection: string, event: Doc): void {
  const ns = collection === '' ? { db } : { db, coll: collection };
  const { operationType, ...rest } = event;
  history.add(db, collection, { operationType, clusterTime: history.tick(), wallTime: new Date(), ns, ...rest });
}

function eventOf({ collection, before, after, replaced }: Change, stored: Stored, history: History): Doc {
  const common = {
    clusterTime: history.tick(),
    wallTime: new Date(),
    ns: { db: collection.db, coll: collection.name },
    documentKey: { _id: stored.doc['_id'] },
  };
  if (after === undefined) return { operationType: 'delete', ...common };
  if (before === undefined) return { operationType: 'insert', ...common, fullDocument: after.doc };
  if (replaced) return { operationType: 'replace', ...common, fullDocument: after.doc };
  return { operationType: 'update', ...common, updateDescription: differenceOf(before.doc, after.doc) };
}
