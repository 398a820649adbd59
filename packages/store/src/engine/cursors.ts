/** Open cursors, until the client reads them to the end, kills them or lets them time out. */
import { randomBytes } from 'node:crypto';
import { StoreError } from 'dossier-language/errors';
import type { Doc } from 'dossier-language/values';
import type { CursorWork } from './cursor-work.ts';
import { batchBytes } from './limits.ts';
import type { Operation } from './operation.ts';
import type { Session } from './sessions.ts';
import type { Transaction } from './transaction.ts';

/** The source of a cursor's documents: groups of items and their encoding. */
export interface CursorSource {
  readonly ns: string;
  readonly work: CursorWork;
  next(): Promise<readonly (() => Uint8Array)[] | undefined>;
  close(): Promise<void>;
  /** Only of sources that continue after what there is. */
  readonly live?: LiveSource;
}

/** A source that stays open at its end: a change stream, or a tailable cursor. */
export interface LiveSource {
  /** Whether a `getMore` without results waits for some. */
  readonly awaitsData: boolean;
  /** Whether the cursor stays open when its collection is dropped. */
  readonly outlivesCollection: boolean;
  wait(milliseconds: number): Promise<void>;
  /** The position before the last `waiting` results; undefined if the source has none. */
  resumeToken(waiting: number): Doc | undefined;
}

/** A cursor source over items of any type. */
export function sourceOf<T>(
  ns: string,
  work: CursorWork,
  groups: AsyncIterable<readonly T[]>,
  bytesOf: (item: T) => Uint8Array,
): CursorSource {
  const iterator = groups[Symbol.asyncIterator]();
  return {
    ns,
    work: work,
    next: async () => {
      const next = await iterator.next();
      return next.done === true ? undefined : next.value.map((item) => () => bytesOf(item));
    },
    close: async () => {
      await iterator.return?.();
    },
  };
}

/** The owner and lifetime of a cursor. */
export interface CursorOwner {
  readonly session: string | undefined;
  /** The transaction that opened the cursor and ends it. */
  readonly transaction: Transaction | undefined;
  /** Exempt from the idle timeout. */
  readonly noTimeout: boolean;
}

export class Cursor {
  readonly source: CursorSource;
  readonly owner: CursorOwner;
  usedAt = Date.now();
  /** The remaining time limit in milliseconds for further commands, if the first command had a limit. */
  remainingMs = Number.POSITIVE_INFINITY;
  busy = false;
  #rest: readonly (() => Uint8Array)[] = [];
  #at = 0;
  #finished = false;
  #id: bigint | undefined;

  constructor(source: CursorSource, owner: CursorOwner) {
    this.source = source;
    this.owner = owner;
  }

  /** Made when it is asked for: most cursors end with their first batch, and random bytes cost more than a small read. */
  get id(): bigint {
    return (this.#id ??= randomBytes(8).readBigInt64LE() & 0x7fffffffffffffffn || 1n);
  }

  /** The next batch: up to the requested number of documents, within the size limit of a batch. */
  async take(count: number): Promise<readonly Uint8Array[]> {
    const batch: Uint8Array[] = [];
    let bytes = 0;
    while (batch.length < count && (await this.#fill())) {
      while (batch.length < count && this.#at < this.#rest.length) {
        const next = this.#rest[this.#at]?.();
        if (next === undefined) break;
        if (batch.length > 0 && bytes + next.length > batchBytes) return batch;
        batch.push(next);
        bytes += next.length;
        this.#at += 1;
        await this.source.work.operation.yield();
      }
      if (this.source.live !== undefined && this.#at >= this.#rest.length) break;
    }
    return batch;
  }

  async #fill(): Promise<boolean> {
    while (this.#at >= this.#rest.length && !this.#finished) {
      const next = await this.source.next();
      this.#rest = next ?? [];
      this.#at = 0;
      this.#finished = next === undefined;
      if (this.source.live !== undefined && this.#rest.length === 0) return false;
    }
    return this.#at < this.#rest.length;
  }

  /** Change streams only: the token of the last returned event, or a later position if no returned event follows it. */
  get resumeToken(): Doc | undefined {
    return this.source.live?.resumeToken(this.#rest.length - this.#at);
  }

  /** Whether no documents remain. It reads one more document if necessary. */
  async exhausted(): Promise<boolean> {
    if (this.source.live !== undefined) return this.#finished && this.#at >= this.#rest.length;
    return !(await this.#fill());
  }
}

const notFound = (id: bigint): StoreError => new StoreError(43, `cursor id ${id} not found`);

/** The open cursors of a store. */
export class Cursors {
  readonly #open = new Map<bigint, Cursor>();

  /** Number of open cursors. */
  get size(): number {
    return this.#open.size;
  }

  /** Creates a cursor without registering it; it is registered if documents remain after the first batch. */
  make(source: CursorSource, owner: CursorOwner): Cursor {
    return new Cursor(source, owner);
  }

  register(cursor: Cursor): void {
    cursor.remainingMs =
      cursor.source.live === undefined ? cursor.source.work.operation.remainingMs : Number.POSITIVE_INFINITY;
    this.#open.set(cursor.id, cursor);
  }

  /** @throws StoreError 43 if there is no such cursor, 292 if another command uses it */
  async use(id: bigint, ns: string, session: Session | undefined, operation: Operation): Promise<Cursor> {
    const cursor = this.#open.get(id);
    if (cursor === undefined) throw notFound(id);
    if (cursor.source.ns !== ns)
      throw new StoreError(
        13,
        `Requested getMore on namespace '${ns}', but cursor belongs to a different namespace ${cursor.source.ns}`,
      );
    if (cursor.owner.session !== session?.key)
      throw new StoreError(50738, 'Cannot run getMore on a cursor, which was created in another session');
    if (cursor.busy) throw new StoreError(12051, `cursor id ${id} is already in use`);
    const { transaction } = cursor.owner;
    if (transaction !== undefined && transaction !== session?.transaction) {
      await this.kill(id);
      throw notFound(id);
    }
    cursor.busy = true;
    cursor.source.work.operation = operation;
    operation.setRemaining(cursor.remainingMs);
    return cursor;
  }

  /** Releases a cursor after a command; a cursor that was killed meanwhile is closed. */
  release(cursor: Cursor): void {
    if (!this.#open.has(cursor.id)) cursor.source.close().catch(() => undefined);
    cursor.busy = false;
    cursor.remainingMs = cursor.source.work.operation.remainingMs;
    cursor.usedAt = Date.now();
  }

  /** Kills a cursor; false if there is none. */
  async kill(id: bigint): Promise<boolean> {
    const cursor = this.#open.get(id);
    if (cursor === undefined) return false;
    this.#open.delete(id);
    if (cursor.busy) cursor.source.work.operation.interrupt();
    else await cursor.source.close();
    return true;
  }

  /** Kills the cursors of a session. */
  async killOf(session: string): Promise<void> {
    for (const cursor of [...this.#open.values()]) if (cursor.owner.session === session) await this.kill(cursor.id);
  }

  /** Kills the cursors of a collection, or of a database (`db.`). */
  async killIn(ns: string): Promise<void> {
    for (const cursor of [...this.#open.values()]) {
      if (
        cursor.source.live?.outlivesCollection !== true &&
        (cursor.source.ns === ns || (ns.endsWith('.') && cursor.source.ns.startsWith(ns)))
      ) {
        await this.kill(cursor.id);
      }
    }
  }

  /** Closes idle cursors. */
  async expire(before: number): Promise<void> {
    for (const cursor of [...this.#open.values()]) {
      if (!cursor.busy && !cursor.owner.noTimeout && cursor.usedAt < before) await this.kill(cursor.id);
    }
  }
}
