/**
 * Scores as whole numbers. Most words occur in one text of a document, and their score follows from the weight of its
 * field, its length and the number of occurrences. Such a score takes two bytes; any other is kept as a double.
 */

/** How a word occurs in one text. */
interface Occurrence {
  readonly weight: number;
  readonly count: number;
  /** Number of words of the text. */
  readonly length: number;
  /** Whether the word is the whole text. */
  readonly whole: boolean;
}

/** The score of a word in one text: higher in a short text, and if it is the whole text. A repetition counts half. */
export function scoreOf({ weight, count, length, whole }: Occurrence): number {
  let worth = 0;
  for (let at = 0; at < count; at += 1) worth += 0.5 ** at;
  const share = (0.5 * count) / length + 0.5;
  return weight * worth * share * (whole ? 1.1 : 1);
}

/** The code of a score that is not an occurrence. */
export const plainScore = 0;

/** Maximum count and length of an occurrence that has a code. */
const maxCount = 8;
const maxLength = 65_535;
/** Maximum cached codes and scores. */
const memory = 16_384;

/** Converts scores of an index to codes and back. The codes depend on the weights of the index alone. */
export class ScoreCodes {
  readonly #weights: readonly number[];
  readonly #codes = new Map<number, number>();
  readonly #scores = new Map<number, number>();

  /** @param weights the weights of the index */
  constructor(weights: Iterable<number>) {
    this.#weights = [...new Set(weights)].sort((a, b) => a - b);
  }

  /** The code of a score; `plainScore` if it is not an occurrence. */
  codeOf(score: number): number {
    const known = this.#codes.get(score);
    if (known !== undefined) return known;
    if (this.#codes.size >= memory) this.#codes.clear();
    const code = this.#find(score);
    this.#codes.set(score, code);
    return code;
  }

  /** The score of a code other than `plainScore`. */
  scoreOf(code: number): number {
    const known = this.#scores.get(code);
    if (known !== undefined) return known;
    if (this.#scores.size >= memory) this.#scores.clear();
    const score = scoreOf(this.#occurrence(code));
    this.#scores.set(code, score);
    return score;
  }

  #find(score: number): number {
    for (let weight = 0; weight < this.#weights.length; weight += 1) {
      for (let count = 1; count <= maxCount; count += 1) {
        for (const whole of [false, true]) {
          const most = scoreOf({ weight: this.#weights[weight] ?? 1, count, length: count, whole });
          // the score of a text of infinite length is half of that of the word alone
          const length = Math.round((0.5 * count) / (score / most - 0.5));
          if (!(length >= count && length <= maxLength)) continue;
          const code = 1 + Number(whole) + 2 * (weight + this.#weights.length * (count - 1 + maxCount * length));
          if (scoreOf(this.#occurrence(code)) === score) return code;
        }
      }
    }
    return plainScore;
  }

  #occurrence(code: number): Occurrence {
    const whole = (code - 1) % 2 === 1;
    let rest = Math.floor((code - 1) / 2);
    const weight = this.#weights[rest % this.#weights.length] ?? 1;
    rest = Math.floor(rest / this.#weights.length);
    return { weight, whole, count: (rest % maxCount) + 1, length: Math.floor(rest / maxCount) };
  }
}
