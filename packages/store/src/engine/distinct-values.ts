/** The distinct values of many documents, in order of first occurrence. */
import type { Collation } from 'dossier-language/values';
import type { Value } from 'dossier-language/values';
import { compare, keyOf } from 'dossier-language/values';
import { makeTree } from './tree.ts';

/** Collects values. Values that are equal by the collation count as one and are reported as the first of them. */
export class DistinctValues {
  readonly values: Value[] = [];
  readonly #isNew: (value: Value, key: string) => boolean;
  #size = 0;

  constructor(collation: Collation | undefined) {
    this.#isNew = collation === undefined ? byKey() : byOrder(collation);
  }

  /** Estimated bytes of the values. */
  get size(): number {
    return this.#size;
  }

  add(value: Value): void {
    const key = keyOf(value);
    if (!this.#isNew(value, key)) return;
    this.values.push(value);
    this.#size += key.length;
  }
}

function byKey(): (value: Value, key: string) => boolean {
  const seen = new Set<string>();
  return (_value, key) => seen.size !== seen.add(key).size;
}

function byOrder(collation: Collation): (value: Value) => boolean {
  const seen = makeTree<Value, true>((a, b) => compare(a, b, collation));
  return (value) => seen.set(value, true);
}
