/** How much a stage may hold, and how much an expression may make at once. */
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import type { Meter } from './meter.ts';

type Limits = Pick<PipelineContext, 'meter' | 'memoryLimitBytes'>;

/** The memory of one stage. */
export class Memory {
  readonly #meter: Meter;
  readonly #limit: number;
  readonly #what: string;
  readonly #code: number;
  #used = 0;

  constructor({ meter, memoryLimitBytes }: Limits, what: string, code = 146) {
    this.#meter = meter;
    this.#limit = memoryLimitBytes;
    this.#what = what;
    this.#code = code;
  }

  /** Counts a value that is kept. */
  keep(value: Value): void {
    this.take(this.sizeOf(value));
  }

  /** Counts values that are not kept any longer. */
  drop(values: readonly Value[]): void {
    for (const value of values) this.#used -= this.sizeOf(value);
  }

  /** The bytes that a value takes up, roughly. */
  sizeOf(value: Value): number {
    return this.#meter.sizes.bytesOf(value);
  }

  /** @throws StoreError when the stage holds more than it may */
  take(bytes: number): void {
    this.#used += bytes;
    if (this.#used > this.#limit) {
      throw new StoreError(
        this.#code,
        `${this.#what} used too much memory and cannot spill to disk. Memory limit: ${this.#limit} bytes`,
      );
    }
  }
}

/** The longest string that is made; no document holds a longer one. */
export const longestText = 16 * 1024 * 1024;

const memberBytes = 16;

/** What operators are about to make: refused before it is made when it is too much, and counted as work. */
export class Work {
  readonly #most: number;
  readonly #meter: Meter;

  constructor({ meter, memoryLimitBytes }: Limits) {
    this.#most = Math.floor(memoryLimitBytes / memberBytes);
    this.#meter = meter;
  }

  /** Counts members of arrays, fields of objects, and turns of loops. */
  add(members: number, name: string): void {
    if (members > this.#most) throw tooMuch(name, `more than ${this.#most} members`);
    this.#meter.charge(members);
  }

  /** Counts the letters of a string. */
  text(length: number, name: string): void {
    if (length > longestText) throw tooMuch(name, 'a string of more than 16 MB');
    this.#meter.charge(length >> 6);
  }
}

const tooMuch = (name: string, what: string): StoreError =>
  new StoreError(146, `${name} would use too much memory: ${what}`);
