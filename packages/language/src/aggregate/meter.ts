/** Bounds the work between two yields and the size of values. */
import { Decimal128 } from 'bson';
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';
import { Sizes } from './sizes.ts';

/** Steps between two readings of the clock. */
const stepsBetweenChecks = 50_000;
/**
 * Maximum steps between two yields, and so for one document: about a quarter of a second, and the same on every
 * machine.
 */
const maxStepsBetweenPauses = 600_000;
/** Maximum bytes of a value within a pipeline; MongoDB has the same limit. */
const maxValueBytes = 64 * 1024 * 1024;

/** Walking a value, to encode it or compute its key, costs this many times as much as comparing it. */
const walkFactor = 4;
/** Steps of calculating with or printing a decimal. */
const decimalSteps = 6;

/** The meter of one pipeline. */
export class Meter {
  readonly sizes = new Sizes();
  readonly #pauses: () => number;
  readonly #checkTime: () => void;
  #steps = 0;
  #stepsSincePause = 0;
  #pause = 0;

  /** @param pauses how often the command has yielded */
  constructor(pauses: () => number, checkTime: () => void) {
    this.#pauses = pauses;
    this.#checkTime = checkTime;
  }

  /** Counts work. @throws StoreError 146 if one document takes too much work, 50 after the command's time limit */
  charge(steps: number): void {
    this.#steps += steps;
    if (this.#steps >= stepsBetweenChecks) this.#checkPause();
  }

  #checkPause(): void {
    const pause = this.#pauses();
    this.#stepsSincePause = pause === this.#pause ? this.#stepsSincePause + this.#steps : this.#steps;
    this.#pause = pause;
    this.#steps = 0;
    this.#checkTime();
    if (this.#stepsSincePause > maxStepsBetweenPauses)
      throw new StoreError(146, 'the expressions for one document take too much work and would block other commands');
  }

  /** Counts the handling of a value. */
  passed(value: Value): Value {
    this.charge(weightOf(value));
    return value;
  }

  /** Counts walking a value with everything nested in it. */
  walked(value: Value): void {
    if (isWide(value)) this.charge(this.sizes.stepsOf(value) * walkFactor);
  }

  /** Counts the comparison of two values, which visits at most all of the smaller one. */
  compared(a: Value, b: Value): void {
    if (isWide(a) && isWide(b)) this.charge(Math.min(this.sizes.stepsOf(a), this.sizes.stepsOf(b)));
    else if (a instanceof Decimal128 || b instanceof Decimal128) this.charge(decimalSteps);
  }

  /** Counts a new value. @throws StoreError 146 if it is too large, 15 if it is nested too deeply */
  made(value: Value): Value {
    this.charge(weightOf(value));
    if (typeof value === 'object' && value !== null && this.sizes.bytesOf(value) > maxValueBytes)
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

/** Whether a value may take more than one step. */
const isWide = (value: Value): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);
