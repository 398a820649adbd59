/** What one command changed in the store as it is, gathered until it is handed to the group commit. */
import { Binary } from 'bson';
import { encode } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
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

/** A step of a command that can be taken back: the change of a document, or a function that undoes anything else. */
export type Step = Change | (() => void);

/** The changes of one command. */
export class Unit {
  #changes: Pending[] = [];
  #steps: Step[] = [];
  #failure: Error | undefined;
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

  /** A document was changed. */
  change(change: Change): void {
    this.#addStep(change);
    this.record(change);
  }

  /** Changes of one document in a row are one step, so that a step does not keep each version of a growing document. */
  #addStep(change: Change): void {
    const last = this.#steps.at(-1);
    const continues =
      typeof last === 'object' &&
      last.collection === change.collection &&
      last.after !== undefined &&
      last.after === change.before;
    if (continues) this.#steps[this.#steps.length - 1] = { ...change, before: last.before };
    else this.#steps.push(change);
  }

  /** A document was changed by a step of its own, which takes it back, too. */
  record(change: Change): void {
    const { collection, before, after } = change;
    const stored = after ?? before;
    if (stored === undefined) return;
    this.#writes += 1;
    this.#documents.set(stored.sequence, after ? { collection: collection.id, stored: after } : null);
    const pending = pendingOf(change, stored);
    this.#changes.push(pending);
    this.#weight += changeBytes + (pending.image?.bytes ?? 0) + (before === undefined ? stored.size : 0);
  }

  /** Changes something else than a document. @throws the failure of the unit */
  alter(apply: () => void, undo: () => void): void {
    this.check();
    apply();
    this.#steps.push(undo);
  }

  /** @throws the failure of the unit: its changes were taken back, and no more may follow */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Refuses all further changes, and gives those that are to be taken back. The unit is empty afterwards. */
  fail(failure: Error): readonly Step[] {
    this.#failure ??= failure;
    const steps = this.#steps;
    this.#clear();
    return steps;
  }

  /** Why the unit takes no changes any more. */
  get failure(): Error | undefined {
    return this.#failure;
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

  /** Keeps the answer of a session's retryable write. */
  remember(session: string, bytes: Uint8Array, undo: () => void): void {
    this.#retries.push({ session, bytes });
    this.#steps.push(undo);
  }

  /** Drops what is kept of a session. */
  forget(session: string, undo: () => void): void {
    this.#forgotten.push(session);
    this.#steps.push(undo);
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
      firstEvent: first,
      steps: this.#steps,
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
    this.#steps = [];
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
