/** The error for a key of a unique index that another document has. */
import { StoreError } from 'dossier-language/errors';
import type { Value } from 'dossier-language/values';
import { show } from 'dossier-language/values';
import type { IndexSpec } from './index-spec.ts';

/** MongoDB's duplicate key error. */
export function duplicateKey(
  ns: string,
  { name, key: pattern, collation }: Pick<IndexSpec, 'name' | 'key' | 'collation'>,
  values: readonly Value[],
): StoreError {
  const paths = Object.keys(pattern);
  const keyValue: Record<string, Value> = {};
  paths.forEach((path, at) => {
    Object.defineProperty(keyValue, path, { value: values[at], enumerable: true, configurable: true, writable: true });
  });
  const shown = paths.map((path, at) => `${path}: ${shownValue(values[at])}`).join(', ');
  const compared = collation ? ` collation: ${show(collation.shown)}` : '';
  return new StoreError(
    11000,
    `E11000 duplicate key error collection: ${ns} index: ${name}${compared} dup key: { ${shown} }`,
    { keyPattern: pattern, keyValue, ...(collation ? { collation: collation.shown } : {}) },
  );
}

function shownValue(value: Value): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (Array.isArray(value)) return `[ ${value.map(shownValue).join(', ')} ]`;
  if (typeof value !== 'object') return String(value);
  if ('_bsontype' in value) return value._bsontype === 'ObjectId' ? `ObjectId('${String(value)}')` : String(value);
  return `{ ${Object.entries(value)
    .map(([name, inner]) => `${name}: ${shownValue(inner)}`)
    .join(', ')} }`;
}
