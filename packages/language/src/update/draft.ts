/** A document under change: changed parts are copied first, the rest is shared with the original. */
import { StoreError } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import { arrayIndex, field } from '../values/path.ts';
import { setField } from '../values/path.ts';
import { show } from '../values/show.ts';
import type { Doc, Value } from '../values/types.ts';

/** A path of field names and array indexes. */
export type Parts = readonly string[];

/** The value at a path. */
export type Found =
  | { readonly kind: 'there'; readonly value: Value }
  | { readonly kind: 'missing' }
  /** Whether a value on the path cannot hold the next part. */
  | { readonly kind: 'blocked'; readonly element: Value; readonly at: number };

/** Maximum members that are filled in before one that is set beyond an array's end. */
const maxFill = 1_500_000;

/** Maximum fields that are removed by copying their document: `delete` turns an object into a slow one. */
const maxCopies = 8;

export class Draft {
  #root: Doc;
  /** The containers that were created here and may be changed in place. */
  readonly #own = new Set<object>();
  #removed = 0;

  constructor(doc: Doc) {
    this.#root = doc;
  }

  /** The current document. */
  get doc(): Doc {
    return this.#root;
  }

  /** Looks up a path. */
  find(parts: Parts): Found {
    let value: Value = this.#root;
    for (let at = 0; at < parts.length; at += 1) {
      const part = parts[at] ?? '';
      if (isDoc(value)) value = field(value, part);
      else if (Array.isArray(value) && arrayIndex(part) !== undefined) value = value[Number(part)];
      else return { kind: 'blocked', element: value, at };
      if (value === undefined) return { kind: 'missing' };
    }
    return { kind: 'there', value };
  }

  /** Sets a value and creates missing documents on the path. @throws StoreError 28 if the path is blocked */
  set(parts: Parts, value: Value): void {
    this.#root = this.#ownedDoc(this.#root);
    let container: Value = this.#root;
    for (let at = 0; at < parts.length - 1; at += 1) container = this.#enter(container, parts, at);
    this.#put(container, parts, parts.length - 1, value);
  }

  /** Removes a field; a removed array member becomes null, so that the others keep their indexes. */
  remove(parts: Parts): void {
    if (this.find(parts).kind !== 'there') return;
    const outer = parts.slice(0, -1);
    const parent = this.find(outer);
    if (parent.kind !== 'there') return;
    if (isDoc(parent.value)) this.#removeField(outer, parent.value, parts.at(-1) ?? '');
    else this.set(parts, null);
  }

  /** Copying for each of many fields would take quadratic time. */
  #removeField(outer: Parts, doc: Doc, name: string): void {
    if (this.#own.has(doc)) this.#removed += 1;
    if (this.#own.has(doc) && this.#removed > maxCopies) Reflect.deleteProperty(doc, name);
    else this.#replace(outer, without(doc, name));
  }

  #replace(parts: Parts, doc: Doc): void {
    this.#own.add(doc);
    if (parts.length === 0) this.#root = doc;
    else this.set(parts, doc);
  }

  /** Descends into a container of this draft: copies an existing one, creates a missing one. */
  #enter(container: Value, parts: Parts, at: number): Value {
    const part = parts[at] ?? '';
    const inner = this.#member(container, parts, at);
    if (Array.isArray(inner)) {
      const owned = this.#ownedArray(inner);
      if (owned !== inner) this.#write(container, part, owned);
      return owned;
    }
    if (inner !== undefined && !isDoc(inner)) throw blocked(parts, at + 1, inner);
    const owned = this.#ownedDoc(inner ?? {});
    if (owned !== inner) this.#put(container, parts, at, owned);
    return owned;
  }

  #member(container: Value, parts: Parts, at: number): Value {
    const part = parts[at] ?? '';
    if (isDoc(container)) return field(container, part);
    const place = arrayIndex(part);
    if (place === undefined) throw blocked(parts, at, container);
    return Array.isArray(container) ? container[place] : undefined;
  }

  #put(container: Value, parts: Parts, at: number, value: Value): void {
    const part = parts[at] ?? '';
    if (Array.isArray(container)) {
      const place = arrayIndex(part);
      if (place === undefined) throw blocked(parts, at, container);
      if (place - container.length > maxFill)
        throw new StoreError(2, `can't backfill array to larger than ${maxFill} elements`);
      while (container.length < place) container.push(null);
    }
    this.#write(container, part, value);
  }

  #write(container: Value, part: string, value: Value): void {
    if (Array.isArray(container)) container[Number(part)] = value;
    else if (isDoc(container)) setField(container, part, value);
  }

  #ownedDoc(doc: Doc): Doc {
    if (this.#own.has(doc)) return doc;
    const copy = { ...doc };
    this.#own.add(copy);
    return copy;
  }

  #ownedArray(array: Value[]): Value[] {
    if (this.#own.has(array)) return array;
    const copy = [...array];
    this.#own.add(copy);
    return copy;
  }
}

const without = (doc: Doc, name: string): Doc =>
  Object.fromEntries(Object.entries(doc).filter(([other]) => other !== name));

/** The error of a blocked path: the value before the part cannot contain it. */
export function blocked(parts: Parts, at: number, element: Value): StoreError {
  return new StoreError(
    28,
    `Cannot create field '${parts[at] ?? ''}' in element {${parts[at - 1] ?? ''}: ${show(element)}}`,
  );
}
