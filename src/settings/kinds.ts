/** Parses the text of settings, with one reader per kind. A reader throws an Error with the reason. */
import { isIP } from 'node:net';
import { addressRange } from '../adapters/address-ranges.ts';
import { plannedTimes } from '../adapters/planned-times.ts';
import { durationOf } from '../text/durations.ts';
import type { KindTypes, SettingRow } from './row.ts';

const sizes: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

function wholeNumber(text: string, row: SettingRow): number {
  if (!/^\d{1,15}$/.test(text)) throw new Error(`must be a whole number, got "${text}"`);
  return within(Number(text), row);
}

function within(value: number, row: SettingRow): number {
  if (row.min !== undefined && value < row.min) throw new Error(`must be at least ${row.min}`);
  if (row.max !== undefined && value > row.max) throw new Error(`must be at most ${row.max}`);
  return value;
}

function bytes(text: string, row: SettingRow): number {
  const match = /^(\d{1,12})\s*([a-z]{0,2})$/i.exec(text);
  const unit = sizes[match?.[2]?.toLowerCase() ?? '-'];
  if (match === null || unit === undefined) throw new Error(`must be a size such as 1mb or 500kb, got "${text}"`);
  return within(Number(match[1]) * unit, row);
}

function duration(text: string): number {
  const ms = durationOf(text);
  if (ms === undefined) throw new Error(`must be a duration such as 30s, 15m, 12h or 90d, got "${text}"`);
  return ms;
}

function onOrOff(text: string): boolean {
  const word = text.toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(word)) return true;
  if (['false', '0', 'no', 'off'].includes(word)) return false;
  throw new Error(`must be true or false, got "${text}"`);
}

function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol)) throw new Error('must be an http or https URL');
  return text;
}

/** An address that paths are appended to: without a slash at its end. */
const baseUrl = (text: string): string => httpUrl(text).replace(/\/+$/, '');

function host(text: string): string {
  const name = /^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?)*$/i;
  // a name that ends in a number is treated as an address
  if (isIP(text) === 0 && (!name.test(text) || /(^|\.)\d+$/.test(text)))
    throw new Error('must be an address or a host name');
  return text;
}

/** A URL with one of the given schemes. Messages do not repeat it, because it may contain a password. */
const withScheme =
  (...schemes: readonly string[]) =>
  (text: string): string => {
    if (!schemes.some((scheme) => text.startsWith(`${scheme}://`) && text.length > scheme.length + 3))
      throw new Error(`must be a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`);
    return text;
  };

function origins(text: string): readonly string[] {
  const all = list(text);
  for (const origin of all)
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin))
      throw new Error(`must be * or origins such as https://app.example, got "${origin}"`);
  return all;
}

/** Folders within a folder, which no name leaves. */
function folders(text: string): readonly string[] {
  const all = list(text);
  for (const folder of all)
    if (folder !== '*' && !/^[\w-]+(?:\/[\w-]+)*$/.test(folder))
      throw new Error(`must be * or names of folders such as shop or shop/orders, got "${folder}"`);
  return all;
}

function secret(text: string, row: SettingRow): string {
  if (row.min !== undefined && text.length < row.min) throw new Error(`must have at least ${row.min} characters`);
  if (row.max !== undefined && Buffer.byteLength(text) > row.max) throw new Error(`must have at most ${row.max} bytes`);
  return text;
}

/** One of the words of a row. */
function choice(text: string, { choices = [] }: SettingRow): string {
  const found = choices.find((word) => word.toLowerCase() === text.toLowerCase());
  if (found === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
  return found;
}

const list = (text: string): readonly string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** Host names, addresses and ranges. */
function hosts(text: string): readonly string[] {
  const all = list(text).map((one) => one.toLowerCase());
  for (const one of all) {
    if (one === '*' || addressRange(one) !== undefined) continue;
    try {
      host(one);
    } catch {
      throw new Error(`must be *, host names, addresses or ranges such as 10.0.0.0/8, got "${one}"`);
    }
  }
  return all;
}

function cron(text: string): string {
  try {
    plannedTimes(text, 'UTC');
  } catch (error) {
    throw new Error(`${(error as Error).message}; it must be such as "0 3 * * *"`, { cause: error });
  }
  return text;
}

function proxy(text: string): KindTypes['proxy'] {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  if (/^(true|false)$/i.test(text)) return onOrOff(text);
  const addresses = list(text);
  for (const address of addresses)
    if (!isAddress(address)) throw new Error(`must be true, false, a number of hops, or addresses, got "${address}"`);
  return addresses;
}

/** Whether a text is an address, a subnet, or one of Express's names for them. */
function isAddress(text: string): boolean {
  return ['loopback', 'linklocal', 'uniquelocal'].includes(text) || addressRange(text) !== undefined;
}

export const kindReaders: { readonly [K in keyof KindTypes]: (text: string, row: SettingRow) => KindTypes[K] } = {
  text: (text) => text,
  secret,
  url: httpUrl,
  baseUrl,
  count: wholeNumber,
  seconds: wholeNumber,
  milliseconds: wholeNumber,
  bytes,
  duration,
  durations: (text) => list(text).map(duration),
  hosts,
  cron,
  switch: onOrOff,
  origins,
  folders,
  host,
  database: withScheme('mongodb', 'mongodb+srv'),
  mail: withScheme('smtp', 'smtps'),
  proxy,
  choice,
};
