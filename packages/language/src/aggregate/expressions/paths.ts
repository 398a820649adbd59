/** Dotted paths in expressions, `$a.b`. They traverse arrays of documents and do not address members by index. */
import { dollarName, StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { field } from '../../values/path.ts';
import type { Value } from '../../values/types.ts';
import type { Meter } from '../meter.ts';

const maxPathParts = 200;

/** The parts of a path. @throws StoreError 15998, 16410, 40352 or 40353 for an invalid path */
export function readPath(path: string): readonly string[] {
  if (path === '') throw new StoreError(16872, "'$' by itself is not a valid FieldPath");
  if (path.endsWith('.')) throw new StoreError(40353, "FieldPath must not end with a '.'.");
  const parts = path.split('.');
  if (parts.length > maxPathParts) throw new StoreError(9, 'FieldPath is too long');
  for (const part of parts) {
    if (part === '') throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
    if (part.includes('\0')) throw new StoreError(16411, 'FieldPath field names may not contain null bytes.');
    if (part.startsWith('$')) {
      throw dollarName();
    }
  }
  return parts;
}

/** @throws StoreError 16410 or 16412 for a name that a field of an object expression cannot have */
export function checkFieldName(name: string): void {
  if (name.startsWith('$')) {
    throw dollarName();
  }
  if (name.includes('.')) throw new StoreError(16412, "FieldPath field names may not contain '.'.");
}

/** The value at a path; through an array, the values of its documents. The visited members are metered. */
export function valueAlong(start: Value, parts: readonly string[], meter: Meter, from = 0): Value {
  let value = start;
  for (let at = from; at < parts.length; at += 1) {
    if (isDoc(value)) value = field(value, parts[at] ?? '');
    else return Array.isArray(value) ? valuesIn(value, { parts, meter, at }) : undefined;
  }
  return value;
}

interface Way {
  readonly parts: readonly string[];
  readonly meter: Meter;
  readonly at: number;
}

function valuesIn(array: readonly Value[], { parts, meter, at }: Way): Value {
  meter.charge(array.length / 16);
  const found: Value[] = [];
  for (const member of array) {
    const value = isDoc(member) ? valueAlong(member, parts, meter, at) : undefined;
    if (value !== undefined) found.push(value);
  }
  return found;
}
