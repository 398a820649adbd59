/** The equality match of `$lookup` and `$graphLookup`. */
import { BSONRegExp } from 'bson';
import { anyAt } from '../../query/walk.ts';
import { valuesAt } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { Keys } from '../keys.ts';

/** The values to match: each member of an array, and null for none. */
export function localValues(doc: Doc, path: string): readonly Value[] {
  const values = valuesAt(doc, path);
  return values.length === 0 ? [null] : values;
}

/** The filter for documents with one of some values at a path; regular expressions count as values. */
export function oneOf(path: string, values: readonly Value[]): Doc {
  const regexes = values.filter((value) => value instanceof BSONRegExp);
  const others = values.filter((value) => !(value instanceof BSONRegExp));
  if (regexes.length === 0) return { [path]: { $in: others } };
  return { $or: [{ [path]: { $in: others } }, ...regexes.map((regex) => ({ [path]: { $eq: regex } }))] };
}

/** Looks up documents in memory by their values at a path. */
export class EqualityIndex {
  readonly #keys: Keys;
  readonly #places = new Map<string, number[]>();
  readonly #docs: readonly Doc[];

  private constructor(docs: readonly Doc[], context: PipelineContext) {
    this.#docs = docs;
    this.#keys = new Keys(context);
  }

  static async of(docs: readonly Doc[], path: string, context: PipelineContext): Promise<EqualityIndex> {
    const index = new EqualityIndex(docs, context);
    const keysOf = keyCollector(path, index.#keys);
    for (const [place, doc] of docs.entries()) {
      for (const key of keysOf(doc)) index.#add(key, place);
      if (context.due()) await context.yield();
    }
    return index;
  }

  #add(key: string, place: number): void {
    const places = this.#places.get(key);
    if (places === undefined) this.#places.set(key, [place]);
    else places.push(place);
  }

  /** The documents with one of the values, in their original order. */
  find(values: readonly Value[]): readonly Doc[] {
    const [only] = values;
    const places =
      values.length === 1
        ? (this.#places.get(this.#keys.of(only)) ?? [])
        : [...new Set(values.flatMap((value) => this.#places.get(this.#keys.of(value)) ?? []))].sort((a, b) => a - b);
    return places.map((place) => this.#docs[place]).filter((doc) => doc !== undefined);
  }
}

/** Collects the keys of all values that a condition on a path would test. */
function keyCollector(path: string, keys: Keys): (doc: Doc) => ReadonlySet<string> {
  let found = new Set<string>();
  const visit = anyAt(path, {
    test: (value) => {
      found.add(keys.of(value));
      return false;
    },
    arrays: 'members too',
  });
  return (doc) => {
    found = new Set();
    visit(doc);
    return found;
  };
}
