/** Changes of postings that are collected in memory, so that each block is rewritten once for many of them. */
import { type Flat, placeIn } from './flat.ts';

/** The score of a change that removes a document from a term. */
const removed = -1;

/** Initial length of the arrays of a layer. */
const initialLength = 64;
/** Estimated bytes of a change in a layer, and of a term. */
const changeBytes = 30;
const termBytes = 130;

/** Some changes. */
export interface PendingChanges {
  /** The last change of each document of a term, in ascending order: its number and its score, or -1 if it is removed. */
  changesOf(term: string): Flat;
}

/** Changes that no others are added to. */
export interface FrozenChanges extends PendingChanges {
  /** The terms that change. A term can occur several times. */
  readonly terms: Iterable<string>;
}

/** The last change of each document of a term, in ascending order. */
export type TermChanges = readonly [term: string, changes: Flat];

/** Changes that are not saved yet. */
export interface UnsavedChanges {
  /** A term can occur several times, with its older changes first. */
  readonly changes: Iterable<TermChanges>;
  /** Called when they are saved. */
  readonly done: () => void;
}

/** Changes in the order in which they were made. A change is never modified, so their number is a snapshot. */
class Layer {
  /** The last change of each term. */
  readonly #last = new Map<string, number>();
  #sequences = new Float64Array(initialLength);
  #scores = new Float64Array(initialLength);
  /** The change of the same term before each change; -1 for none. */
  #previous = new Int32Array(initialLength);
  /** Number of changes, and of those that are saved. */
  size = 0;
  saved = 0;
  /** Estimated bytes of the changes. */
  bytes = 0;

  get terms(): Iterable<string> {
    return this.#last.keys();
  }

  /** Adds a change. @returns the estimated bytes that it takes */
  add(term: string, sequence: number, score: number): number {
    const at = this.size;
    if (at === this.#sequences.length) this.#grow();
    const previous = this.#last.get(term);
    this.#last.set(term, at);
    this.#sequences[at] = sequence;
    this.#scores[at] = score;
    this.#previous[at] = previous ?? -1;
    this.size = at + 1;
    const bytes = previous === undefined ? changeBytes + termBytes : changeBytes;
    this.bytes += bytes;
    return bytes;
  }

  #grow(): void {
    const grow = <T extends Float64Array | Int32Array>(old: T, larger: T): T => {
      larger.set(old);
      return larger;
    };
    const length = this.size * 2;
    this.#sequences = grow(this.#sequences, new Float64Array(length));
    this.#scores = grow(this.#scores, new Float64Array(length));
    this.#previous = grow(this.#previous, new Int32Array(length));
  }

  /** The last change of each document of a term from the change `first` to before the change `end`. */
  changesOf(term: string, end: number, first = 0): Flat {
    const backwards: Flat = [];
    for (let at = this.#last.get(term) ?? -1; at >= first; at = this.#previous[at] ?? -1) {
      if (at < end) backwards.push(this.#scores[at] ?? 0, this.#sequences[at] ?? 0);
    }
    return lastOfEach(backwards.reverse());
  }

  /** The changes from `first` to before `end`, by their terms. Later changes may be made meanwhile. */
  *changesBetween(first: number, end: number): Generator<TermChanges> {
    for (const [term, last] of this.#last) {
      if (last < first) continue;
      const changes = this.changesOf(term, end, first);
      if (changes.length > 0) yield [term, changes];
    }
  }
}

/** The last change of each document in ascending order. Most changes are in that order already. */
function lastOfEach(changes: Flat): Flat {
  const isAscending = changes.every((number, at) => at % 2 === 1 || at === 0 || number > (changes[at - 2] ?? 0));
  if (isAscending) return changes;
  const scores = new Map<number, number>();
  for (let at = 0; at < changes.length; at += 2) scores.set(changes[at] ?? 0, changes[at + 1] ?? 0);
  return [...scores].sort(([a], [b]) => a - b).flat();
}

/** The first changes of a layer. */
interface Part {
  readonly layer: Layer;
  readonly end: number;
}

function* unsavedOf(parts: readonly (Part & { readonly first: number })[]): Generator<TermChanges> {
  for (const { layer, first, end } of parts) yield* layer.changesBetween(first, end);
}

function partsOf(layers: readonly Layer[]): FrozenChanges {
  const parts: readonly Part[] = layers.map((layer) => ({ layer, end: layer.size }));
  return {
    get terms() {
      return parts.flatMap(({ layer }) => [...layer.terms]);
    },
    changesOf: (term) =>
      parts.reduce<Flat>((changes, { layer, end }) => overlaid(changes, layer.changesOf(term, end)), []),
  };
}

/** The changes of a text index that its blocks may not contain yet. */
export class PendingPostings {
  /** Oldest first. The last one takes new changes. */
  #layers: readonly Layer[] = [];
  #current = new Layer();
  #bytes = 0;
  readonly #onGrowth: (bytes: number) => void;

  /** @param onGrowth called with the estimated bytes of each change that is not saved */
  constructor(onGrowth: (bytes: number) => void) {
    this.#onGrowth = onGrowth;
  }

  /** Estimated bytes of all changes in memory. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Sets the score of a term in a document. */
  put(term: string, sequence: number, score: number): void {
    this.#onGrowth(this.#add(term, sequence, score));
  }

  /** Removes a document from a term. */
  delete(term: string, sequence: number): void {
    this.#onGrowth(this.#add(term, sequence, removed));
  }

  #add(term: string, sequence: number, score: number): number {
    const bytes = this.#current.add(term, sequence, score);
    this.#bytes += bytes;
    return bytes;
  }

  /** Restores saved changes, which come before all others. */
  restore([term, changes]: TermChanges): void {
    for (let at = 0; at < changes.length; at += 2) this.#add(term, changes[at] ?? 0, changes[at + 1] ?? 0);
    this.#current.saved = this.#current.size;
  }

  /** The changes so far that are not saved; undefined if there are none. */
  unsaved(): UnsavedChanges | undefined {
    const parts = [...this.#layers, this.#current]
      .filter(({ size, saved }) => saved < size)
      .map((layer) => ({ layer, first: layer.saved, end: layer.size }));
    if (parts.length === 0) return undefined;
    const done = (): void => {
      for (const { layer, end } of parts) layer.saved = end;
    };
    return { changes: unsavedOf(parts), done };
  }

  /** Drops all changes. */
  clear(): void {
    this.#layers = [];
    this.#current = new Layer();
    this.#bytes = 0;
  }

  /** The changes as of now. Later ones are not visible. */
  snapshot(): PendingChanges {
    return partsOf([...this.#layers, this.#current]);
  }

  /** The changes so far, to merge them; undefined if there are none. Later ones are kept apart. */
  freeze(): FrozenChanges | undefined {
    if (this.#current.size > 0) {
      this.#layers = [...this.#layers, this.#current];
      this.#current = new Layer();
    }
    return this.#layers.length === 0 ? undefined : partsOf(this.#layers);
  }

  /** Drops the frozen changes: the blocks contain them. */
  dropFrozen(): void {
    for (const { bytes } of this.#layers) this.#bytes -= bytes;
    this.#layers = [];
  }
}

/** Two sorted lists of changes or postings as one. Of two entries of a document the newer one is taken. */
function overlaid(older: Flat, newer: Flat): Flat {
  if (older.length === 0) return newer;
  if (newer.length === 0) return older;
  const first = placeIn(older, newer[0] ?? 0);
  if (first === older.length) return older.concat(newer);
  const joined = older.slice(0, first);
  let at = first;
  for (let next = 0; next < newer.length; next += 2) {
    const [sequence = 0, score = 0] = [newer[next], newer[next + 1]];
    for (; at < older.length && (older[at] ?? 0) < sequence; at += 2) joined.push(older[at] ?? 0, older[at + 1] ?? 0);
    if (older[at] === sequence) at += 2;
    joined.push(sequence, score);
  }
  for (; at < older.length; at += 1) joined.push(older[at] ?? 0);
  return joined;
}

/** Postings after changes. */
export function changed(flat: Flat, changes: Flat): Flat {
  const joined = overlaid(flat, changes);
  if (!changes.includes(removed)) return joined;
  return joined.filter((_number, at) => joined[at % 2 === 0 ? at + 1 : at] !== removed);
}
