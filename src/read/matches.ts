/** Filters of subscribers, tested against rows in memory. The maximum time of a test is estimated before it runs. */
import { hash } from 'node:crypto';
import { regexSteps } from 'dossier-language/query';
import { decode } from 'dossier-language/values';
import type { ModelEntry } from '../models/entry.ts';
import { mongo } from '../models/mongoose.ts';
import { type ComparedFilter, comparedFilter, docTest, rowTest } from '../query/row-test.ts';

type Row = Readonly<Record<string, unknown>>;

/** A test for rows, compiled once. */
export interface RowMatcher {
  /** Equal for equal filters. */
  readonly key: string;
  /** The filter and its collation as BSON. */
  readonly encoded: Uint8Array;
  /** Rows of up to this many bytes of BSON are matched within a millisecond or two. */
  readonly quickBytes: number;
  matches(row: Row): boolean;
}

/** Steps that a quick match may take. */
const maxQuickSteps = 500_000;
/** Bytes of a row for each value in it that a condition may examine. */
const bytesPerValue = 16;
const maxRowBytes = 2 ** 24;

/** @param filter checked and cast before @param model whose collation applies */
export function matcherOf(filter: Row, { schema }: Pick<ModelEntry, 'schema'>): RowMatcher {
  const { collation } = schema;
  const compared = comparedFilter(filter, collation);
  const encoded = mongo.BSON.serialize(compared);
  return {
    key: hash('sha256', encoded, 'base64url'),
    encoded,
    // with a collation `$in` compares a value with each of its own
    quickBytes: largestQuick(stepsOf(filter, collation === undefined)),
    matches: rowTest(compared),
  };
}

/** The test of a filter in BSON, for rows in BSON. */
export function encodedMatcher(compared: Uint8Array): (row: Uint8Array) => boolean {
  const matches = docTest(decode(compared) as unknown as ComparedFilter);
  return (row) => matches(decode(row));
}

/** The maximum steps for a row of this many bytes. */
type Steps = (bytes: number) => number;

/** Every condition may examine every value of a row, and every pattern all of its text. */
function stepsOf(filter: unknown, looksUp: boolean, weight = 1): Steps {
  if (Array.isArray(filter)) return sumOf(filter.map((part) => stepsOf(part, looksUp, weight)));
  if (!isConditions(filter)) return (bytes) => (weight * bytes) / bytesPerValue;
  const { $regex: pattern, $options: options } = filter;
  const own = typeof pattern === 'string' ? [regexSteps(pattern, typeof options === 'string' ? options : '')] : [];
  const parts = Object.entries(filter).map(([name, value]) =>
    // `$in` looks a value up; the others compare it with each of theirs
    stepsOf(looksUp && (name === '$in' || name === '$nin') ? undefined : value, looksUp, weight * entriesOf(name)),
  );
  return sumOf([...own, ...parts]);
}

const isConditions = (value: unknown): value is Row =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/** How often a path may enter one value: a number in it names a field and a position in a list. */
const entriesOf = (name: string): number => 2 ** name.split('.').filter((part) => /^\d+$/.test(part)).length;

const sumOf =
  (all: readonly Steps[]): Steps =>
  (bytes) =>
    all.reduce((sum, steps) => sum + steps(bytes), 0);

function largestQuick(steps: Steps): number {
  let [least, most] = [0, maxRowBytes];
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (steps(middle) <= maxQuickSteps) least = middle;
    else most = middle;
  }
  return least;
}
