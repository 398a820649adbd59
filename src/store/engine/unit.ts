/** What one command changed in the store as it is, gathered until it is handed to the group commit. */
import { Binary } from 'bson';
import { encode } from '../values/encode.ts';
import type { Doc, Value } from '../values/types.ts';
import { differenceOf } from './changes/difference.ts';
import type { ChangeEvent, History, Image } from './changes/history.ts';
import type { Collection } from './collection.ts';
import type { Contribution } from './group.ts';
import type { EncodedBytes, Stored } from './stored.ts';
import type { Change } from './view.ts';

/** One change, with what its event tells: taken at once, so that no versions of a document pile up. */
interface Pending {
  readonly collection: Collection;
  readonly id: Value;
  readonly told: { readonly operationType: string; readonly rest: Doc };
  readonly image: Image | undefined;
}

/** Bytes that the work of writing one change counts for, besides its values. */
const changeBytes = 4096;

/** The changes of one command. */
export class Unit {
  #changes: Pending[] = [];
  /** The newest versions of the documents that changed, by sequence; null where one went. */
  #documents = new Map<number, { readonly collection: number; readonly stored: Stored } | null>();
  #weight = 0;
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

  /** About how many bytes it holds that are still to be handed over. */
  get weight(): number {
    return this.#weight;
  }

  change(change: Change): void {
    const { collection, before, after } = change;
    const stored = after ?? before;
    if (stored === undefined) return;
    this.#writes += 1;
    this.#documents.set(stored.sequence, after ? { collection: collection.id, stored: after } : null);
    const pending = pendingOf(change, stored);
    this.#changes.push(pending);
    this.#weight += changeBytes + (pending.image?.bytes ?? 0) + (before === undefined ? stored.size : 0);
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
    for (const [sequence, put] of this.#documents) {
      documents.set(sequence, put && { collection: put.collection, bytes: encoded.of(put.stored) });
    }
    for (const { collection, id, told, image } of this.#changes) {
      history.add(
        collection.db,
        collection.name,
        { ...eventOf(collection, id, told, history), ...this.#origin },
        image,
      );
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
    this.#documents = new Map();
    this.#weight = 0;
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

function pendingOf({ collection, before, after, replaced }: Change, stored: Stored): Pending {
  const common = { collection, id: stored.doc['_id'] };
  if (after === undefined) return { ...common, told: { operationType: 'delete', rest: {} }, image: wholeImage(stored) };
  const whole = { fullDocument: after.doc };
  if (before === undefined) return { ...common, told: { operationType: 'insert', rest: whole }, image: undefined };
  if (replaced) return { ...common, told: { operationType: 'replace', rest: whole }, image: wholeImage(before) };
  const { description, unshared } = differenceOf(before.doc, after.doc);
  return {
    ...common,
    told: { operationType: 'update', rest: { updateDescription: description } },
    image: { doc: before.doc, size: before.size, bytes: unshared },
  };
}

const wholeImage = ({ doc, size }: Stored): Image => ({ doc, size, bytes: size });

const eventOf = (collection: Collection, id: Value, told: Pending['told'], history: History): Doc => ({
  operationType: told.operationType,
  clusterTime: history.tick(),
  wallTime: new Date(),
  ns: { db: collection.db, coll: collection.name },
  documentKey: { _id: id },
  ...told.rest,
});
