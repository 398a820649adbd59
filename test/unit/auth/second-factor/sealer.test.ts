/** How secrets of second factors are encrypted for the database. */
import { describe, expect, test } from '@jest/globals';
import { makeSealer } from '../../../../src/auth/second-factor/sealer.ts';

const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const [old, other] = ['the old shared secret', 'another shared secret'];

describe('a sealed secret', () => {
  const sealed = makeSealer([old]).seal(secret, 'ann');

  test('is opened for its owner only', () => {
    expect(makeSealer([old]).open(sealed, 'ann')).toEqual({ text: secret, current: sealed });
    expect(makeSealer([old]).open(sealed, 'bob')).toBeUndefined();
  });

  test('does not contain the secret, and never looks the same', () => {
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(secret);
    expect(makeSealer([old]).seal(secret, 'ann')).not.toBe(sealed);
  });

  test('is opened after a rotation of the shared secret, and then sealed under the newest', () => {
    const opened = makeSealer([other, old]).open(sealed, 'ann');
    expect(opened?.text).toBe(secret);
    expect(makeSealer([other]).open(opened?.current ?? '', 'ann')?.text).toBe(secret);
  });

  test('is not opened under another shared secret', () => {
    expect(makeSealer([other]).open(sealed, 'ann')).toBeUndefined();
  });

  test.each([...Buffer.from(sealed, 'base64url').keys()])('is not opened with byte %i changed', (at) => {
    const bytes = Buffer.from(sealed, 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(makeSealer([old]).open(bytes.toString('base64url'), 'ann')).toBeUndefined();
  });

  test.each(['', 'x', sealed.slice(0, 30), sealed.slice(0, -4)])('is not opened from %j', (text) => {
    expect(makeSealer([old]).open(text, 'ann')).toBeUndefined();
  });
});
