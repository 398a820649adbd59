/** Decimal128 as an exact number: its parts, and its order among the other number types. */
import type { Decimal128 } from 'bson';

/** The parts of a decimal; its value is `coefficient * 10 ** exponent` with a signed coefficient. */
export type DecimalParts =
  | { readonly kind: 'finite'; readonly coefficient: bigint; readonly exponent: number; readonly negative: boolean }
  | { readonly kind: 'infinity'; readonly negative: boolean }
  | { readonly kind: 'nan' };

const bias = 6176;
const maxCoefficient = 10n ** 34n - 1n;
const low49 = (1n << 49n) - 1n;

/** The parts of a decimal. */
export function partsOf(value: Decimal128): DecimalParts {
  const view = new DataView(value.bytes.buffer, value.bytes.byteOffset, 16);
  const high = view.getBigUint64(8, true);
  const negative = high >> 63n === 1n;
  const combination = Number((high >> 58n) & 31n);
  if (combination === 31) return { kind: 'nan' };
  if (combination === 30) return { kind: 'infinity', negative };
  if (combination >= 24)
    return { kind: 'finite', coefficient: 0n, exponent: Number((high >> 47n) & 16383n) - bias, negative };
  const exponent = Number((high >> 49n) & 16383n) - bias;
  const given = ((high & low49) << 64n) | view.getBigUint64(0, true);
  const size = given > maxCoefficient ? 0n : given;
  return { kind: 'finite', coefficient: negative ? -size : size, exponent, negative };
}

/** The double nearest to a decimal. */
export function decimalToNumber(parts: DecimalParts): number {
  if (parts.kind === 'nan') return NaN;
  if (parts.kind === 'infinity') return parts.negative ? -Infinity : Infinity;
  if (parts.coefficient === 0n) return parts.negative ? -0 : 0;
  return Number(`${parts.coefficient}e${parts.exponent}`);
}

/** A double that calculates like a decimal beside an infinity or NaN, where of a finite decimal only the sign matters. */
export const signNumber = (parts: DecimalParts): number =>
  parts.kind === 'finite' && parts.coefficient !== 0n ? (parts.negative ? -1 : 1) : decimalToNumber(parts);

/** Compares two finite decimals. */
function compareFinite(a: bigint, aExponent: number, b: bigint, bExponent: number): number {
  const signs = signOf(a) - signOf(b);
  if (signs !== 0 || a === 0n) return signs;
  const sign = signOf(a);
  const aSize = magnitude(a, aExponent);
  const bSize = magnitude(b, bExponent);
  if (aSize !== bSize) return aSize < bSize ? -sign : sign;
  const shift = aExponent - bExponent;
  const left = shift > 0 ? a * 10n ** BigInt(shift) : a;
  const right = shift < 0 ? b * 10n ** BigInt(-shift) : b;
  return left < right ? -1 : left > right ? 1 : 0;
}

const signOf = (value: bigint): number => (value < 0n ? -1 : value > 0n ? 1 : 0);

const magnitude = (coefficient: bigint, exponent: number): number =>
  (coefficient < 0n ? -coefficient : coefficient).toString().length + exponent;

/** Compares two decimals; NaN is the smallest and equals itself. */
export function compareDecimals(a: DecimalParts, b: DecimalParts): number {
  if (a.kind === 'finite' && b.kind === 'finite') {
    return compareFinite(a.coefficient, a.exponent, b.coefficient, b.exponent);
  }
  return rankOf(a) - rankOf(b);
}

const rankOf = (parts: DecimalParts): number => {
  if (parts.kind === 'nan') return -2;
  if (parts.kind === 'finite') return 0;
  return parts.negative ? -1 : 1;
};

/** The exact decimal parts of a double or a long. */
export function exactParts(value: number | bigint): DecimalParts {
  if (typeof value === 'bigint') return { kind: 'finite', coefficient: value, exponent: 0, negative: value < 0n };
  if (Number.isNaN(value)) return { kind: 'nan' };
  const negative = value < 0 || Object.is(value, -0);
  if (!Number.isFinite(value)) return { kind: 'infinity', negative };
  if (Number.isInteger(value)) return { kind: 'finite', coefficient: BigInt(value), exponent: 0, negative };
  return fractionParts(value, negative);
}

/** A fraction m / 2**k equals m * 5**k / 10**k. */
function fractionParts(value: number, negative: boolean): DecimalParts {
  let scaled = value;
  let places = 0;
  while (!Number.isInteger(scaled)) {
    scaled *= 2;
    places += 1;
  }
  return { kind: 'finite', coefficient: BigInt(scaled) * 5n ** BigInt(places), exponent: -places, negative };
}
