/** Which filters and projections may take long for a single document. */
import { BSONRegExp } from 'bson';
import type { Value } from 'dossier-language/values';
import { isDoc } from 'dossier-language/values';

/** The operators that take a time which is proportional to the size of the document. */
const short: ReadonlySet<string> = new Set([
  ...['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$in', '$nin', '$size', '$exists', '$type', '$mod', '$not'],
  ...['$and', '$or', '$nor', '$comment', '$slice', '$meta'],
  ...['$bitsAllSet', '$bitsAnySet', '$bitsAllClear', '$bitsAnyClear'],
]);

/** Whether a filter or a projection has an expression, a regular expression or another part that may take long. */
export function hasLongParts(value: Value): boolean {
  if (value instanceof BSONRegExp) return true;
  if (Array.isArray(value)) return value.some(hasLongParts);
  return isDoc(value) && Object.keys(value).some((name) => isLong(name) || hasLongParts(value[name]));
}

const isLong = (name: string): boolean => name.startsWith('$') && !short.has(name);
