/** How much a stage may hold, and how much one evaluation of an expression may make. */
import { Binary } from 'bson';
import { StoreError } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';

const valueBytes = 16;

/** The bytes that a value takes up, roughly. */
export function sizeOf(value: Value): number {
  if (typeof value === 'string') return valueBytes + value.length;
  if (typeof value !== 'object' || value === null) return valueBytes;
  if (Array.isArray(value)) return value.reduce<number>((total, member) => total + sizeOf(member), valueBytes);
  if (isDoc(value)) return sizeOfDoc(value);
  return value instanceof Binary ? valueBytes + value.position : valueBytes * 2;
}

function sizeOfDoc(doc: Doc): number {
  let total = valueBytes;
  for (const name of Object.keys(doc)) total += name.length + sizeOf(doc[name]);
  return total;
}

/** The memory of one stage. */
export class Memory {
  readonly #limit: number;
  readonly #what: string;
  readonly #code: number;
  #used = 0;

  constructor(limit: number, what: string, code = 146) {
    this.#limit = limit;
    this.#what = what;
    this.#code = code;
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

  give(bytes: number): void {
    this.#used -= bytes;
  }
}

/** The longest string, which is that of a document. */
export const longestText = 16 * 1024 * 1024;

const memberBytes = 16;
const arraysPerEvaluation = 10;
const checkEvery = 2_048;

/**
 * What an expression makes for one document: members of arrays, fields of documents, parts of strings. It can't give way
 * to other commands, so its work is bounded, and it looks at the time now and then.
 */
export class Work {
  readonly #most: number;
  readonly #checkTime: () => void;
  #done = 0;
  #nextCheck = checkEvery;

  constructor(memoryLimitBytes: number, checkTime: () => void) {
    this.#most = Math.floor(memoryLimitBytes / memberBytes);
    this.#checkTime = checkTime;
  }

  /** Begins the evaluation for another document. */
  begin(): void {
    this.#done = 0;
    this.#nextCheck = checkEvery;
  }

  /** @throws StoreError 146 when too much was made, 50 or 11601 when the time is over */
  add(members: number, name: string): void {
    this.#done += members;
    if (members > this.#most || this.#done > this.#most * arraysPerEvaluation) {
      throw new StoreError(146, `${name} would use too much memory: more than ${this.#most} members or fields`);
    }
    if (this.#done >= this.#nextCheck) {
      this.#checkTime();
      this.#nextCheck = this.#done + checkEvery;
    }
  }

  /** @throws StoreError 10334 for a string that no document can hold */
  text(length: number, name: string): void {
    if (length > longestText) throw new StoreError(10334, `${name} would make a string of more than 16 MB`);
    this.add(length >> 3, name);
  }
}
