/** Resolves paths with `$`, `$[]` or `$[name]` in a document. */
import { StoreError } from '../errors.ts';
import type { Charge } from '../query/index.ts';
import { show } from '../values/show.ts';
import type { Doc, Value } from '../values/types.ts';
import type { ArrayFilters } from './array-filters.ts';
import { badValue } from './change.ts';
import { Draft, type Parts } from './draft.ts';
import { filterName, isDynamic } from './paths.ts';

/** The meaning of the parts with `$`. */
export interface Meanings {
  readonly filters: ArrayFilters;
  /** The index that the query matched, for `$`. */
  readonly position: (() => number | undefined) | undefined;
  readonly charge: Charge;
}

/**
 * Maximum work of one update in one document: members visited, and parts of the paths and values written. The update of
 * a document cannot be interrupted, and this much takes some seconds on a slow machine.
 */
const maxSteps = 600_000;

/** Steps of visiting a member, or of one part of a path. */
const stepsPerPart = 12;

/** Resolves the paths of an update in one document. */
export class Expansion {
  readonly #draft: Draft;
  readonly #meanings: Meanings;
  /** Members found earlier, so that many paths through one array visit it once. */
  readonly #members = new Map<string, readonly number[]>();
  #steps = 0;

  constructor(doc: Doc, meanings: Meanings) {
    this.#draft = new Draft(doc);
    this.#meanings = meanings;
  }

  /**
   * The paths without `$` parts that a path resolves to.
   * @param values the number of values to write at each
   * @throws StoreError 146 for too much work on one document
   */
  of(parts: Parts, values: number): readonly Parts[] {
    const at = parts.findIndex(isDynamic);
    if (at < 0) {
      this.#count(parts.length + values - 1);
      return [parts];
    }
    const before = parts.slice(0, at);
    const after = parts.slice(at + 1);
    return this.#places(before, parts[at] ?? '').flatMap((place) =>
      this.of([...before, String(place), ...after], values),
    );
  }

  #count(steps: number): void {
    this.#steps += steps;
    this.#meanings.charge(steps * stepsPerPart);
    if (this.#steps > maxSteps)
      throw new StoreError(146, 'the update changes too many paths of one document; split it into several updates');
  }

  #places(before: Parts, part: string): readonly number[] {
    const name = filterName(part);
    if (name === undefined) return [matchedPlace(this.#meanings.position)];
    const key = [...before, part].join('.');
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const array = arrayAt(this.#draft, before);
    this.#count(array.length);
    const filter = this.#meanings.filters.get(name);
    const all = [...array.keys()];
    const places = name === '' ? all : all.filter((place) => filter?.matches({ [name]: array[place] }) === true);
    this.#members.set(key, places);
    return places;
  }
}

function matchedPlace(position: Meanings['position']): number {
  const place = position?.();
  if (place === undefined) throw badValue('The positional operator did not find the match needed from the query.');
  return place;
}

function arrayAt(draft: Draft, parts: Parts): readonly Value[] {
  const found = draft.find(parts);
  if (found.kind !== 'there') {
    throw new StoreError(
      2,
      `The path '${parts.join('.')}' must exist in the document in order to apply array updates.`,
    );
  }
  if (!Array.isArray(found.value)) {
    throw new StoreError(
      2,
      `Cannot apply array updates to non-array element ${parts.at(-1) ?? ''}: ${show(found.value)}`,
    );
  }
  return found.value;
}
