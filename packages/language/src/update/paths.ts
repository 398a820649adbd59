/** The paths of an update: their rules, their order and their conflicts. */
import { StoreError } from '../errors.ts';
import { maxDepth } from '../values/encode.ts';
import { arrayIndex } from '../values/path.ts';
import type { Parts } from './draft.ts';

const filtered = /^\$\[(.*)\]$/s;

/** The name in `$[name]`; empty for `$[]`, undefined for other parts. */
export const filterName = (part: string): string | undefined => filtered.exec(part)?.[1];

/** Whether a part depends on the document: `$`, `$[]`, `$[name]`. */
export const isDynamic = (part: string): boolean => part === '$' || filtered.test(part);

/** Parses the path of an update. @throws StoreError 56, 2 or 15 for an invalid path */
export function readPath(path: string): Parts {
  if (path === '') throw new StoreError(56, 'An empty update path is not valid.');
  const parts = path.split('.');
  if (parts.includes('')) {
    throw new StoreError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  }
  if (parts.length > maxDepth) throw new StoreError(15, `an update path has more than ${maxDepth} parts`);
  if (parts.filter((part) => part === '$').length > 1) {
    throw new StoreError(2, `Too many positional (i.e. '$') elements found in path '${path}'`);
  }
  parts.forEach((part, at) => checkPart(part, at, path));
  return parts;
}

function checkPart(part: string, at: number, path: string): void {
  if (at > 0 || !isDynamic(part)) return;
  const kind = part === '$' ? 'positional' : 'array filter identifier';
  throw new StoreError(2, `Cannot have ${kind} (i.e. '${part}') element in the first position in path '${path}'`);
}

/** The order in which paths are written: part by part, numbers by value. */
export function comparePaths(a: Parts, b: Parts): number {
  const length = Math.min(a.length, b.length);
  for (let at = 0; at < length; at += 1) {
    const order = compareParts(a[at] ?? '', b[at] ?? '');
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

function compareParts(a: string, b: string): number {
  if (a === b) return 0;
  const left = arrayIndex(a);
  const right = arrayIndex(b);
  if (left !== undefined && right !== undefined) return left - right;
  return a < b ? -1 : 1;
}

/**
 * Checks that no member of an array is written both by a filter (`$[]`, `$[name]`) and by its number, its name or `$`, whether or not they
 * meet in a document, as MongoDB does.
 * @throws StoreError 40
 */
export function checkFilteredPlaces(paths: readonly Parts[]): void {
  const isFiltered = new Map<string, boolean>();
  for (const path of paths) {
    for (let at = 1; at < path.length; at += 1) {
      const before = path.slice(0, at).join('.');
      const here = filtered.test(path[at] ?? '');
      if ((isFiltered.get(before) ?? here) !== here)
        throw new StoreError(40, `Updating the path '${path.join('.')}' would create a conflict at '${before}'`);
      isFiltered.set(before, here);
    }
  }
}

/**
 * Checks that none of the paths, sorted by `comparePaths`, equals another or is a prefix of it.
 * @throws StoreError 40
 */
export function checkConflicts(sorted: readonly Parts[]): void {
  for (const [at, path] of sorted.entries()) {
    const next = sorted[at + 1];
    if (next !== undefined && path.every((part, index) => next[index] === part)) {
      throw new StoreError(40, `Updating the path '${next.join('.')}' would create a conflict at '${path.join('.')}'`);
    }
  }
}
