/** A string that meters how often a regular expression reads it, so that a long search can be stopped. */

/**
 * Counts steps of work. It throws to stop the work: a StoreError with code 146 if one document takes too many steps, 50
 * after the command's `maxTimeMS`.
 */
export type Charge = (steps: number) => void;

/** Reads between two charges. */
const readsPerCharge = 4096;
/** Steps of a millisecond. The estimates of searches are upper bounds, far above what most of them take. */
const stepsPerMs = 20_000;
/** Steps of reading one character, besides those of the pattern. */
const stepsPerRead = 1;
/** Instructions of a pattern per step; the engine may run all of them for each character. */
const instructionsPerStep = 4;
/** Below this estimate a search is charged as one step: reading the clock would take longer. */
const quickSteps = 25;

/**
 * Runs a search by an engine that does not meter itself, and charges the time that it takes.
 * @param most its steps by the estimate of the pattern; not more is charged, if the machine does something else meanwhile
 */
export function timed<T>(charge: Charge | undefined, most: number, search: () => T): T {
  if (charge === undefined) return search();
  if (most < quickSteps) {
    charge(1);
    return search();
  }
  const begun = performance.now();
  const found = search();
  charge(Math.min(most, 1 + (performance.now() - begun) * stepsPerMs));
  return found;
}
/** Characters that the built-in search for a fixed string skips in one step. */
const charactersPerStep = 1024;

/** The position of a fixed string, or -1. Meters the search. */
export function search(
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
  #since = performance.now();

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
      this.finish();
    }
    return this.#text.charCodeAt(at);
  }

  /** Charges the reads since the last charge. */
  finish(): void {
    const now = performance.now();
    const steps = Math.min(this.#reads * this.#steps, 1 + (now - this.#since) * stepsPerMs);
    this.#reads = 0;
    this.#since = now;
    this.#charge(steps);
  }

  override indexOf(part: string, from = 0): number {
    return search(this.#text, part, { from, charge: this.#charge });
  }

  override substring(start: number, end?: number): string {
    return this.#text.substring(start, end);
  }
}
