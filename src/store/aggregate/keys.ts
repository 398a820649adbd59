/** The keys by which values are held equal; with a collation, strings that it does not tell apart have the same. */
import type { Collation } from '../values/collation.ts';
import { isDoc } from '../values/kind.ts';
import { keyOf } from '../values/order.ts';
import { setField } from '../values/decode.ts';
import type { Value } from '../values/types.ts';

/** Makes keys that can be compared with each other. */
export class Keys {
  readonly #collation: Collation | undefined;
  /** One string for all that the collation holds equal, in order. */
  readonly #representatives: string[] = [];

  constructor(collation: Collation | undefined) {
    this.#collation = collation;
  }

  /** The key of a value. */
  of(value: Value): string {
    return keyOf(this.#collation === undefined ? value : this.#represented(value, this.#collation));
  }

  #represented(value: Value, collation: Collation): Value {
    if (typeof value === 'string') return this.#representative(value, collation);
    if (Array.isArray(value)) return value.map((member) => this.#represented(member, collation));
    if (!isDoc(value)) return value;
    const made: Record<string, Value> = {};
    for (const name of Object.keys(value)) setField(made, name, this.#represented(value[name], collation));
    return made;
  }

  #representative(text: string, collation: Collation): string {
    const known = this.#representatives;
    let from = 0;
    let to = known.length;
    while (from < to) {
      const middle = (from + to) >> 1;
      const order = collation.compare(text, known[middle] ?? '');
      if (order === 0) return known[middle] ?? '';
      if (order < 0) to = middle;
      else from = middle + 1;
    }
    known.splice(from, 0, text);
    return text;
  }
}
