/** What an update changed, as change events tell it: fields set, fields gone, arrays cut. */
import { isDoc } from '../../values/kind.ts';
import { same } from '../../values/same.ts';
import type { Doc, Value } from '../../values/types.ts';

interface Difference {
  readonly updatedFields: Record<string, Value>;
  readonly removedFields: string[];
  readonly truncatedArrays: Doc[];
}

/** The `updateDescription` that leads from one version to the next. */
export function differenceOf(before: Doc, after: Doc): Doc {
  const difference: Difference = { updatedFields: {}, removedFields: [], truncatedArrays: [] };
  inDocument(before, after, '', difference);
  return {
    updatedFields: difference.updatedFields,
    removedFields: difference.removedFields,
    truncatedArrays: difference.truncatedArrays,
  };
}

function inDocument(before: Doc, after: Doc, prefix: string, difference: Difference): void {
  for (const name of Object.keys(before)) {
    if (!Object.hasOwn(after, name)) difference.removedFields.push(prefix + name);
  }
  for (const [name, value] of Object.entries(after)) {
    inValue(Object.hasOwn(before, name) ? before[name] : undefined, value, prefix + name, difference);
  }
}

function inValue(before: Value, after: Value, path: string, difference: Difference): void {
  if (same(before, after)) return;
  if (isDoc(before) && isDoc(after)) {
    inDocument(before, after, `${path}.`, difference);
  } else if (Array.isArray(before) && Array.isArray(after)) {
    inArray(before, after, path, difference);
  } else {
    set(difference.updatedFields, path, after);
  }
}

function inArray(before: readonly Value[], after: readonly Value[], path: string, difference: Difference): void {
  if (after.length < before.length) difference.truncatedArrays.push({ field: path, newSize: after.length });
  after.forEach((value, at) => {
    if (at < before.length) inValue(before[at], value, `${path}.${at}`, difference);
    else set(difference.updatedFields, `${path}.${at}`, value);
  });
}

function set(fields: Record<string, Value>, path: string, value: Value): void {
  Object.defineProperty(fields, path, { value, enumerable: true, configurable: true, writable: true });
}
