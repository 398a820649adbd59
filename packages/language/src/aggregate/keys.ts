/** Keys for grouping by equality; strings that are equal by the collation have the same key. */
import type { Collation } from '../values/collation.ts';
import { isDoc } from '../values/kind.ts';
import { keyOf } from '../values/order.ts';
import { setField } from '../values/path.ts';
import type { Value } from '../values/types.ts';
import type { PipelineContext } from './context.ts';
import type { Meter } from './meter.ts';

const stepsToSearch = 4;

/** Creates keys that are comparable with each other. */
export class Keys {
  readonly #collation: Collation | undefined;
  readonly #meter: Meter;
  /** One representative per set of equal strings, in order. */
  readonly #representatives: string[] = [];

  constructor({ collation, meter }: Pick<PipelineContext, 'collation' | 'meter'>) {
    this.#collation = collation;
    this.#meter = meter;
  }

  /** The key of a value. */
  of(value: Value): string {
    this.#meter.walked(value);
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
    // comparing by a collation is slow, and inserting moves the entries that follow
    this.#meter.charge(stepsToSearch + text.length / 8 + known.length / 512);
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
