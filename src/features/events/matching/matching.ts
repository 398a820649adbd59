/**
 * Which rows match which filters. Quick tests run at once. The others run in a separate thread, one subscriber after the other, and the
 * thread is stopped when a subscriber's share of its time is used up.
 */
import { mongo } from '../../../core.ts';
import { sizeOfRow } from '../../../models/mongoose.ts';
import type { RowMatcher } from '../../../read/matches.ts';
import type { Row } from '../subscriptions/contract.ts';
import { type MatchThread, startMatchThread } from './match-thread.ts';

/** Whether a row matches a filter, or that the test took too long. */
export type MatchResult = boolean | 'too costly';

/** A row, and the filters to test it against. */
export interface MatchRequest {
  readonly row: Row;
  readonly matchers: readonly RowMatcher[];
}

/** Milliseconds of the thread. */
export interface MatchBudget {
  /** For one filter and one state of a document. */
  readonly filter: number;
  /** For all filters that one subscriber requests together. */
  readonly question: number;
}

const matchBudget: MatchBudget = { filter: 500, question: 2000 };

interface Job {
  readonly row: Row;
  /** Filters that are still to be tried, the cheapest first. */
  rest: readonly RowMatcher[];
  /** Milliseconds that it has taken. */
  spent: number;
  readonly done: () => void;
}

export class Matching {
  readonly #results = new WeakMap<Row, Map<string, MatchResult>>();
  readonly #sizes = new WeakMap<Row, number>();
  readonly #encoded = new WeakMap<Row, Uint8Array>();
  /** Jobs by caller; the caller whose turn comes next is the first. */
  readonly #waiting = new Map<string, Job[]>();
  #thread: MatchThread | undefined;
  #isWorking = false;

  constructor(private readonly budget: MatchBudget = matchBudget) {}

  /** The result, where it is known already; each filter is evaluated once per row, however many subscribers have it. */
  known(row: Row, { key }: RowMatcher): MatchResult | undefined {
    return this.#results.get(row)?.get(key);
  }

  /** The result, where evaluating the filter takes a moment only. */
  evaluateNow(row: Row, matcher: RowMatcher): boolean | undefined {
    if (this.sizeOf(row) > matcher.quickBytes) return undefined;
    const result = matcher.matches(row);
    this.#record(row, matcher.key, result);
    return result;
  }

  /**
   * Evaluates filters in the thread, up to the first one that matches; the results are known afterwards.
   * @param caller whose requests take turns with those of others
   */
  evaluate({ row, matchers }: MatchRequest, caller: string): Promise<void> {
    return new Promise((done) => {
      const rest = [...matchers].sort((one, other) => other.quickBytes - one.quickBytes);
      const job = { row, rest, spent: 0, done };
      const jobs = this.#waiting.get(caller);
      if (jobs === undefined) this.#waiting.set(caller, [job]);
      else jobs.push(job);
      void this.#work();
    });
  }

  /** Bytes of a row as BSON; counted once. */
  sizeOf(row: Row | undefined): number {
    if (row === undefined) return 0;
    const size = this.#sizes.get(row) ?? sizeOfRow(row);
    this.#sizes.set(row, size);
    return size;
  }

  async close(): Promise<void> {
    this.#waiting.clear();
    await this.#thread?.stop();
  }

  /** Evaluates one filter of one caller after another; the caller whose turn it was goes to the end of the queue. */
  async #work(): Promise<void> {
    if (this.#isWorking) return;
    this.#isWorking = true;
    for (const [caller, jobs] of this.#waiting) {
      const [job] = jobs;
      this.#waiting.delete(caller);
      if (job === undefined) continue;
      this.#waiting.set(caller, jobs);
      const [next] = (job.rest = this.#left(job));
      if (next !== undefined) await this.#advance(job, next);
      if (job.spent >= this.budget.question)
        for (const { key } of this.#left(job)) this.#record(job.row, key, 'too costly');
      if (this.#left(job).length > 0) continue;
      jobs.shift();
      job.done();
    }
    this.#isWorking = false;
  }

  /** The filters of a job without a result; another subscriber may have had the same evaluated. */
  #left({ row, rest }: Job): readonly RowMatcher[] {
    return rest.some((matcher) => this.known(row, matcher) === true)
      ? []
      : rest.filter((matcher) => this.known(row, matcher) === undefined);
  }

  /** Evaluates one filter of a job. */
  async #advance(job: Job, { key, encoded: filter }: RowMatcher): Promise<void> {
    this.#thread ??= startMatchThread();
    const { result, spent } = await this.#thread.run(
      { row: this.#encodedRow(job.row), key, filter },
      this.budget.filter,
    );
    if (result === undefined) this.#thread = undefined;
    this.#record(job.row, key, result ?? 'too costly');
    job.spent += spent;
  }

  #record(row: Row, key: string, result: MatchResult): void {
    const ofRow = this.#results.get(row) ?? new Map<string, MatchResult>();
    this.#results.set(row, ofRow.set(key, result));
  }

  #encodedRow(row: Row): Uint8Array {
    const bytes = this.#encoded.get(row) ?? sharedBytes(mongo.BSON.serialize(row));
    this.#encoded.set(row, bytes);
    return bytes;
  }
}

/** Bytes that threads see without a copy for each message. */
function sharedBytes(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
