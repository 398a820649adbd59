/** Evaluates filters on the changes of one delivery: fast filters at once, the others are collected for the matching thread. */
import type { RowMatcher } from '../../read/matches.ts';
import type { Matching, Question } from '../../read/matching.ts';

type Row = Readonly<Record<string, unknown>>;

/** Milliseconds of the main thread that one delivery to one subscriber may take. */
const maxQuickMs = 10;

export class Judge {
  readonly #until = performance.now() + maxQuickMs;
  readonly #unknown = new Map<Row, RowMatcher[]>();
  readonly #costly = new Set<RowMatcher>();

  constructor(
    readonly matching: Matching,
    readonly undeletedRows: WeakMap<Row, Row>,
  ) {}

  /** Whether a row matches; also false if that is not known yet. */
  matches(row: Row, matcher: RowMatcher): boolean {
    let verdict = this.matching.known(row, matcher);
    if (verdict === undefined && performance.now() < this.#until) verdict = this.matching.quick(row, matcher);
    if (verdict === undefined) {
      const matchers = this.#unknown.get(row);
      if (matchers === undefined) this.#unknown.set(row, [matcher]);
      else matchers.push(matcher);
    }
    if (verdict === 'too costly') this.#costly.add(matcher);
    return verdict === true;
  }

  /** The row of a deleted document before its deletion. The same object each time, so that verdicts on it are cached. */
  undeleted(row: Row): Row {
    const known = this.undeletedRows.get(row) ?? { ...row, _deleted: false };
    this.undeletedRows.set(row, known);
    return known;
  }

  /** An open question for the matching thread. */
  get question(): Question | undefined {
    const [first] = this.#unknown;
    return first === undefined ? undefined : { row: first[0], matchers: first[1] };
  }

  /** Whether a filter takes too long to be evaluated. */
  isCostly(matcher: RowMatcher | undefined): boolean {
    return matcher !== undefined && this.#costly.has(matcher);
  }
}
