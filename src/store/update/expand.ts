/** Which places of a document a path with `$`, `$[]` or `$[name]` means. */
import { StoreError } from '../errors.ts';
import type { Doc, Value } from '../values/types.ts';
import { show } from '../values/show.ts';
import type { ArrayFilters } from './array-filters.ts';
import { badValue } from './change.ts';
import { Draft, type Parts } from './draft.ts';
import { filterName, isDynamic } from './paths.ts';

/** What the parts with `$` mean. */
export interface Meanings {
  readonly filters: ArrayFilters;
  /** The place that the query matched, for `$`. */
  readonly position: (() => number | undefined) | undefined;
}

/** The paths without `$` parts that a path means in a document. */
export function expand(doc: Doc, parts: Parts, meanings: Meanings): readonly Parts[] {
  const at = parts.findIndex(isDynamic);
  if (at < 0) return [parts];
  const before = parts.slice(0, at);
  const after = parts.slice(at + 1);
  return placesOf(doc, before, parts[at] ?? '', meanings).flatMap((place) =>
    expand(doc, [...before, String(place), ...after], meanings),
  );
}

function placesOf(doc: Doc, before: Parts, part: string, { filters, position }: Meanings): readonly number[] {
  const name = filterName(part);
  if (name === undefined) return [matchedPlace(position)];
  const array = arrayAt(doc, before);
  const places = [...array.keys()];
  if (name === '') return places;
  const filter = filters.get(name);
  return places.filter((place) => filter?.matches({ [name]: array[place] }) === true);
}

function matchedPlace(position: Meanings['position']): number {
  const place = position?.();
  if (place === undefined) throw badValue('The positional operator did not find the match needed from the query.');
  return place;
}

function arrayAt(doc: Doc, parts: Parts): readonly Value[] {
  const found = new Draft(doc).find(parts);
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
