/** Bounds what a pipeline does at a stretch and what it holds: work between two pauses, the size of values, memory. */
import { Decimal128 } from 'bson';
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';
import { Sizes } from './sizes.ts';

/** Steps after which the clock is looked at. */
const stepsBetweenLooks = 50_000;
/** Steps between two pauses, and so for one document: about a quarter of a second, and the same on every machine. */
const longestStretch = 600_000;
/** The largest value within a pipeline; MongoDB has the same bound. */
const largestValue = 64 * 1024 * 1024;

/** Going through a whole value, to write it or make its key, takes so many times what comparing it does. */
const walkFactor = 4;
/** Calculating with a decimal, or showing it. */
const decimalSteps = 6;

/** The meter of one pipeline. */
export class Meter {
  readonly sizes = new Sizes();
  readonly #pauses: () => number;
  readonly #checkTime: () => void;
  #steps = 0;
  #stretch = 0;
  #pause = 0;

  /** `pauses`: how often the command has let others go first. */
  constructor(pauses: () => number, checkTime: () => void) {
    this.#pauses = pauses;
    this.#checkTime = checkTime;
  }

  /** Counts work. @throws StoreError 146 when one document takes too much of it, 50 when the command's time is over */
  charge(steps: number): void {
    this.#steps += steps;
    if (this.#steps >= stepsBetweenLooks) this.#look();
  }

  #look(): void {
    const pause = this.#pauses();
    this.#stretch = pause === this.#pause ? this.#stretch + this.#steps : this.#steps;
    this.#pause = pause;
    this.#steps = 0;
    this.#checkTime();
    if (this.#stretch > longestStretch)
      throw new StoreError(146, 'the expressions for one document take too much work and would hold up others');
  }

  /** Counts the work that a value stands for. */
  passed(value: Value): Value {
    this.charge(weightOf(value));
    return value;
  }

  /** Counts going through a value with all that is nested in it. */
  walked(value: Value): void {
    if (isWide(value)) this.charge(this.sizes.stepsOf(value) * walkFactor);
  }

  /** Counts the comparison of two values, which may go through all of the smaller one. */
  compared(a: Value, b: Value): void {
    if (isWide(a) && isWide(b)) this.charge(Math.min(this.sizes.stepsOf(a), this.sizes.stepsOf(b)));
    else if (a instanceof Decimal128 || b instanceof Decimal128) this.charge(decimalSteps);
  }

  /** Counts a new value, and refuses it when it is too large or nested too deep. */
  made(value: Value): Value {
    this.charge(weightOf(value));
    if (typeof value === 'object' && value !== null && this.sizes.bytesOf(value) > largestValue)
      throw new StoreError(146, 'a value within the pipeline would use too much memory');
    return value;
  }
}

function weightOf(value: Value): number {
  if (typeof value === 'string') return 1 + value.length / 64;
  if (typeof value !== 'object') return 1;
  if (Array.isArray(value)) return 1 + value.length / 4;
  return value instanceof Decimal128 ? decimalSteps : 1;
}

/** What may take more than a step. */
const isWide = (value: Value): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);
