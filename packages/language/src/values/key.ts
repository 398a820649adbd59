/** String keys of values: equal values have equal keys, different values have different ones. */
import { Binary, BSONRegExp, BSONSymbol, Code, DBRef, Decimal128, Double, ObjectId, Timestamp } from 'bson';
import { compareDecimals, decimalToNumber, exactParts, partsOf } from './decimal.ts';
import { isDoc, rankOf } from './kind.ts';
import type { Value } from './types.ts';

/**
 * The key of a value, for maps and sets: 1, 1.0, a long 1 and a decimal 1 have the same key, and a missing value has
 * that of null.
 */
export function keyOf(value: Value): string {
  if (typeof value === 'string') return `s${value}`;
  if (typeof value === 'number') return numberKey(value);
  if (value instanceof ObjectId) return `o${value.toHexString()}`;
  return byRank.get(rankOf(value))?.(value) ?? 'z';
}

function numberKey(value: Value): string {
  if (value instanceof Decimal128) return decimalKey(value);
  const number = value instanceof Double ? value.value : value;
  if (typeof number === 'number' && Number.isInteger(number) && !Number.isSafeInteger(number))
    return `n${BigInt(number)}`;
  return number === 0 ? 'n0' : `n${String(number)}`;
}

/** A decimal has the key of the double or whole number that it equals, or otherwise its own. */
function decimalKey(value: Decimal128): string {
  const parts = partsOf(value);
  const near = decimalToNumber(parts);
  if (compareDecimals(parts, exactParts(near)) === 0) return numberKey(near);
  if (parts.kind !== 'finite') return numberKey(near);
  let { coefficient, exponent } = parts;
  while (coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return exponent >= 0 && exponent < 40 ? `n${coefficient * 10n ** BigInt(exponent)}` : `n${coefficient}e${exponent}`;
}

/** Prefixes each part with its length, so that different lists of parts give different strings. */
const joined = (parts: readonly string[]): string => parts.map((part) => `${part.length}:${part}`).join('');

function docKey(value: Value): string {
  if (!isDoc(value)) return '';
  const fields = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${joined(fields.flatMap(([name, member]) => [name, keyOf(member)]))}}`;
}

function binaryKey(value: Value): string {
  return value instanceof Binary ? `b${value.sub_type}:${Buffer.from(value.value()).toString('base64')}` : '';
}

function pointerKey(value: Value): string {
  return value instanceof DBRef ? `p${joined([value.collection, value.oid.toHexString()])}` : '';
}

function codeKey(value: Value): string {
  if (!(value instanceof Code)) return '';
  const code = String(value.code);
  return value.scope === null ? `c${code}` : `w${joined([code, docKey(value.scope)])}`;
}

const byRank: ReadonlyMap<number, (value: Value) => string> = new Map<number, (value: Value) => string>([
  [-1, () => '<'],
  [5, () => 'z'],
  [10, numberKey],
  [15, (value) => `s${value instanceof BSONSymbol ? value.value : String(value)}`],
  [20, docKey],
  [25, (value) => (Array.isArray(value) ? `[${joined(value.map(keyOf))}]` : '')],
  [30, binaryKey],
  [40, (value) => (value === true ? 't' : 'f')],
  [45, (value) => `d${value instanceof Date ? value.getTime() : 0}`],
  [47, (value) => (value instanceof Timestamp ? `T${value.toString()}` : '')],
  [50, (value) => (value instanceof BSONRegExp ? `r${joined([value.pattern, value.options])}` : '')],
  [55, pointerKey],
  [60, codeKey],
  [65, codeKey],
  [127, () => '>'],
]);
