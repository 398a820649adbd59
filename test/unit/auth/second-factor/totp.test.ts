/** Time-based one-time passwords against the vectors of RFC 6238, and the edges of the time in which a code is accepted. */
import { describe, expect, test } from '@jest/globals';
import { isCode, newSecret, otpauthUrl, stepOf } from '../../../../src/features/second-factor/totp.ts';
import { codeAt } from '../../../support/fixtures/factors.ts';

/** `12345678901234567890` in Base32. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number): Date => new Date(seconds * 1000);

describe('RFC 6238, Appendix B, SHA-1: the last six of eight digits', () => {
  test.each([
    [59, '94287082', 0x1],
    [1111111109, '07081804', 0x23523ec],
    [1111111111, '14050471', 0x23523ed],
    [1234567890, '89005924', 0x273ef07],
    [2000000000, '69279037', 0x3f940aa],
    [20000000000, '65353130', 0x27bc86aa],
  ])('at %i s: %s', (seconds, digits, step) => {
    expect(stepOf(digits.slice(2), secret, at(seconds))).toBe(step);
    expect(codeAt(secret, seconds * 1000)).toBe(digits.slice(2));
  });
});

describe('a code of the step from 1200 s to 1230 s', () => {
  const code = codeAt(secret, 1_200_000);
  test.each([
    [1169.999, undefined],
    [1170, 40],
    [1199.999, 40],
    [1200, 40],
    [1229.999, 40],
    [1230, 40],
    [1259.999, 40],
    [1260, undefined],
  ])('at %f s is of step %s', (seconds, step) => {
    expect(stepOf(code, secret, at(seconds))).toBe(step);
  });
});

test.each(['', '28708', '2870822', '28708a', ' 287082', '२८७०८२', '-28708', '2.8708', '287082\n'])(
  '%j is not a code',
  (text) => {
    expect(isCode(text)).toBe(false);
  },
);

test('secrets are 160 random bits', () => {
  const secrets = Array.from({ length: 100 }, newSecret);
  expect(new Set(secrets).size).toBe(100);
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
});

test('the URL names issuer, account and parameters, and escapes them', () => {
  const url = new URL(otpauthUrl(secret, 'api.example', 'a:b/c?d&e@x.test'));
  expect([url.protocol, url.host]).toEqual(['otpauth:', 'totp']);
  expect(decodeURIComponent(url.pathname)).toBe('/api.example:a:b/c?d&e@x.test');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'api.example',
    secret,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});
