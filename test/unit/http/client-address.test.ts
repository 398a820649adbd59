/** The client's address behind proxies, which may state it with the port of the connection. */
import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { makeAddressReader } from '../../../src/http/throttle.ts';
import type { Settings } from '../../../src/settings/types.ts';

const proxy = '10.0.0.1';
const read = (trustProxy: Settings['trust_proxy'], forwarded: string | undefined, direct = proxy) =>
  makeAddressReader(trustProxy)({
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
    socket: { remoteAddress: direct },
  } as unknown as IncomingMessage);

const stated: readonly (readonly [Settings['trust_proxy'], string | undefined, string])[] = [
  [false, '192.0.2.99', proxy],
  [false, 'unknown', proxy],
  [1, undefined, proxy],
  [1, '', proxy],
  [1, '192.0.2.99', '192.0.2.99'],
  [1, '192.0.2.99:10001', '192.0.2.99'],
  [1, ' 192.0.2.99:1 ', '192.0.2.99'],
  [1, '203.0.113.1, 192.0.2.99:65535', '192.0.2.99'],
  [1, '2001:db8::7', '2001:db8::7'],
  [1, '[2001:db8::7]', '2001:db8::7'],
  [1, '[2001:db8::7]:443', '2001:db8::7'],
  [1, '[::ffff:192.0.2.99]:443', '::ffff:192.0.2.99'],
  // proxies by number and by address, with ports of their own
  [2, '192.0.2.99:1, 10.0.0.2:2', '192.0.2.99'],
  [['10.0.0.0/8'], '203.0.113.1, 192.0.2.99:10001, 10.0.0.2:4444', '192.0.2.99'],
  [['10.0.0.0/8'], 'unknown, 192.0.2.99', '192.0.2.99'],
  [true, '203.0.113.1:7, 192.0.2.99', '203.0.113.1'],
];

test.each(stated)('TRUST_PROXY=%s and %s is %s', (trust, forwarded, ip) => {
  expect(read(trust, forwarded).ip).toBe(ip);
});

const others: readonly (readonly [Settings['trust_proxy'], string, string])[] = [
  ...['unknown', '_hidden:10001', '192.0.2.99:', '192.0.2.99:x', '192.0.2.99:123456', '192.0.2.999:80'].map(
    (text) => [1, text, proxy] as const,
  ),
  ...['[192.0.2.99]:80', '[2001:db8::7]443', '[[2001:db8::7]]', '192.0.2.99,', '192.0.2.99 10.0.0.9'].map(
    (text) => [1, text, proxy] as const,
  ),
  [2, 'unknown, 10.0.0.2:2', '10.0.0.2'],
  [['10.0.0.0/8'], '192.0.2.99, unknown, 10.0.0.2', '10.0.0.2'],
  [true, 'forged, 192.0.2.99:1', '192.0.2.99'],
];

test.each(others)('TRUST_PROXY=%s and %s counts with the proxy %s, without an address', (trust, forwarded, address) => {
  expect(read(trust, forwarded)).toEqual({ address, ip: '' });
});

test('connections of one client count as one, and an IPv6 network as one', () => {
  const counted = (forwarded: readonly string[]) => new Set(forwarded.map((text) => read(1, text).address)).size;
  expect(counted(['192.0.2.99', '192.0.2.99:1', '192.0.2.99:2'])).toBe(1);
  expect(counted(['[2001:db8::7]:1', '[2001:db8::8]:2', '2001:db8::9'])).toBe(1);
  expect(counted(['192.0.2.99:1', '192.0.2.98:1'])).toBe(2);
});
