/** Encryption of texts for the database, such as secrets of second factors. */
import { describe, expect, test } from '@jest/globals';
import { makeDigest, makeStoredSealer, type Secrets } from '../../src/adapters/sealing.ts';

const sealerOf = (secrets: Secrets) => makeStoredSealer(secrets, 'second factors');
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const [old, other] = ['the old shared secret', 'another shared secret'];

describe('a sealed secret', () => {
  const sealed = sealerOf([old]).seal(secret, 'ann');

  test('is opened for its owner only', () => {
    expect(sealerOf([old]).open(sealed, 'ann')).toEqual({ text: secret, current: sealed });
    expect(sealerOf([old]).open(sealed, 'bob')).toBeUndefined();
  });

  test('does not contain the secret, and differs each time', () => {
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain(secret);
    expect(sealerOf([old]).seal(secret, 'ann')).not.toBe(sealed);
  });

  test('is opened after a rotation of the shared secret, and then sealed under the newest', () => {
    const opened = sealerOf([other, old]).open(sealed, 'ann');
    expect(opened?.text).toBe(secret);
    expect(sealerOf([other]).open(opened?.current ?? '', 'ann')?.text).toBe(secret);
  });

  test('is not opened under another shared secret', () => {
    expect(sealerOf([other]).open(sealed, 'ann')).toBeUndefined();
  });

  test.each([...Buffer.from(sealed, 'base64url').keys()])('is not opened with byte %i changed', (at) => {
    const bytes = Buffer.from(sealed, 'base64url');
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    expect(sealerOf([old]).open(bytes.toString('base64url'), 'ann')).toBeUndefined();
  });

  test.each(['', 'x', sealed.slice(0, 30), sealed.slice(0, -4)])('is not opened from %j', (text) => {
    expect(sealerOf([old]).open(text, 'ann')).toBeUndefined();
  });
});

test('a text is not opened for another purpose', () => {
  const sealed = sealerOf([old]).seal(secret, 'ann');
  expect(makeStoredSealer([old], 'something else').open(sealed, 'ann')).toBeUndefined();
});

test('a digest depends on the value, the secret and the purpose', () => {
  const digests = [
    makeDigest(old, 'a')(['x']),
    makeDigest(old, 'a')(['y']),
    makeDigest(other, 'a')(['x']),
    makeDigest(old, 'b')(['x']),
  ];
  expect(new Set(digests).size).toBe(4);
  expect(makeDigest(old, 'a')(['x'])).toBe(digests[0]);
});
