/** The store: its collections, what is written to disk, and the rule that nothing is answered before it is there. */
import { randomBytes } from 'node:crypto';
import { Binary, ObjectId } from 'bson';
import { diskRefused, StoreError, tooLarge } from 'dossier-language/errors';
import { DiskFault } from '../storage/faults.ts';
import type { Storage } from '../storage/storage.ts';
import { readCollation, type Collation } from 'dossier-language/values';
import { decode } from 'dossier-language/values';
import { encode } from 'dossier-language/values';
import { growthOf } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import { Catalog } from './catalog.ts';
import { History } from './changes/history.ts';
import { Collection, type CollectionRecord } from './collection.ts';
import { DiskState } from './disk-state.ts';
import { GroupCommit, type Contribution } from './group.ts';
import { idIndexName, readStoredSpec } from './index-spec.ts';
import type { Limits } from './limits.ts';
import { Room, type Amount, type Share } from './room.ts';
import { EncodedBytes, type Stored } from './stored.ts';
import { TextBuilds } from './text-builds.ts';
import { TextTree } from './text-tree.ts';
import { Turns } from './turns.ts';
import type { Transaction } from './transaction.ts';
import type { Step, Unit } from './unit.ts';

/** Bytes by which a document is expected to grow when it is changed. */
const growth = 64;
/** Bytes from which on a version is not written for its size alone. */
const largeDocument = 64 * 1024;

/** What a store tells the one who opened it. */
export interface Reports {
  readonly onWarning: (message: string) => void;
  readonly onFatal: (error: Error) => void;
}

/** A collection as it is read from the storage. */
interface Loaded {
  readonly collection: Collection;
  readonly indexes: readonly Doc[];
  /** In the order of their sequences. */
  readonly documents: Stored[];
}

/** The state that all commands share. */
export class Store {
  readonly limits: Limits;
  readonly catalog = new Catalog();
  readonly encoded: EncodedBytes;
  readonly history: History;
  /** One writing command at a time. */
  readonly writers = new Turns();
  /** Answers to retryable writes, by session, as they were loaded. */
  readonly retries = new Map<string, Uint8Array>();
  /** What open transactions have written, by its key: two of them must not write the same. */
  readonly claims = new Map<string, Transaction>();
  readonly startedAt = Date.now();
  /** The text indexes that are not complete yet. */
  readonly #textBuilds = new TextBuilds(this.catalog);
  readonly #storage: Storage;
  readonly #group: GroupCommit;
  readonly #reports: Reports;
  readonly #room: Room;
  readonly #openUnits = new Set<Unit>();
  readonly #onTakenBack = new Set<() => void>();
  /** Whether the disk takes writes. */
  readonly disk: DiskState;
  #sequence = 1;
  #collectionId = 1;
  #versions = 1;
  #failure: Error | undefined;

  constructor(storage: Storage, limits: Limits, reports: Reports) {
    this.limits = limits;
    this.#storage = storage;
    this.#reports = reports;
    this.encoded = new EncodedBytes(limits.encodedBytes);
    this.history = new History(limits);
    this.#room = new Room(limits, reports.onWarning);
    this.disk = new DiskState({
      probe: () => storage.probe(),
      onWarning: reports.onWarning,
      onFatal: (error) => this.#stop(error),
    });
    this.#group = new GroupCommit({
      storage,
      oldestEvent: () => this.history.oldest,
      took: () => this.disk.took(),
      failed: (parts, error) => this.#commitFailed(parts, error),
    });
  }

  /** @throws StoreError 91 after the data file has become unusable */
  checkAlive(): void {
    if (this.#failure !== undefined) {
      throw new StoreError(91, `the store has stopped, because its data file is unusable: ${this.#failure.message}`);
    }
  }

  #stop(error: Error): void {
    this.#failure = error;
    this.#reports.onFatal(
      new Error(`The store has stopped, because its data file is unusable: ${error.message}`, { cause: error }),
    );
  }

  /** A disk that takes no writes is no reason to stop: the changes are taken back, so that memory is what is on disk. */
  #commitFailed(parts: readonly Contribution[], error: unknown): Error {
    const failure = error instanceof Error ? error : new Error(String(error));
    if (!(failure instanceof DiskFault)) {
      this.#stop(failure);
      return failure;
    }
    const refusal = diskRefused(failure.message);
    for (const unit of this.#openUnits) this.#takeBack(unit.fail(refusal));
    for (const { steps } of parts.toReversed()) this.#takeBack(steps);
    this.history.cut(Math.min(...parts.map(({ firstEvent }) => firstEvent)));
    for (const callback of this.#onTakenBack) callback();
    this.disk.refused(failure);
    return refusal;
  }

  #takeBack(steps: readonly Step[]): void {
    for (const step of steps.toReversed()) {
      if (typeof step === 'function') step();
      else {
        if (step.after !== undefined) this.encoded.forget(step.after);
        step.collection.revert(step.before, step.after);
      }
    }
  }

  /** Calls back when changes that others may have seen were taken back. */
  onTakenBack(callback: () => void): void {
    this.#onTakenBack.add(callback);
  }

  /** A writing command begins: when the changes before it are taken back, so are its own. */
  begin(unit: Unit): void {
    this.#openUnits.add(unit);
  }

  /** A writing command has handed over its last changes. */
  end(unit: Unit): void {
    this.#openUnits.delete(unit);
  }

  /** Reads everything from the storage and makes the indexes. */
  async load(): Promise<void> {
    const collections = new Map<number, Loaded>();
    this.#storage.load({
      collection: (id, bytes) => {
        const record = readRecord(id, bytes);
        collections.set(id, { collection: new Collection(record), indexes: record.indexes, documents: [] });
        this.#collectionId = Math.max(this.#collectionId, id + 1);
      },
      document: (sequence, id, bytes) => {
        const owner = collections.get(id);
        if (owner === undefined) throw new Error(`document ${sequence} belongs to no collection`);
        this.#sequence = Math.max(this.#sequence, sequence + 1);
        const doc = decode(bytes);
        owner.documents.push({ sequence, version: 0, doc, size: bytes.length, bytes: undefined });
      },
      event: (sequence, bytes) => this.history.restore(sequence, bytes),
      retry: (session, bytes) => this.retries.set(session, bytes),
    });
    this.history.announce(this.history.next);
    for (const { collection, indexes, documents } of collections.values()) {
      await collection.load(documents);
      this.catalog.add(collection);
      for (const shown of indexes) {
        const spec = readStoredSpec(shown);
        // a unique one is needed before the first write
        if (spec.kind === 'text' && !spec.unique) collection.addIndex(new TextTree(spec));
        else if (spec.name !== idIndexName) collection.addIndex(await collection.build(spec, () => Promise.resolve()));
      }
    }
    await this.#textBuilds.start();
  }

  /** A new, empty collection in the catalogue. */
  createCollection(db: string, name: string, unit: Unit, collation?: Collation): Collection {
    const collection = this.newCollection(db, name, collation);
    this.addCollection(collection, unit);
    unit.describe(collection);
    return collection;
  }

  /** Puts a collection into the catalogue. */
  addCollection(collection: Collection, unit: Unit): void {
    unit.alter(
      () => this.catalog.add(collection),
      () => this.catalog.remove(collection),
    );
  }

  /** Takes a collection with its documents away. */
  dropCollection(collection: Collection, unit: Unit): void {
    this.#removeCollection(collection, unit);
    unit.drop(collection);
  }

  #removeCollection(collection: Collection, unit: Unit): void {
    unit.alter(
      () => this.catalog.remove(collection),
      () => this.catalog.add(collection),
    );
  }

  /** A new, empty collection that nobody sees yet. */
  newCollection(db: string, name: string, collation?: Collation): Collection {
    const id = this.#collectionId;
    this.#collectionId += 1;
    return new Collection({ id, db, name, uuid: new Uint8Array(randomBytes(16)), collation });
  }

  /** Gives a collection another name. */
  renameCollection(old: Collection, db: string, name: string, unit: Unit): void {
    const renamed = new Collection({ id: old.id, db, name, uuid: old.uuid, collation: old.collation }, old);
    if (old.text !== undefined) renamed.addIndex(old.text);
    this.#removeCollection(old, unit);
    this.addCollection(renamed, unit);
    unit.describe(renamed);
  }

  /** The first version of a document: `_id` is given to it and put first where needed. */
  makeStored(given: Doc, givenBytes?: Uint8Array): Stored {
    const withId = idFirst(given);
    const doc = checkId(withId);
    const sequence = this.#sequence;
    this.#sequence += 1;
    return this.#stored(doc, sequence, (withId === given ? givenBytes : undefined) ?? this.#encoded(doc));
  }

  /** The next version of a document. A large one is written when its bytes are needed: others may come before that. */
  nextStored(old: Stored, doc: Doc): Stored {
    if (old.size < largeDocument) return this.#stored(doc, old.sequence, this.#encoded(doc, old.size + growth));
    return this.#version({ doc, sequence: old.sequence, size: old.size + growthOf(old.doc, doc), bytes: undefined });
  }

  #encoded(doc: Doc, size?: number): Uint8Array {
    return encode(doc, size, this.limits.documentBytes);
  }

  #stored(doc: Doc, sequence: number, bytes: Uint8Array): Stored {
    return this.#version({ doc, sequence, size: bytes.length, bytes });
  }

  #version({ doc, sequence, size, bytes }: Omit<Stored, 'version'>): Stored {
    if (size > this.limits.documentBytes) throw tooLarge(size, this.limits.documentBytes);
    this.#versions += 1;
    return { sequence, version: this.#versions, doc, size, bytes };
  }

  /**
   * Checks that more fits, besides what is not in the catalogue yet.
   * @throws StoreError 14031 when the store is full
   */
  checkRoom(more: Amount, share: Share, besides: Amount = { documents: 0, bytes: 0 }): void {
    let { documents, bytes } = besides;
    for (const collection of this.catalog.all) {
      documents += collection.size;
      bytes += collection.bytes;
    }
    this.#room.check({ documents, bytes }, more, share);
  }

  /**
   * Hands over what a command changed; the promise is kept when it is on disk. One that changed nothing waits for what is
   * being written too: it may tell of it, as a command that is sent again does.
   */
  async submit(unit: Unit): Promise<void> {
    if (unit.failure !== undefined) {
      this.#takeBack(unit.fail(unit.failure));
      throw unit.failure;
    }
    if (unit.empty) return this.#group.written;
    const part = unit.finish(this.encoded, this.history);
    const next = this.history.next;
    await this.#group.add(part);
    this.history.announce(next);
  }

  /** Writes what is still to be written and lets go of the storage. */
  close(): void {
    this.#textBuilds.stop();
    this.disk.close();
    if (this.#failure === undefined) this.#group.flush();
    this.#storage.close();
  }
}

function readRecord(id: number, bytes: Uint8Array): CollectionRecord {
  const record = decode(bytes);
  const { db, name, uuid, indexes, collation } = record;
  if (typeof db !== 'string' || typeof name !== 'string' || !(uuid instanceof Binary) || !Array.isArray(indexes)) {
    throw new Error(`collection ${id} is not written as it should be`);
  }
  return {
    id,
    db,
    name,
    uuid: uuid.buffer,
    collation: isDoc(collation) ? readCollation(collation) : undefined,
    indexes: indexes as readonly Doc[],
  };
}

function idFirst(doc: Doc): Doc {
  if (Object.keys(doc)[0] === '_id') return doc;
  const id: Value = Object.hasOwn(doc, '_id') ? doc['_id'] : new ObjectId();
  const { _id: ignored, ...rest } = doc;
  return { _id: id, ...rest };
}

function checkId(doc: Doc): Doc {
  const id = doc['_id'];
  if (Array.isArray(id)) throw new StoreError(2, "The '_id' value cannot be of type array");
  if (id === undefined) throw new StoreError(2, "The '_id' value cannot be of type undefined");
  if (typeof id === 'object' && id !== null && '_bsontype' in id && id._bsontype === 'BSONRegExp') {
    throw new StoreError(2, "The '_id' value cannot be of type regex");
  }
  const dollar = isDoc(id) ? Object.keys(id).find((name) => name.startsWith('$')) : undefined;
  if (dollar !== undefined)
    throw new StoreError(52, `_id fields may not contain '$'-prefixed fields: ${dollar} is not valid for storage.`);
  return doc;
}
