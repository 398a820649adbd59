/** Bounds the work between two yields and the size of values. */
import { Decimal128 } from 'bson';
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';
import { Sizes } from './sizes.ts';

/** Steps between two readings of the clock. */
const stepsBetweenChecks = 50_000;
/**
 * Maximum steps between two yields, and so for one document: 50 to 100 ms, and the same on every machine. A step is
 * about 50 ns of processor time (`costs.ts`).
 */
const maxStepsBetweenPauses = 1_250_000;
/**
 * Milliseconds that are no long work, whatever the estimate: some work is charged by its upper bound. Only what alone
 * would be too much is refused before it begins.
 */
const shortMs = 25;
/** Maximum bytes of a value within a pipeline; MongoDB has the same limit. */
const maxValueBytes = 64 * 1024 * 1024;

/** Steps of calculating with or printing a decimal. */
const decimalSteps = 20;
/** Steps of reading a field or variable. */
const readingSteps = 0.7;
/** Steps of comparing two values, and two with a size, besides those of their sizes. */
const comparisonSteps = 0.4;
const wideComparisonSteps = 0.9;
/** Steps of measuring one member of a new value. */
const measuringSteps = 0.12;

/** The meter of one pipeline. */
export class Meter {
  readonly sizes = new Sizes();
  readonly #pauses: () => number;
  readonly #checkTime: () => void;
  #steps = 0;
  #stepsSincePause = 0;
  #pause = 0;
  #pausedAt = performance.now();

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
    if (pause !== this.#pause) {
      this.#stepsSincePause = 0;
      this.#pausedAt = performance.now();
    }
    const steps = this.#steps;
    this.#stepsSincePause += steps;
    this.#pause = pause;
    this.#steps = 0;
    this.#checkTime();
    if (this.#stepsSincePause <= maxStepsBetweenPauses) return;
    if (steps > maxStepsBetweenPauses || performance.now() - this.#pausedAt > shortMs)
      throw new StoreError(146, 'the expressions for one document take too much work and would block other commands');
  }

  /** Counts the reading of a value. Its operator counts what it does with it. */
  passed(value: Value): Value {
    this.charge(readingSteps);
    return value;
  }

  /** Counts walking a value with everything nested in it. */
  walked(value: Value): void {
    if (isWide(value)) this.charge(this.sizes.stepsToWalk(value));
  }

  /** Counts the comparison of two values, which visits at most all of the smaller one. */
  compared(a: Value, b: Value): void {
    if (isWide(a) && isWide(b)) {
      this.charge(wideComparisonSteps + Math.min(this.sizes.stepsToCompare(a), this.sizes.stepsToCompare(b)));
    } else this.charge(a instanceof Decimal128 || b instanceof Decimal128 ? decimalSteps : comparisonSteps);
  }

  /**
   * Counts a new value.
   * @param steps of what made it
   * @throws StoreError 146 if it is too large, 15 if it is nested too deeply
   */
  made(value: Value, steps: number): Value {
    if (typeof value !== 'object' || value === null) this.charge(steps);
    else if (value instanceof Decimal128) this.charge(steps + decimalSteps);
    else {
      const before = this.sizes.measured;
      const bytes = this.sizes.bytesOf(value);
      this.charge(steps + (this.sizes.measured - before) * measuringSteps);
      if (bytes > maxValueBytes) throw new StoreError(146, 'a value within the pipeline would use too much memory');
    }
    return value;
  }
}

/** Whether a value may take more than one step. */
const isWide = (value: Value): boolean => typeof value === 'string' || (typeof value === 'object' && value !== null);
