/** Estimates the bytes of values and the work of walking them; nested values are measured once, unless they are small. */
import { Decimal128 } from 'bson';
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';

interface Size {
  readonly bytes: number;
  /** Steps of comparing the value with a similar one. */
  readonly steps: number;
  /** Characters of the strings in it. */
  readonly letters: number;
  readonly depth: number;
}

const small: Size = { bytes: 16, steps: 0, letters: 0, depth: 0 };
/** Steps of comparing one list member, and one field with its name. */
const memberSteps = 1 / 8;
const fieldSteps = 1;
const decimalSteps = 20;
/**
 * Steps of comparing one character of a string, of a short one in a list or document, and of copying it. Long strings
 * may be trees of parts, of which reading a character takes longer.
 */
const comparedLetter = 0.5;
const nestedLetter = 0.04;
const walkedLetter = 1 / 64;
const longText = 64;
const longFactor = 8;
/** Walking a member, to encode it or compute its key, costs this many times as much as comparing it. */
const walkFactor = 6;
/** Measuring a field takes as long as this many members of a list. */
const fieldFactor = 6;
/** Overhead of a string, of a list or document, and of one slot of it. */
const stringBytes = 16;
const frameBytes = 40;
const placeBytes = 8;
/** Up to this size a value is measured again: remembering many small ones costs more, and their garbage collection too. */
const forgottenBytes = 512;
/** Maximum nesting depth of BSON. */
const maxDepth = 180;

/** The sizes of the values of one pipeline. */
export class Sizes {
  readonly #known = new WeakMap<object, Size>();
  #measured = 0;

  /** The number of members and fields that have been measured so far. */
  get measured(): number {
    return this.#measured;
  }

  /** @throws StoreError 15 if the value is nested too deeply */
  bytesOf(value: Value): number {
    return this.#of(value).bytes;
  }

  /** Steps of comparing a value with a similar one. */
  stepsToCompare(value: Value): number {
    const { steps, letters } = this.#of(value);
    return steps + letters * (typeof value === 'string' ? comparedLetter : nestedLetter);
  }

  /** Steps of walking a value with everything nested in it. */
  stepsToWalk(value: Value): number {
    const { steps, letters } = this.#of(value);
    return steps * walkFactor + letters * walkedLetter;
  }

  #of(value: Value): Size {
    if (typeof value === 'string')
      return { bytes: stringBytes + value.length, steps: 0, letters: value.length, depth: 0 };
    if (typeof value !== 'object' || value === null || value instanceof Date) return small;
    if ('_bsontype' in value) return sizeOfBson(value);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const size = Array.isArray(value)
      ? this.#list(value, 0, memberSteps)
      : this.#list(Object.values(value), placeBytes, fieldSteps);
    if (size.depth > maxDepth) throw new StoreError(15, `a value is nested deeper than ${maxDepth} levels`);
    if (size.bytes > forgottenBytes) this.#known.set(value, size);
    return size;
  }

  #list(members: readonly Value[], each: number, eachSteps: number): Size {
    this.#measured += 1 + members.length * (each === 0 ? 1 : fieldFactor);
    let bytes = frameBytes + members.length * (placeBytes + each);
    let steps = members.length * eachSteps;
    let letters = 0;
    let depth = 0;
    for (const member of members) {
      if (typeof member === 'number') continue;
      if (typeof member === 'string') {
        bytes += stringBytes + member.length;
        letters += member.length * (member.length < longText ? 1 : longFactor);
        continue;
      }
      const inner = this.#of(member);
      bytes += inner.bytes;
      steps += inner.steps;
      letters += inner.letters;
      if (inner.depth > depth) depth = inner.depth;
    }
    return { bytes, steps, letters, depth: depth + 1 };
  }
}

const other: Size = { ...small, bytes: 64 };
const decimal: Size = { ...other, steps: decimalSteps };

function sizeOfBson(value: object): Size {
  if (value instanceof Decimal128) return decimal;
  if (!('buffer' in value && value.buffer instanceof Uint8Array)) return other;
  return { bytes: 64 + value.buffer.length, steps: value.buffer.length / 256, letters: 0, depth: 0 };
}
