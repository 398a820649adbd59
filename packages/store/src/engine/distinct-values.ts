/** The different values among those of many documents, in the order in which they were met. */
import type { Collation } from 'dossier-language/values';
import { compare, keyOf } from 'dossier-language/values';
import type { Value } from 'dossier-language/values';
import { makeTree } from './tree.ts';

/** Gathers values; those that a collation holds equal are one, shown as the first of them. */
export class DistinctValues {
  readonly values: Value[] = [];
  readonly #isNew: (value: Value, key: string) => boolean;
  #size = 0;

  constructor(collation: Collation | undefined) {
    this.#isNew = collation === undefined ? byKey() : byOrder(collation);
  }

  /** About as many as the values have bytes. */
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
