/** Sums of decimals with distant exponents equal exact arithmetic on all digits. */
import { expect, test } from '@jest/globals';
import { Decimal128 } from 'bson';
import { add, finiteDecimal } from '../src/values/arithmetic.ts';

type Parts = readonly [coefficient: bigint, exponent: number];

const decimal = ([coefficient, exponent]: Parts): Decimal128 => Decimal128.fromString(`${coefficient}E${exponent}`);

function exactSum([a, aExponent]: Parts, [b, bExponent]: Parts): Decimal128 {
  const exponent = Math.min(aExponent, bExponent);
  const scaled = (value: bigint, from: number): bigint => value * 10n ** BigInt(from - exponent);
  return finiteDecimal(scaled(a, aExponent) + scaled(b, bExponent), exponent);
}

const coefficients = [0n, 1n, 5n, 7n, 15n, 10n ** 33n, 10n ** 34n - 1n, 5n * 10n ** 33n, 10n ** 33n + 5n];

test.each([12_000, 300, 130, 120, 115, 110, 100, 81, 80, 70, 40, 35, 34, 33])('exponents %d apart', (distance) => {
  const upper = distance > 6000 ? 6000 : 50;
  for (const a of coefficients) {
    for (const b of coefficients.flatMap((value) => [value, -value])) {
      const [left, right]: [Parts, Parts] = [
        [a, upper],
        [b, upper - distance],
      ];
      const expected = String(exactSum(left, right));
      expect(String(add(decimal(left), decimal(right)))).toBe(expected);
      expect(String(add(decimal(right), decimal(left)))).toBe(expected);
    }
  }
});
