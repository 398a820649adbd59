/** Writes single mutations of concurrent requests in one transaction, since a transaction costs the driver more than the writes in it. */
import { gatherer } from '../../async/gathered.ts';
import { loopLoad } from '../../async/loop-load.ts';
import type { ClientSession } from '../../models/mongoose.ts';
import { type Filter, isValue } from '../../query/filter.ts';
import type { Services } from '../../services.ts';
import type { Mutation, Recorder } from '../contract.ts';
import { isReaction } from './images.ts';
import { areQuick } from './reactions.ts';

type InTransaction = Services['inTransaction'];

/** A mutation and the document that it writes. */
interface Shared<T> {
  readonly document: string;
  readonly one: T;
}

/** How mutations are written. `T` is a mutation, `W` what it has done before the commit, `O` its outcome. */
interface Parts<T, W, O> {
  /** Writes one in a transaction of its own. */
  readonly alone: (one: T) => Promise<O>;
  /** Writes all in a transaction, and may run again after a conflict of its commit. @returns what each has done, in any order */
  readonly together: (all: readonly Shared<T>[], session: ClientSession) => Promise<readonly (readonly [T, W])[]>;
  /** Writes one unless the time of its request is over. From then on it is written with the others, and cannot be recalled. */
  readonly inTime: (one: T, write: () => Promise<O>) => Promise<O>;
  /** Called after the commit. */
  readonly committed: (one: T, written: W) => O;
}

/** Why a transaction is rolled back. */
class RolledBack extends Error {}

/** Maximum writes in one transaction. */
const maxShared = 32;

/**
 * Milliseconds for which writes wait for the end of an open transaction, to share the next one. They wait only where the process is busy:
 * with processor time to spare, a transaction of its own is the shorter way.
 */
const maxWaitMs = (): number => (loopLoad() > 0.5 ? 25 : 0);

/** The shared transactions of all servers of this process. */
export class SharedTransactions<T, W, O> {
  /** The ends of open transactions by the documents that they write: of two that write one document, one would be rolled back. */
  readonly #ends = new WeakMap<InTransaction, Map<string, Promise<unknown>>>();
  readonly #share: (inTransaction: InTransaction, one: Shared<T>) => Promise<O>;

  constructor(private readonly parts: Parts<T, W, O>) {
    this.#share = gatherer({ max: maxShared, maxWaitMs }, (inTransaction, all) => this.#write(inTransaction, all));
  }

  /**
   * Writes of one document come one after the other, since of two transactions that write it one would begin again.
   * @throws what writing it alone throws, and the errors of a commit
   */
  async write(inTransaction: InTransaction, { key, mayShare }: WrittenDocument, one: T): Promise<O> {
    if (!mayShare) return this.oneByOne(inTransaction, key, () => this.parts.alone(one));
    const ends = this.#endsOf(inTransaction);
    for (let end = ends.get(key); end !== undefined; end = ends.get(key)) await end;
    return this.parts.inTime(one, () => this.#share(inTransaction, { document: key, one }));
  }

  /** Runs a transaction that writes one document after the others that write it. @throws what the work throws */
  async oneByOne<R>(inTransaction: InTransaction, key: string, work: () => Promise<R>): Promise<R> {
    const ends = this.#endsOf(inTransaction);
    // of several that wait, the next one begins before the others look again
    for (let end = ends.get(key); end !== undefined; end = ends.get(key)) await end;
    return this.#during(inTransaction, [key], work());
  }

  #endsOf(inTransaction: InTransaction): Map<string, Promise<unknown>> {
    const known = this.#ends.get(inTransaction) ?? new Map<string, Promise<unknown>>();
    this.#ends.set(inTransaction, known);
    return known;
  }

  #write(inTransaction: InTransaction, all: readonly Shared<T>[]): Promise<readonly (() => Promise<O>)[]> {
    const documents = all.map(({ document }) => document);
    return this.#during(inTransaction, documents, this.#attempt(inTransaction, all));
  }

  /** Keeps other writes of the documents waiting. */
  async #during<R>(inTransaction: InTransaction, documents: readonly string[], writing: Promise<R>): Promise<R> {
    const end = writing.catch(() => undefined);
    const ends = this.#endsOf(inTransaction);
    for (const document of documents) ends.set(document, end);
    try {
      return await writing;
    } finally {
      for (const document of documents) if (ends.get(document) === end) ends.delete(document);
    }
  }

  /** What has failed before the commit is written again, one by one, so that each has an error of its own. */
  async #attempt(inTransaction: InTransaction, all: readonly Shared<T>[]): Promise<readonly (() => Promise<O>)[]> {
    const { alone, together, committed } = this.parts;
    const [only] = all;
    if (all.length === 1 && only !== undefined) return [settled(await alone(only.one))];
    try {
      const written = await inTransaction(async (session) => {
        if (session === undefined) throw new RolledBack();
        return together(all, session).catch((cause: unknown) => Promise.reject(new RolledBack(undefined, { cause })));
      });
      const outcomes = new Map(written.map(([one, done]) => [one, committed(one, done)]));
      return all.map(({ one }) => settled(outcomes.get(one) as O));
    } catch (error) {
      if (!(error instanceof RolledBack)) throw error;
      return all.map(
        ({ one }) =>
          () =>
            alone(one),
      );
    }
  }
}

const settled =
  <O>(outcome: O) =>
  (): Promise<O> =>
    Promise.resolve(outcome);

/** The one document that a mutation writes. */
export interface WrittenDocument {
  /** Its model and id. */
  readonly key: string;
  /** Whether its write runs no code of the project, which may take long, or write more in its transaction. */
  readonly mayShare: boolean;
}

/** @returns undefined for a mutation that is not found by its id, or is already one at a time for its document */
export function writtenDocument(mutation: Mutation, recorders: readonly Recorder[]): WrittenDocument | undefined {
  const id = idWrittenBy(mutation);
  if (id === undefined) return undefined;
  const mayShare = !recorders.some(isReaction) || areQuick(mutation.model);
  return { key: `${mutation.model.name} ${String(id)}`, mayShare };
}

function idWrittenBy(mutation: Mutation): unknown {
  if ('document' in mutation) return undefined;
  if (mutation.kind === 'insert') return mutation.rows.length === 1 ? mutation.rows[0]?.['_id'] : undefined;
  return mutation.many === undefined ? idIn(mutation.filter) : undefined;
}

/** The id that a filter searches for. */
export function idIn({ _id, $and }: Filter): unknown {
  if (_id !== undefined && _id !== null && isValue(_id)) return _id;
  return Array.isArray($and) ? ($and as Filter[]).map(idIn).find((id) => id !== undefined) : undefined;
}
