/**
 * Which rows match which filters. What is quick is found out at once. The rest goes to a thread of its own, one subscriber after the
 * other, and the thread is stopped when a subscriber's share of its time is over.
 */
import { mongo, sizeOfRow } from '../models/mongoose.ts';
import { startMatchThread, type MatchThread } from './match-thread.ts';
import type { RowMatcher } from './matches.ts';

type Row = Readonly<Record<string, unknown>>;

/** Whether a row matches a filter, or that finding out took longer than it may. */
export type Verdict = boolean | 'too costly';

/** A row, and filters that it is to be held against. */
export interface Question {
  readonly row: Row;
  readonly matchers: readonly RowMatcher[];
}

export interface Matching {
  /** The verdict, where it is known already; each filter is held against a row once, however many subscribers have it. */
  known(row: Row, matcher: RowMatcher): Verdict | undefined;
  /** The verdict, where finding out takes a moment only. */
  quick(row: Row, matcher: RowMatcher): boolean | undefined;
  /**
   * Has the thread find out, up to the first filter that matches; the verdicts are known afterwards.
   * @param caller whose questions take turns with those of others
   */
  ask(question: Question, caller: string): Promise<void>;
  /** Bytes of a row as BSON; counted once. */
  sizeOf(row: Row | undefined): number;
  close(): Promise<void>;
}

/** Milliseconds of the thread. */
export interface MatchBudget {
  /** For one filter and one state of a document. */
  readonly filter: number;
  /** For all filters that one subscriber asks about together. */
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

export function makeMatching(budget: MatchBudget = matchBudget): Matching {
  const verdicts = new WeakMap<Row, Map<string, Verdict>>();
  const sizes = new WeakMap<Row, number>();
  const encoded = new WeakMap<Row, Uint8Array>();
  /** Jobs by caller; the caller whose turn comes next is the first. */
  const waiting = new Map<string, Job[]>();
  let thread: MatchThread | undefined;
  let working = false;

  const sizeOf = (row: Row | undefined): number => {
    if (row === undefined) return 0;
    const size = sizes.get(row) ?? sizeOfRow(row);
    sizes.set(row, size);
    return size;
  };
  const known = (row: Row, { key }: RowMatcher): Verdict | undefined => verdicts.get(row)?.get(key);
  const learn = (row: Row, key: string, verdict: Verdict): void => {
    const ofRow = verdicts.get(row) ?? new Map<string, Verdict>();
    verdicts.set(row, ofRow.set(key, verdict));
  };
  const encodedRow = (row: Row): Uint8Array => {
    const bytes = encoded.get(row) ?? sharedBytes(mongo.BSON.serialize(row));
    encoded.set(row, bytes);
    return bytes;
  };
  /** Takes the filters of a job that nobody has tried yet; another subscriber may have asked the same. */
  const left = ({ row, rest }: Job): readonly RowMatcher[] =>
    rest.some((matcher) => known(row, matcher) === true)
      ? []
      : rest.filter((matcher) => known(row, matcher) === undefined);
  /** Tries one filter of a job. */
  const advance = async (job: Job, { key, encoded: filter }: RowMatcher): Promise<void> => {
    thread ??= startMatchThread();
    const began = performance.now();
    const verdict = await thread.run({ row: encodedRow(job.row), key, filter }, budget.filter);
    if (verdict === undefined) thread = undefined;
    learn(job.row, key, verdict ?? 'too costly');
    job.spent += performance.now() - began;
  };
  /** One filter of one caller after another; the caller whose turn it was goes to the end of the line. */
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    for (const [caller, jobs] of waiting) {
      const [job] = jobs;
      waiting.delete(caller);
      if (job === undefined) continue;
      waiting.set(caller, jobs);
      const [next] = (job.rest = left(job));
      if (next !== undefined) await advance(job, next);
      if (job.spent > budget.question) for (const one of left(job)) learn(job.row, one.key, 'too costly');
      if (left(job).length > 0) continue;
      jobs.shift();
      job.done();
    }
    working = false;
  };
  return {
    known,
    quick(row, matcher) {
      if (sizeOf(row) > matcher.quickBytes) return undefined;
      const verdict = matcher.matches(row);
      learn(row, matcher.key, verdict);
      return verdict;
    },
    ask: (question, caller) =>
      new Promise((done) => {
        const rest = [...question.matchers].sort((one, other) => other.quickBytes - one.quickBytes);
        const job = { row: question.row, rest, spent: 0, done };
        const jobs = waiting.get(caller);
        if (jobs === undefined) waiting.set(caller, [job]);
        else jobs.push(job);
        void work();
      }),
    sizeOf,
    async close() {
      waiting.clear();
      await thread?.stop();
    },
  };
}

/** Bytes that threads see without a copy for each message. */
function sharedBytes(bytes: Uint8Array): Uint8Array {
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return shared;
}
