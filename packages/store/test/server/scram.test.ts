/** SCRAM-SHA-256: the example of RFC 7677, invalid messages, and an unknown user. */
import { describe, expect, test } from '@jest/globals';
import { beginExchange, type Credentials, credentialsFor } from '../../src/login/scram.ts';

const salt = Buffer.from('W22ZaJ0SNY7soEsUEjb6gQ==', 'base64');
const pencil = (): Promise<Credentials> => credentialsFor('user', 'pencil', salt, 4096);
const serverNonce = '%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0';
const clientFirst = 'n,,n=user,r=rOprNGfwEbeRWgbNEkqO';
const nonce = `rOprNGfwEbeRWgbNEkqO${serverNonce}`;
const proof = 'dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=';

describe('RFC 7677', () => {
  test('its example', async () => {
    const exchange = beginExchange(await pencil(), clientFirst, true, serverNonce);
    expect(exchange?.first).toBe(`r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096`);
    expect(exchange?.finish(`c=biws,r=${nonce},p=${proof}`)).toBe('v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=');
  });

  test.each([
    ['another proof', `c=biws,r=${nonce},p=${proof.replace('d', 'e')}`],
    ['a longer proof', `c=biws,r=${nonce},p=${Buffer.alloc(33).toString('base64')}`],
    ['an empty proof', `c=biws,r=${nonce},p=`],
    ['no proof', `c=biws,r=${nonce}`],
    ['the nonce of the client alone', `c=biws,r=rOprNGfwEbeRWgbNEkqO,p=${proof}`],
    ['another nonce', `c=biws,r=${nonce}x,p=${proof}`],
    ['another header', `c=eSws,r=${nonce},p=${proof}`],
    ['something between nonce and proof', `c=biws,r=${nonce},x=1,p=${proof}`],
    ['nothing', ''],
  ])('%s is refused', async (_, final) => {
    expect(beginExchange(await pencil(), clientFirst, true, serverNonce)?.finish(final)).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['channel binding', 'p=tls-unique,,n=user,r=abc'],
    ['an identity to act for', 'n,a=other,n=user,r=abc'],
    ['an extension that must be understood', 'n,,m=x,n=user,r=abc'],
    ['no user', 'n,,n=,r=abc'],
    ['no nonce', 'n,,n=user,r='],
    ['no nonce at all', 'n,,n=user'],
    ['a nonce that is not printable', 'n,,n=user,r=a\u0007bc'],
  ])('a first message with %s is invalid', async (_, first) => {
    expect(beginExchange(await pencil(), first)).toBeUndefined();
  });
});

test('an unknown user is indistinguishable from a known one, and no password matches', async () => {
  const credentials = await pencil();
  const first = (user: string, known = true): string =>
    beginExchange(credentials, `n,,n=${user},r=abc`, known, serverNonce)?.first ?? '';
  expect(first('nobody')).toMatch(/^r=abc%hv.*,s=[A-Za-z0-9+/]{22}==,i=4096$/);
  expect(first('nobody')).toBe(first('nobody'));
  expect(first('nobody')).not.toBe(first('another'));
  expect(first('user', false)).not.toContain(salt.toString('base64'));
  const right = `c=biws,r=${nonce},p=${proof}`;
  expect(beginExchange(credentials, clientFirst, false, serverNonce)?.finish(right)).toBeUndefined();
});

test('users and passwords that need SASLprep are refused', async () => {
  await expect(credentialsFor('user', 'pässword')).rejects.toThrow(RangeError);
  await expect(credentialsFor('a,b', 'password')).rejects.toThrow(RangeError);
  await expect(credentialsFor('user', '')).rejects.toThrow(RangeError);
});
