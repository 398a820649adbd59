/** A text that counts how often a regular expression reads it, so that the caller can end a search that takes too long. */

/**
 * Counts steps of work. It throws to end the work: a StoreError with code 146 when one document needs too many steps, 50
 * after the command's `maxTimeMS`.
 */
export type Charge = (steps: number) => void;

/** Reads between two charges. */
const readsPerCharge = 4096;
/** Steps of reading one character, besides those of the pattern. */
const stepsPerRead = 1 / 32;
/** A pattern's instructions that one step covers; the engine may run all of them for each character. */
const instructionsPerStep = 128;
/** Characters that the built-in search for a fixed text skips in one step. */
const charactersPerStep = 1024;

/**
 * RE2JS accepts String objects as input and reads them by `charCodeAt` and `indexOf`. This one passes both on to the plain
 * text and charges for them.
 */
export class MeteredText extends String {
  readonly #text: string;
  readonly #charge: Charge;
  readonly #steps: number;
  #reads = 0;

  /** @param instructions the size of the pattern's program */
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
    const found = this.#text.indexOf(part, from);
    this.#charge(((found < 0 ? this.#text.length : found) - from) / charactersPerStep);
    return found;
  }

  override substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }
}
