/** A string that meters how often a regular expression reads it, so that a long search can be stopped. */

/**
 * Counts steps of work. It throws to stop the work: a StoreError with code 146 if one document takes too many steps, 50
 * after the command's `maxTimeMS`.
 */
export type Charge = (steps: number) => void;

/** Reads between two charges. */
const readsPerCharge = 4096;
/** Steps of reading one character, besides those of the pattern. */
const stepsPerRead = 1 / 32;
/** Instructions of a pattern per step; the engine may run all of them for each character. */
const instructionsPerStep = 128;
/** Characters that the built-in search for a fixed string skips in one step. */
const charactersPerStep = 1024;

/** The position of a fixed string, or -1. Meters the search. */
function search(
  text: string,
  part: string,
  { from, charge }: { readonly from: number; readonly charge: Charge },
): number {
  const found = text.indexOf(part, from);
  charge(((found < 0 ? text.length : found) - from) / charactersPerStep);
  return found;
}

/** Whether a text contains a fixed string. Meters the search of a long text. */
export const contains = (text: string, part: string, charge: Charge | undefined): boolean =>
  charge === undefined || text.length < charactersPerStep
    ? text.includes(part)
    : search(text, part, { from: 0, charge }) >= 0;

/**
 * RE2JS accepts String objects and reads them by `charCodeAt` and `indexOf`. This class forwards both to the string and
 * meters them.
 */
export class MeteredText extends String {
  readonly #text: string;
  readonly #charge: Charge;
  readonly #steps: number;
  #reads = 0;

  /** @param instructions the size of the compiled pattern */
  constructor(text: string, instructions: number, charge: Charge) {
    super(text);
    this.#text = text;
    this.#charge = charge;
    this.#steps = stepsPerRead + instructions / instructionsPerStep;
  }

  override charCodeAt(at: number): number {
    this.#reads += 1;
    if (this.#reads >= readsPerCharge) {
      this.#reads = 0;
      this.#charge(readsPerCharge * this.#steps);
    }
    return this.#text.charCodeAt(at);
  }

  override indexOf(part: string, from = 0): number {
    return search(this.#text, part, { from, charge: this.#charge });
  }

  override substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }
}
