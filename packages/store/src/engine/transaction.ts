/** A transaction: a copy of the store as of its first command, and the changes made to the copy. */
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import { keyOf } from 'dossier-language/values';
import { added, type Amount, type Share, shareOf, smaller } from './capacity.ts';
import type { Catalog } from './catalog.ts';
import type { Collection } from './collection.ts';
import type { Traits } from './collection-identity.ts';
import { cappedInTransaction } from './collection-options.ts';
import { isDamage } from './damage.ts';
import { checkCollectionName, checkDatabaseName } from './names.ts';
import type { Store } from './store.ts';
import { sameVersion, type StoredDocument } from './stored-document.ts';
import type { Change, Claimant, View } from './view.ts';
import { notOnView, type ViewDefinition } from './view-definition.ts';
import type { WriteBatch } from './write-batch.ts';

/** Texts are read when the changes are applied, and a language that is not supported would be the same in the next attempt. */
const isLanguageFault = (error: unknown): boolean =>
  error instanceof StoreError && (error.code === 17261 || error.code === 17262);

const transient = { errorLabels: ['TransientTransactionError'] };

/** A conflict with another transaction; the driver may retry the whole transaction. */
function writeConflict(): StoreError {
  return new StoreError(
    112,
    'Caused by :: Write conflict during plan execution and yielding is disabled. :: Please retry your operation or multi-document transaction.',
    transient,
  );
}

/** An open transaction of a session. */
export class Transaction implements View, Claimant {
  readonly transaction = true;
  readonly number: bigint;
  readonly startedAt = Date.now();
  /** The client that sent the last statement. */
  sentBy: { readonly isGone: boolean } | undefined;
  readonly #store: Store;
  readonly #catalog: Catalog;
  readonly #changes = new Map<string, Change>();
  /** Collections that this transaction creates when it commits. */
  readonly #made = new Set<Collection>();
  readonly #claimed: string[] = [];
  #added: Amount = { documents: 0, bytes: 0 };
  /** Estimated bytes of its changes. */
  #weight = 0;
  #ended = false;
  /** The smallest share of the reserve among its changes. */
  #share: Share = 'all';

  constructor(store: Store, number: bigint) {
    this.number = number;
    this.#store = store;
    this.#catalog = store.catalog.fork();
  }

  find(db: string, name: string): Collection | undefined {
    const found = this.#catalog.find(db, name);
    this.#store.damage.check(found);
    return found;
  }

  definition(db: string, name: string): ViewDefinition | undefined {
    return this.#catalog.definition(db, name);
  }

  /** A missing collection is created in this copy, and in the store when the transaction commits. */
  ensure(db: string, name: string, traits?: Traits): Collection {
    const found = this.find(db, name);
    if (found !== undefined) return found;
    if (this.definition(db, name) !== undefined) throw notOnView(db, name);
    const made = this.#store.collections.make(checkDatabaseName(db), checkCollectionName(name), traits);
    this.#claim(made.ns);
    this.#catalog.add(made);
    this.#made.add(made);
    return made;
  }

  checkIndexable(collection: Collection): void {
    if (this.#made.has(collection) && collection.size === 0) return;
    throw new StoreError(
      263,
      `Cannot create new indexes on existing collection ${collection.ns} in a multi-document transaction.`,
    );
  }

  /**
   * Claims a key until this transaction ends. A transaction whose client has disconnected, such as a killed process, gives way,
   * because only its time limit would end it. It can still be committed by another connection, unless one of its documents has changed.
   * @throws StoreError 112 if another open transaction has claimed it, 251 if this transaction has ended
   */
  #claim(key: string): void {
    if (this.#ended)
      throw new StoreError(251, `Transaction with { txnNumber: ${this.number} } has been aborted.`, transient);
    const { claims } = this.#store;
    const owner = claims.get(key);
    if (owner === this) return;
    if (owner?.sentBy?.isGone === true) owner.release();
    else if (owner !== undefined) throw writeConflict();
    claims.set(key, this);
    this.#claimed.push(key);
  }

  /** Ends the transaction for others and releases its claims. It can still be committed. */
  release(): void {
    this.#ended = true;
    for (const key of this.#claimed) this.#store.claims.delete(key);
    this.#claimed.length = 0;
  }

  insert(collection: Collection, doc: Doc, bytes?: Uint8Array): StoredDocument {
    this.#checkWritable(collection);
    const stored = this.#store.versions.first(doc, bytes);
    this.#checkCapacity(collection, undefined, stored);
    this.#checkUntouched(collection, undefined, stored);
    collection.insert(stored);
    this.#note({ collection, before: undefined, after: stored, replaced: false });
    return stored;
  }

  replace(collection: Collection, old: StoredDocument, doc: Doc, replaced: boolean): StoredDocument {
    this.#checkWritable(collection);
    this.#checkUntouched(collection, old, old);
    const stored = this.#store.versions.next(old, doc);
    if (stored.size > old.size) this.#checkCapacity(collection, old, stored);
    collection.replace(old, stored);
    this.#note({ collection, before: old, after: stored, replaced });
    return stored;
  }

  remove(collection: Collection, old: StoredDocument): void {
    this.#checkWritable(collection);
    this.#checkUntouched(collection, old, old);
    collection.remove(old);
    this.#note({ collection, before: old, after: undefined, replaced: false });
  }

  /** @throws StoreError 257 if its changes need too much memory, 263 for a capped collection */
  #checkWritable({ ns, options }: Collection): void {
    if (options.cap !== undefined) throw cappedInTransaction(ns);
    const { transactionBytes } = this.#store.limits;
    if (this.#weight > transactionBytes)
      throw new StoreError(257, `the changes of the transaction exceed ${transactionBytes} bytes: divide it`);
  }

  #checkCapacity(collection: Collection, old: StoredDocument | undefined, stored: StoredDocument): void {
    this.#share = smaller(this.#share, shareOf(collection.name, old, stored));
    this.#store.checkCapacity(added(old, stored), this.#share, this.#added);
  }

  #checkUntouched(collection: Collection, before: StoredDocument | undefined, document: StoredDocument): void {
    if (this.#made.has(collection)) return;
    const key = changeKey(collection, document);
    this.#claim(key);
    if (this.#changes.has(key)) return;
    const live = this.#store.catalog.find(collection.db, collection.name);
    if (live?.id !== collection.id || !this.#isUntouched(live, document, before)) {
      if (before !== undefined || collection.get(document.doc['_id']) === undefined) throw writeConflict();
    }
  }

  /**
   * Whether the document with an `_id` is still the one that this transaction read. Under a case-insensitive collation,
   * a new `A` replaces an `a` that the transaction has removed.
   */
  #isUntouched(live: Collection, document: StoredDocument, before: StoredDocument | undefined): boolean {
    const found = live.get(document.doc['_id']);
    if (found === undefined || before !== undefined) return sameVersion(found, before);
    const change = this.#changes.get(changeKey(live, found));
    return change !== undefined && sameVersion(change.before, found) && change.after === undefined;
  }

  #note(change: Change): void {
    const { documents, bytes } = added(change.before, change.after);
    this.#added = { documents: this.#added.documents + documents, bytes: this.#added.bytes + bytes };
    const document = change.after ?? change.before;
    if (document === undefined) return;
    const key = changeKey(change.collection, document);
    const earlier = this.#changes.get(key);
    const whole = earlier
      ? { ...change, before: earlier.before, replaced: change.replaced || earlier.replaced }
      : change;
    this.#weight += weightOf(whole) - (earlier ? weightOf(earlier) : 0);
    this.#changes.set(key, whole);
  }

  /**
   * Applies all changes to the store, or none.
   * @throws StoreError 112 if another command changed one of the documents since the transaction began, 14031 if the
   * store is full
   */
  commit(batch: WriteBatch): void {
    batch.check();
    this.#store.checkCapacity(this.#added, this.#share);
    const changes = [...this.#changes.values()].filter(
      ({ before, after }) => before !== undefined || after !== undefined,
    );
    const made = this.#emptyOnes();
    const pairs = changes.map((change) => ({ change, live: made.get(change.collection) ?? this.#liveOf(change) }));
    for (const { change, live } of pairs) {
      const document = change.after ?? change.before;
      if (document !== undefined && !this.#isUntouched(live, document, change.before)) throw writeConflict();
    }
    this.#apply(pairs);
    for (const collection of made.values()) this.#store.collections.add(collection, batch);
    for (const { change, live } of pairs) {
      for (const part of parts(change)) batch.change({ ...part, collection: live });
    }
  }

  /**
   * An empty collection for each one that this transaction created.
   * @throws StoreError 112 if another command created it meanwhile
   */
  #emptyOnes(): ReadonlyMap<Collection, Collection> {
    for (const { db, name } of this.#made) if (this.#store.catalog.find(db, name) !== undefined) throw writeConflict();
    return new Map([...this.#made].map((collection) => [collection, collection.emptied()]));
  }

  #liveOf({ collection }: Change): Collection {
    const live = this.#store.catalog.find(collection.db, collection.name);
    if (live?.id !== collection.id) throw writeConflict();
    return live;
  }

  /**
   * Removes all old versions before it inserts the new ones, so that unique keys do not collide; a duplicate key undoes
   * everything.
   */
  #apply(pairs: readonly { readonly change: Change; readonly live: Collection }[]): void {
    const undo: (() => void)[] = [];
    try {
      for (const { change, live } of pairs) {
        const { before } = change;
        if (before === undefined) continue;
        live.remove(before);
        undo.push(() => live.insert(before));
      }
      for (const { change, live } of pairs) {
        const { after } = change;
        if (after === undefined) continue;
        live.insert(after);
        undo.push(() => live.remove(after));
      }
    } catch (error) {
      this.#store.rollBack(undo);
      throw isDamage(error) || isLanguageFault(error) ? error : writeConflict();
    }
  }
}

/** Estimated bytes of a change besides its documents. */
const changeBytes = 512;

const weightOf = ({ before, after }: Change): number => changeBytes + (before?.size ?? 0) + (after?.size ?? 0);

const changeKey = (collection: Collection, stored: StoredDocument): string =>
  `${collection.id} ${keyOf(stored.doc['_id'])}`;

/** A document that was removed and inserted again has a new sequence: two changes. */
function parts(change: Change): readonly Change[] {
  const { before, after } = change;
  if (before === undefined || after === undefined || before.sequence === after.sequence) return [change];
  return [
    { ...change, after: undefined },
    { ...change, before: undefined },
  ];
}
