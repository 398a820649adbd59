/** Estimates the bytes of values and the work of walking them; nested values are measured once. */
import { Decimal128 } from 'bson';
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';

interface Size {
  readonly bytes: number;
  /** Steps of comparing the value with a similar one. */
  readonly steps: number;
  readonly depth: number;
}

const small: Size = { bytes: 16, steps: 0, depth: 0 };
/** Steps of comparing one list member, and one field with its name. */
const memberSteps = 1 / 8;
const fieldSteps = 1 / 2;
const decimalSteps = 4;
/** Overhead of a list or document, and of one slot of it. */
const frameBytes = 40;
const placeBytes = 8;
/** Maximum nesting depth of BSON. */
const maxDepth = 180;

/** The sizes of the values of one pipeline. */
export class Sizes {
  readonly #known = new WeakMap<object, Size>();

  /** @throws StoreError 15 if the value is nested too deeply */
  bytesOf(value: Value): number {
    return this.#of(value).bytes;
  }

  /** Steps of comparing a value with a similar one. */
  stepsOf(value: Value): number {
    return this.#of(value).steps;
  }

  #of(value: Value): Size {
    if (typeof value === 'string') return { bytes: 16 + value.length, steps: value.length / 64, depth: 0 };
    if (typeof value !== 'object' || value === null || value instanceof Date) return small;
    if ('_bsontype' in value) return sizeOfBson(value);
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const size = Array.isArray(value)
      ? this.#list(value, 0, memberSteps)
      : this.#list(Object.values(value), placeBytes, fieldSteps);
    if (size.depth > maxDepth) throw new StoreError(15, `a value is nested deeper than ${maxDepth} levels`);
    this.#known.set(value, size);
    return size;
  }

  #list(members: readonly Value[], each: number, eachSteps: number): Size {
    let bytes = frameBytes + members.length * (placeBytes + each);
    let steps = members.length * eachSteps;
    let depth = 0;
    for (const member of members) {
      if (typeof member === 'number') continue;
      const inner = this.#of(member);
      bytes += inner.bytes;
      steps += inner.steps;
      if (inner.depth > depth) depth = inner.depth;
    }
    return { bytes, steps, depth: depth + 1 };
  }
}

const other: Size = { bytes: 64, steps: 0, depth: 0 };
const decimal: Size = { ...other, steps: decimalSteps };

function sizeOfBson(value: object): Size {
  if (value instanceof Decimal128) return decimal;
  if (!('buffer' in value && value.buffer instanceof Uint8Array)) return other;
  return { bytes: 64 + value.buffer.length, steps: value.buffer.length / 256, depth: 0 };
}
