/** Walks the values at a path of a document: arrays are entered by MongoDB's rules. */
import { isDoc } from '../values/kind.ts';
import { arrayIndex, field, partsOf } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';
import type { Charge } from './regex/metered-text.ts';

/** A test of one value; undefined is a missing one. */
export type Test = (value: Value) => boolean;

/** What is tested at the end of a path: an array's members and the array, or the array only. */
type ArraysAtEnd = 'members too' | 'as a whole';

/** Minimum length of an array whose visit is metered. */
export const longArray = 512;
/** Members per step, and steps of entering one that is a document. */
const membersPerStep = 3;
const stepsPerDocument = 4;

/** How to test the values at the end of a path. */
export interface PathEnd {
  readonly test: Test;
  readonly arrays: ArraysAtEnd;
  /** The position that a test found inside of the value. */
  readonly within?: ((value: Value) => number | undefined) | undefined;
  readonly charge?: Charge | undefined;
}

function chargeFor({ length }: readonly Value[], charge: Charge | undefined): void {
  if (length >= longArray) charge?.(length / membersPerStep);
}

/** A parsed dotted path. */
interface Path {
  readonly parts: readonly string[];
  /** For each part, the array index that it names. */
  readonly places: readonly (number | undefined)[];
}

const pathOf = (path: string): Path => {
  const parts = partsOf(path);
  return { parts, places: parts.map(arrayIndex) };
};

/** Creates a test that holds if any value at the path passes. */
export function anyAt(path: string, { test, arrays, charge }: PathEnd): (doc: Doc) => boolean {
  const atEnd = arrays === 'as a whole' ? test : (value: Value): boolean => orMember(value, test, charge);
  if (!path.includes('.')) return (doc) => atEnd(field(doc, path));
  const walk: Walk = { ...pathOf(path), test, atEnd, charge };
  return (doc) => inDoc(walk, doc, 0);
}

interface Walk extends Path {
  /** A value addressed by index is tested as it is. */
  readonly test: Test;
  readonly atEnd: Test;
  readonly charge: Charge | undefined;
}

function orMember(value: Value, test: Test, charge: Charge | undefined): boolean {
  if (!Array.isArray(value)) return test(value);
  chargeFor(value, charge);
  for (const member of value) if (test(member)) return true;
  return test(value);
}

function inDoc(walk: Walk, doc: Doc, from: number): boolean {
  let value: Value = doc;
  for (let at = from; at < walk.parts.length; at += 1) {
    if (isDoc(value)) value = field(value, walk.parts[at] ?? '');
    else return Array.isArray(value) ? inArray(walk, value, at) : walk.test(undefined);
  }
  return walk.atEnd(value);
}

/** Documents in an array are entered by name, and any member by its index, so one document may be entered twice. */
function inArray(walk: Walk, array: readonly Value[], at: number): boolean {
  if (array.length >= longArray) walk.charge?.(array.length * stepsPerDocument);
  const place = walk.places[at];
  for (let index = 0; index < array.length; index += 1) {
    const member = array[index];
    if (isDoc(member) && inDoc(walk, member, at)) return true;
    if (index === place && namedMember(walk, member, at + 1)) return true;
  }
  return false;
}

function namedMember(walk: Walk, member: Value, at: number): boolean {
  if (at === walk.parts.length) return walk.test(member);
  if (isDoc(member)) return inDoc(walk, member, at);
  return Array.isArray(member) && inArray(walk, member, at);
}

/**
 * Creates the function that finds the match position of a document: the index in the outermost array that was entered
 * without an index.
 */
export function placeAt(path: string, end: PathEnd) {
  const search: Search = { ...pathOf(path), ...end };
  return (doc: Doc): number | undefined => findInDoc(search, doc, 0)?.place;
}

interface Search extends Path, PathEnd {}

type Found = { readonly place: number | undefined } | undefined;

function findInDoc(search: Search, doc: Doc, from: number): Found {
  let value: Value = doc;
  for (let at = from; at < search.parts.length; at += 1) {
    if (isDoc(value)) value = field(value, search.parts[at] ?? '');
    else return Array.isArray(value) ? findInArray(search, value, at) : tried(search, undefined);
  }
  return atEndOf(search, value);
}

function atEndOf(search: Search, value: Value): Found {
  if (Array.isArray(value) && search.arrays === 'members too') {
    chargeFor(value, search.charge);
    const place = value.findIndex((member) => search.test(member));
    if (place >= 0) return { place };
  }
  return tried(search, value);
}

const tried = (search: Search, value: Value): Found =>
  search.test(value) ? { place: search.within?.(value) } : undefined;

function findInArray(search: Search, array: readonly Value[], at: number): Found {
  chargeFor(array, search.charge);
  const place = search.places[at];
  for (let index = 0; index < array.length; index += 1) {
    const member = array[index];
    if (isDoc(member) && findInDoc(search, member, at) !== undefined) return { place: index };
    const found = index === place ? findNamed(search, member, at + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

function findNamed(search: Search, member: Value, at: number): Found {
  if (at === search.parts.length) return tried(search, member);
  if (isDoc(member)) return findInDoc(search, member, at);
  return Array.isArray(member) ? findInArray(search, member, at) : undefined;
}
