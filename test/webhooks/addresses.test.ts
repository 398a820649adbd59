/** The addresses that webhooks must not reach: as they are written, after their names are resolved, and after a redirect. */
import dns from 'node:dns';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { addressRules } from '../../src/features/webhooks/addresses.ts';
import { makeSender, type TryResult } from '../../src/features/webhooks/sender.ts';
import { readSettings } from '../../src/settings/read.ts';
import { startServer } from '../support/server.ts';
import { startReceiver } from './receiver.ts';

/** Addresses that are not public, each as it may be written in a URL. */
const refused: readonly (readonly [range: string, ...addresses: readonly string[]])[] = [
  [
    'loopback',
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.255.255.254',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
  ],
  ['unspecified', '0.0.0.0', '0', '0.1.2.3', '[::]'],
  [
    'private',
    '10.0.0.1',
    '10.255.255.255',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.0.1',
    '192.168.255.255',
    '0xc0a80001',
  ],
  ['link-local', '169.254.169.254', '169.254.0.1', '[fe80::1]', '[febf::1]'],
  ['shared', '100.64.0.1', '0x64400001', '100.127.255.255'],
  ['unique local', '[fc00::1]', '[fd12:3456:789a::1]'],
  ['mapped', '[::ffff:127.0.0.1]', '[::ffff:10.0.0.1]', '[::ffff:a9fe:a9fe]', '[::ffff:8.8.8.8]'],
  [
    'translated',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::808:808]',
    '[64:ff9b:1::1]',
    '[2002:7f00:1::]',
    '[2001::1]',
    '[::ffff:0:7f00:1]',
  ],
  ['compatible', '[::127.0.0.1]', '[::8.8.8.8]'],
  [
    'reserved',
    '192.0.0.1',
    '192.0.2.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.1',
    '203.0.113.1',
    '240.0.0.1',
    '192.88.99.1',
  ],
  ['multicast and broadcast', '224.0.0.1', '232.1.1.1', '239.255.255.255', '255.255.255.255', '[ff02::1]'],
  [
    'documentation and others of IPv6',
    '[2001:db8::1]',
    '[3fff::1]',
    '[fec0::1]',
    '[100::1]',
    '[2001:2::1]',
    '[5f00::1]',
    '[4000::1]',
  ],
];
const addresses = refused.flatMap(([range, ...all]) => all.map((address) => [range, address] as const));
const allowed = ['8.8.8.8', '93.184.216.34', '172.32.0.1', '100.128.0.1', '[2606:2800:220:1::1]', '[2a00:1450::1]'];

const rulesFor = (allow = '') => addressRules(readSettings({ WEBHOOK_ALLOW: allow }));
const rules = rulesFor();
const message = (url: string) => ({ url, headers: {}, body: '{}' });
const send = async (url: string, of = rules): Promise<TryResult> => {
  const sender = makeSender({ rules: of, timeoutMs: 2000, elapsed: () => performance.now() });
  try {
    return await sender.send(message(url), new AbortController().signal);
  } finally {
    await sender.close();
  }
};
const literalOf = (address: string): string => new URL(`http://${address}/`).hostname.replace(/^\[|\]$/g, '');

/** Resolves each name to these addresses. */
const resolveTo = (...all: readonly string[]): void => {
  const found = all.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = (_name: string, _options: object, done: (error: null, addresses: unknown) => void) =>
    done(null, found);
  jest.spyOn(dns, 'lookup').mockImplementation(lookup as never);
};
afterEach(() => void jest.restoreAllMocks());

test('there are sixty of them', () => {
  expect(addresses.length).toBeGreaterThanOrEqual(60);
});

describe('an address that is not public', () => {
  test.each(addresses)('%s: %s is refused as a number, and by name', async (_range, address) => {
    expect(rules.ofUrl(`http://${address}/hook`)).toMatch(/^must lead to a public address: .+ is not public/);
    expect(await send(`http://${address}/hook`)).toMatchObject({ isRefused: true, code: null });
    resolveTo(literalOf(address));
    expect(await send('http://receiver.example/hook')).toMatchObject({
      ...{ isRefused: true, code: null },
      reason: expect.stringContaining('is not public'),
    });
  });

  test('is refused where another one of the same name is public', async () => {
    resolveTo('8.8.8.8', '127.0.0.1');
    expect(await send('http://receiver.example/hook')).toMatchObject({ isRefused: true });
  });

  test.each(['localhost', 'LOCALHOST', 'localhost.', 'a.localhost'])('is refused by the name %s', async (host) => {
    expect(rules.ofUrl(`http://${host}/`)).toMatch(/^must lead to a public address: .+ is not public/);
    expect(await send(`http://${host}/`)).toMatchObject({ isRefused: true });
  });

  test('is not reached by a redirect', async () => {
    const [inner, outer] = [await startReceiver(), await startReceiver()];
    outer.respond = (_one, answer) => void answer.writeHead(302, { location: inner.url }).end();
    resolveTo('127.0.0.1');
    const url = outer.url.replace('127.0.0.1', 'outer.example');
    const sent = await send(url, rulesFor('outer.example'));
    expect([sent.code, sent.isDelivered, outer.received.length, inner.received.length]).toEqual([302, false, 1, 0]);
    await inner.close();
    await outer.close();
  });
});

test.each(allowed)('the public address %s is allowed', (address) => {
  expect(rules.ofUrl(`http://${address}/hook`)).toBeUndefined();
});

test.each<readonly [string, string, boolean]>([
  ['10.1.0.0/16', 'http://10.1.2.3/', true],
  ['10.1.0.0/16', 'http://10.2.2.3/', false],
  ['10.1.2.3', 'http://10.1.2.3/', true],
  ['fd00::/8', 'http://[fd00::1]/', true],
  ['127.0.0.0/8', 'http://[::ffff:127.0.0.1]/', true],
  ['localhost', 'http://localhost:1/', true],
  ['local', 'http://localhost:1/', false],
  ['*', 'http://127.0.0.1/', true],
])('WEBHOOK_ALLOW=%s and %s: %s', (allow, url, isAllowed) => {
  expect(rulesFor(allow).ofUrl(url) === undefined).toBe(isAllowed);
});

describe('in production', () => {
  const environment = { NODE_ENV: 'production', SHARED_SECRET: 'a secret of more than 16 characters' };
  test('only https is allowed', () => {
    const production = addressRules(readSettings(environment));
    expect(production.ofUrl('http://hooks.example/')).toBe('must be an https URL in production');
    expect(production.ofUrl('https://hooks.example/')).toBeUndefined();
  });

  test('WEBHOOK_ALLOW=* stops the start', async () => {
    const options = { environment: { ...environment, WEBHOOK_ALLOW: '*' }, bcrypt_cost: 10 };
    await expect(startServer(options)).rejects.toThrow('WEBHOOK_ALLOW: must name hosts');
  });
});

test.each(['nope', 'ftp://a.example/', 'https://u@a.example/', 'https://u:p@a.example/', 'javascript:1'])(
  '%s is no URL of a webhook',
  (url) => {
    expect(rules.ofUrl(url)).toMatch(/^must/);
  },
);
