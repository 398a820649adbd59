/** About how many bytes values take; what is nested is measured once, as values are never changed. */
import { StoreError } from '../errors.ts';
import type { Value } from '../values/types.ts';

interface Size {
  readonly bytes: number;
  readonly depth: number;
}

const small: Size = { bytes: 16, depth: 0 };
/** A list or document by itself, and one of its places. */
const frameBytes = 40;
const placeBytes = 8;
/** BSON may not be nested deeper. */
const deepest = 180;

/** The sizes of the values of one pipeline. */
export class Sizes {
  readonly #known = new WeakMap<object, Size>();

  /** @throws StoreError 15 for what is nested deeper than BSON may be */
  bytesOf(value: Value): number {
    return this.#of(value).bytes;
  }

  #of(value: Value): Size {
    if (typeof value === 'string') return { bytes: 16 + value.length, depth: 0 };
    if (typeof value !== 'object' || value === null || value instanceof Date) return small;
    if ('_bsontype' in value) return { bytes: binaryBytes(value), depth: 0 };
    const known = this.#known.get(value);
    if (known !== undefined) return known;
    const size = Array.isArray(value) ? this.#list(value, 0) : this.#list(Object.values(value), placeBytes);
    if (size.depth > deepest) throw new StoreError(15, `a value is nested deeper than ${deepest} levels`);
    this.#known.set(value, size);
    return size;
  }

  #list(members: readonly Value[], each: number): Size {
    let bytes = frameBytes + members.length * (placeBytes + each);
    let depth = 0;
    for (const member of members) {
      if (typeof member === 'number') continue;
      const inner = this.#of(member);
      bytes += inner.bytes;
      if (inner.depth > depth) depth = inner.depth;
    }
    return { bytes, depth: depth + 1 };
  }
}

const binaryBytes = (value: object): number =>
  'buffer' in value && value.buffer instanceof Uint8Array ? 64 + value.buffer.length : 64;
