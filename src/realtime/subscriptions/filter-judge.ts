/** Verdicts on filters as one look at some changes needs them: what is quick is found out at once, the rest is gathered. */
import type { RowMatcher } from '../../read/matches.ts';
import type { Matching, Question } from '../../read/matching.ts';

type Row = Readonly<Record<string, unknown>>;

/** Milliseconds of the main thread that one look of one subscriber may take. */
const maxQuickMs = 10;

export class Judge {
  readonly #until = performance.now() + maxQuickMs;
  readonly #unknown = new Map<Row, RowMatcher[]>();
  readonly #costly = new Set<RowMatcher>();

  constructor(
    readonly matching: Matching,
    readonly undeletedRows: WeakMap<Row, Row>,
  ) {}

  /** False also for what is not known. */
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

  /** The row of a deleted document as it was before; the same one each time, so that verdicts on it are kept. */
  undeleted(row: Row): Row {
    const known = this.undeletedRows.get(row) ?? { ...row, _deleted: false };
    this.undeletedRows.set(row, known);
    return known;
  }

  /** A question whose answer is missing. */
  get question(): Question | undefined {
    const [first] = this.#unknown;
    return first === undefined ? undefined : { row: first[0], matchers: first[1] };
  }

  /** Whether nothing can be said of a filter, because it takes too long. */
  isCostly(matcher: RowMatcher | undefined): boolean {
    return matcher !== undefined && this.#costly.has(matcher);
  }
}
