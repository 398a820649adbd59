/** Evaluates filters on the changes of one delivery: fast filters at once, the others are collected for the matching thread. */
import type { RowMatcher } from '../../../read/matches.ts';
import type { Matching, MatchRequest } from '../matching/matching.ts';
import type { Row } from './contract.ts';

/** Milliseconds of the main thread that one delivery to one subscriber may take. */
const maxEvaluationMs = 10;

export class FilterEvaluator {
  readonly #until = performance.now() + maxEvaluationMs;
  readonly #unknown = new Map<Row, RowMatcher[]>();
  readonly #costly = new Set<RowMatcher>();

  constructor(
    readonly matching: Matching,
    readonly undeletedRows: WeakMap<Row, Row>,
  ) {}

  /** Whether a row matches; also false if that is not known yet. */
  matches(row: Row, matcher: RowMatcher): boolean {
    let result = this.matching.known(row, matcher);
    if (result === undefined && performance.now() < this.#until) result = this.matching.evaluateNow(row, matcher);
    if (result === undefined) {
      const matchers = this.#unknown.get(row);
      if (matchers === undefined) this.#unknown.set(row, [matcher]);
      else matchers.push(matcher);
    }
    if (result === 'too costly') this.#costly.add(matcher);
    return result === true;
  }

  /** The row of a deleted document before its deletion. The same object each time, so that results for it are cached. */
  undeleted(row: Row): Row {
    const known = this.undeletedRows.get(row) ?? { ...row, _deleted: false };
    this.undeletedRows.set(row, known);
    return known;
  }

  /** What is left for the matching thread. */
  get pendingMatch(): MatchRequest | undefined {
    const [first] = this.#unknown;
    return first === undefined ? undefined : { row: first[0], matchers: first[1] };
  }

  /** Whether a filter takes too long to be evaluated. */
  isCostly(matcher: RowMatcher | undefined): boolean {
    return matcher !== undefined && this.#costly.has(matcher);
  }
}
