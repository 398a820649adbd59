/** Signing and verifying JWTs. */
import { createHmac } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import jsonwebtoken from 'jsonwebtoken';
import { makeJwts } from '../../src/auth/credentials/jwt.ts';
import { readSettings } from '../../src/settings/read.ts';

const secret = 'a secret of the tests';
const user = 'a'.repeat(24);
const now = new Date('2026-05-01T10:00:00Z');
const settings = readSettings({}, { recovery_expiry: 3600 });
const jwts = makeJwts([secret], settings, () => now);

/** The same claims and the right signature, with another header. */
function resigned(text: string, header: object): string {
  const key = createHmac('sha256', secret).update('jwt').digest();
  const claims = jsonwebtoken.decode(text) as object;
  return jsonwebtoken.sign(claims, key, { algorithm: 'HS256', header: { alg: 'HS256', ...header } });
}

describe('a JWT', () => {
  test('that names extensions is refused, whatever they are (RFC 7515, 4.1.11)', () => {
    const text = jwts.sign('login', user, 1);
    expect(jwts.read(resigned(text, {}))).toMatchObject({ user, purpose: 'login' });
    for (const header of [{ crit: ['exp'] }, { crit: [] }, { crit: ['b64'], b64: true }, { crit: null }])
      expect(jwts.read(resigned(text, header))).toBeUndefined();
  });

  test('of a recovery mail lives an hour, and names the address by its mark alone', () => {
    const text = jwts.sign('recovery', user, 1, { email: 'mark' });
    const { exp, iat } = jsonwebtoken.decode(text) as { exp: number; iat: number };
    expect(exp - iat).toBe(3600);
    expect(jwts.read(text)).toMatchObject({ email: 'mark', expires: new Date(now.getTime() + 3_600_000) });
    // one that was made when links lived longer
    const longer = makeJwts([secret], { ...settings, recovery_expiry: 7200 }, () => now).sign('recovery', user, 1, {
      email: 'mark',
    });
    expect(jwts.read(longer)).toBeUndefined();
  });
});
