/** The changes of one command, collected until they are submitted to the group commit. */
import type { Doc, Value } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { differenceOf } from './changes/difference.ts';
import { type ChangeEvent, type Image, postImage, preImage } from './changes/event.ts';
import { withoutReport } from './changes/expanded.ts';
import type { History } from './changes/history.ts';
import type { Collection } from './collection.ts';
import { recordOf } from './collection-record.ts';
import type { ChangedDocument, GroupPart } from './group-commit.ts';
import { sameVersion, type StoredDocument } from './stored-document.ts';
import type { StoredTree } from './tree.ts';
import type { Change, Step } from './view.ts';
import { type ViewDefinition, viewRecord } from './view-definition.ts';

/**
 * One change with the data of its event. The event data is computed at once, so that no versions of a document
 * accumulate.
 */
interface Pending {
  readonly collection: Collection;
  readonly id: Value;
  readonly event: { readonly operationType: string; readonly rest: Doc };
  readonly image: Image | undefined;
}

/** A collection or view whose record changes. */
interface Described {
  readonly db: string;
  readonly name: string;
  readonly record: () => Doc;
  /** The change events of its creation, indexes and options. */
  readonly events: readonly Doc[];
}

/** Overhead in bytes of one change, besides its values. */
const changeBytes = 4096;

/** The changes of one command. */
export class WriteBatch {
  #changes: Pending[] = [];
  #steps: Step[] = [];
  #failure: Error | undefined;
  /** The latest versions of the changed documents, by sequence. */
  #documents = new Map<number, ChangedDocument>();
  #weight = 0;
  #collections = new Map<number, Described>();
  #dropped: number[] = [];
  #droppedTrees: StoredTree[] = [];
  #events: ((history: History) => void)[] = [];
  #retries: { readonly session: string; readonly bytes: Uint8Array }[] = [];
  #removedRetries: string[] = [];
  #writes = 0;
  #origin: Doc = {};

  /** Whether there are no changes. */
  get empty(): boolean {
    return (
      this.#changes.length === 0 &&
      this.#collections.size === 0 &&
      this.#dropped.length === 0 &&
      this.#retries.length === 0 &&
      this.#removedRetries.length === 0
    );
  }

  /** Adds `lsid` and `txnNumber` of a transaction to its document events. */
  markTransaction(lsid: Doc, txnNumber: bigint): void {
    this.#origin = { txnNumber, lsid };
  }

  /** How many document writes it has recorded, submitted ones included. */
  get writes(): number {
    return this.#writes;
  }

  /** Estimated bytes of the changes that are not submitted yet. */
  get weight(): number {
    return this.#weight;
  }

  /** Records the change of a document. */
  change(change: Change): void {
    this.#addStep(change);
    this.record(change);
  }

  /**
   * Merges successive changes of one document into one step, so that it does not keep each version of a growing
   * document.
   */
  #addStep(change: Change): void {
    const last = this.#steps.at(-1);
    const continues =
      typeof last === 'object' &&
      last.collection === change.collection &&
      last.after !== undefined &&
      sameVersion(last.after, change.before);
    if (continues) this.#steps[this.#steps.length - 1] = { ...change, before: last.before };
    else this.#steps.push(change);
  }

  /** Records the change of a document whose rollback is a step of its own. */
  record(change: Change): void {
    const { collection, before, after } = change;
    const stored = after ?? before;
    if (stored === undefined) return;
    this.#writes += 1;
    this.#documents.set(stored.sequence, { collection: collection.id, version: stored.version, after });
    const pending = pendingOf(change, stored);
    this.#changes.push(pending);
    const kept = collection.options.images ? (before?.size ?? 0) + (after?.size ?? 0) : 0;
    this.#weight += changeBytes + (pending.image?.bytes ?? 0) + (before === undefined ? stored.size : 0) + kept;
  }

  /** Applies any other change. @throws the failure of the batch */
  alter(apply: () => void, undo: () => void): void {
    this.check();
    apply();
    this.#steps.push(undo);
  }

  /** @throws the failure of the batch: its changes were rolled back, and no more may follow */
  check(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  /** Fails the batch: returns the steps to roll back, empties it and refuses further changes. */
  fail(failure: Error): readonly Step[] {
    this.#failure ??= failure;
    const steps = this.#steps;
    this.#clear();
    return steps;
  }

  /** The failure that refuses further changes. */
  get failure(): Error | undefined {
    return this.#failure;
  }

  /**
   * Records the current name, collation, options and indexes of a collection.
   * @param events of the change, which streams with `showExpandedEvents` report
   */
  describe(collection: Collection, events: readonly Doc[] = []): void {
    const { id, db, name } = collection;
    const known = this.#collections.get(id)?.events ?? [];
    this.#collections.set(id, { db, name, record: () => recordOf(collection), events: [...known, ...events] });
  }

  /** Records the definition of a view. */
  describeView(view: ViewDefinition): void {
    const { id, db, name } = view;
    this.#collections.set(id, { db, name, record: () => viewRecord(view), events: [] });
  }

  dropView(view: ViewDefinition): void {
    this.#dropped.push(view.id);
  }

  drop(collection: Collection): void {
    this.#dropped.push(collection.id);
    this.#droppedTrees.push(...collection.stored);
  }

  /** Records that a tree of a collection is no longer needed. */
  dropTree(tree: StoredTree): void {
    this.#droppedTrees.push(tree);
  }

  /** Records any other event, such as a dropped or renamed collection. */
  announce(db: string, collection: string, event: Doc): void {
    this.#events.push((history) => announceTo(history, db, collection, event));
  }

  /** Records the reply of a session's retryable write. */
  addRetry(session: string, bytes: Uint8Array, undo: () => void): void {
    this.#retries.push({ session, bytes });
    this.#steps.push(undo);
  }

  /** Removes the record of a session. */
  removeRetry(session: string, undo: () => void): void {
    this.#removedRetries.push(session);
    this.#steps.push(undo);
  }

  /** Creates the events and the part for the group commit, and empties the batch. */
  finish(history: History): GroupPart {
    const first = history.next;
    for (const { db, name, events } of this.#collections.values())
      for (const event of events.length > 0 ? events : [withoutReport]) announceTo(history, db, name, event);
    for (const { collection, id, event, image } of this.#changes) {
      history.add(
        collection.db,
        collection.name,
        { ...eventOf(collection, id, event, history), ...this.#origin },
        image,
      );
    }
    for (const event of this.#events) event(history);
    const contribution = {
      firstEvent: first,
      steps: this.#steps,
      documents: this.#documents,
      collections: [...this.#collections].map(([id, { record }]) => ({ id, bytes: encode(record()) })),
      dropped: this.#dropped,
      droppedTrees: this.#droppedTrees,
      events: history
        .from(first, Number.POSITIVE_INFINITY)
        .map(({ sequence, total, bytes }: ChangeEvent) => ({ sequence, total, bytes })),
      retries: this.#retries,
      removedRetries: this.#removedRetries,
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
    this.#droppedTrees = [];
    this.#events = [];
    this.#retries = [];
    this.#removedRetries = [];
  }
}

function announceTo(history: History, db: string, collection: string, event: Doc): void {
  const ns = collection === '' ? { db } : { db, coll: collection };
  const { operationType, ...rest } = event;
  history.add(db, collection, { operationType, clusterTime: history.tick(), wallTime: new Date(), ns, ...rest });
}

function pendingOf(change: Change, stored: StoredDocument): Pending {
  const { collection, before, after, replaced } = change;
  const images = collection.options.images ? imagesOf(change) : {};
  const common = { collection, id: stored.doc['_id'] };
  if (after === undefined)
    return { ...common, event: { operationType: 'delete', rest: images }, image: wholeImage(stored) };
  const whole = { fullDocument: after.doc };
  if (before === undefined) return { ...common, event: { operationType: 'insert', rest: whole }, image: undefined };
  if (replaced)
    return { ...common, event: { operationType: 'replace', rest: { ...whole, ...images } }, image: wholeImage(before) };
  const { description, unshared } = differenceOf(before.doc, after.doc);
  return {
    ...common,
    event: { operationType: 'update', rest: { updateDescription: description, ...images } },
    image: { doc: before.doc, size: before.size, bytes: unshared },
  };
}

/** The documents that an event of a collection with images keeps, also on disk, beside what every event has. */
const imagesOf = ({ before, after, replaced }: Change): Doc => ({
  ...(before ? { [preImage]: before.doc } : {}),
  ...(before && after && !replaced ? { [postImage]: after.doc } : {}),
});

const wholeImage = ({ doc, size }: StoredDocument): Image => ({ doc, size, bytes: size });

const eventOf = (collection: Collection, id: Value, event: Pending['event'], history: History): Doc => ({
  operationType: event.operationType,
  clusterTime: history.tick(),
  wallTime: new Date(),
  ns: { db: collection.db, coll: collection.name },
  documentKey: { _id: id },
  ...event.rest,
});
