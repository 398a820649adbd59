/** Computes the `updateDescription` of a change event: fields set, fields removed, arrays truncated. */
import type { Doc, Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';
import { same } from 'dossier-language/values';

/** The difference between two versions of a document. */
export interface Difference {
  /** MongoDB's `updateDescription`. */
  readonly description: Doc;
  /** Estimated bytes of the earlier version that the later version does not share in memory. */
  readonly unshared: number;
}

interface Found {
  readonly updatedFields: Map<string, Value>;
  readonly removedFields: string[];
  readonly truncatedArrays: Doc[];
  unshared: number;
}

/** Maximum changed members of an array that are listed one by one; beyond it the whole array is smaller. */
const maxMembers = 500;
/** Bytes of one slot of an array or a document in memory. */
const placeBytes = 16;

/** Compares two versions of a document. Shared values are skipped. */
export function differenceOf(before: Doc, after: Doc): Difference {
  const found: Found = { updatedFields: new Map(), removedFields: [], truncatedArrays: [], unshared: 0 };
  inDocument(before, after, '', found);
  return {
    description: {
      // names come from callers, and one may be __proto__
      updatedFields: Object.fromEntries(found.updatedFields),
      removedFields: found.removedFields,
      truncatedArrays: found.truncatedArrays,
    },
    unshared: found.unshared,
  };
}

function inDocument(before: Doc, after: Doc, prefix: string, found: Found): void {
  for (const name of Object.keys(before)) {
    found.unshared += placeBytes;
    if (!Object.hasOwn(after, name)) found.removedFields.push(prefix + name);
  }
  for (const [name, value] of Object.entries(after)) {
    inValue(Object.hasOwn(before, name) ? before[name] : undefined, value, prefix + name, found);
  }
}

function inValue(before: Value, after: Value, path: string, found: Found): void {
  if (same(before, after)) return;
  if (isDoc(before) && isDoc(after)) {
    inDocument(before, after, `${path}.`, found);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    inArray(before, after, path, found);
  } else {
    found.unshared += roughSize(before);
    found.updatedFields.set(path, after);
  }
}

function inArray(before: Value[], after: Value[], path: string, found: Found): void {
  found.unshared += before.length * placeBytes;
  const changed: number[] = [];
  for (let at = 0; at < after.length && changed.length <= maxMembers; at += 1) {
    if (at >= before.length || !same(before[at], after[at])) changed.push(at);
  }
  if (changed.length > maxMembers) {
    found.updatedFields.set(path, after);
    return;
  }
  if (after.length < before.length) found.truncatedArrays.push({ field: path, newSize: after.length });
  for (const at of changed) {
    if (at < before.length) inValue(before[at], after[at], `${path}.${at}`, found);
    else found.updatedFields.set(`${path}.${at}`, after[at]);
  }
}

const roughSize = (value: Value): number => (typeof value === 'string' ? value.length : placeBytes);
