/** Memory limits of stages and expressions. */
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import { costOf } from './costs.ts';
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

  /** Counts a retained value. */
  keep(value: Value): void {
    this.take(this.sizeOf(value));
  }

  /** Counts released values. */
  drop(values: readonly Value[]): void {
    for (const value of values) this.#used -= this.sizeOf(value);
  }

  /** Estimated bytes of a value. */
  sizeOf(value: Value): number {
    return this.#meter.sizes.bytesOf(value);
  }

  /** @throws StoreError if the stage exceeds its limit */
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

/** Maximum bytes of a string, the same as of a document. */
export const maxTextBytes = 16 * 1024 * 1024;

const memberBytes = 16;

/** Steps of one repetition, of one operand besides its evaluation, of a replacement, and of creating an error. */
const repetitionSteps = 0.5;
const operandSteps = 1;
const replacementSteps = 9;
const errorSteps = 200;
/** From this many fields on, copying one takes so many times as long. */
const manyFields = 512;
const slowFields = 12;

/** The work and size of what operators are about to produce. It refuses a result that is too large before it exists. */
export class Work {
  readonly #maxMembers: number;
  readonly #meter: Meter;

  constructor({ meter, memoryLimitBytes }: Limits) {
    this.#maxMembers = Math.floor(memoryLimitBytes / memberBytes);
    this.#meter = meter;
  }

  /** @throws StoreError 146 for more members than the memory limit allows */
  fits(members: number, name: string): void {
    if (members > this.#maxMembers) throw tooMuch(name, `more than ${this.#maxMembers} members`);
  }

  /** Counts array members, object fields or loop iterations. @throws StoreError 146 for too many */
  add(members: number, name: string): void {
    this.fits(members, name);
    this.#meter.charge(members * costOf(name).member);
  }

  /** Counts one repetition of a loop. */
  repeat(): void {
    this.#meter.charge(repetitionSteps);
  }

  /** Counts the fields of a document that is copied. A document of many fields is a table of hashes, which is slow. */
  fields(count: number, name: string): void {
    this.add(count > manyFields ? count * slowFields : count, name);
  }

  /** Counts a part of a string that a function replaces. */
  replaced(): void {
    this.#meter.charge(replacementSteps);
  }

  /** Counts the operands of an operator. */
  operands(count: number): void {
    this.#meter.charge(count * operandSteps);
  }

  /** Counts an error that the operator catches. */
  caught(): void {
    this.#meter.charge(errorSteps);
  }

  /** @throws StoreError 146 for a string of more than 16 MB */
  fitsText(length: number, name: string): void {
    if (length > maxTextBytes) throw tooMuch(name, 'a string of more than 16 MB');
  }

  /** Counts the characters of a string. @throws StoreError 146 for too many */
  text(length: number, name: string): void {
    this.fitsText(length, name);
    this.#meter.charge(length * costOf(name).letter);
  }
}

const tooMuch = (name: string, what: string): StoreError =>
  new StoreError(146, `${name} would use too much memory: ${what}`);
