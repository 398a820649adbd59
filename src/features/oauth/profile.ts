/** Reads a provider's profile: the id at the provider, the email and whether it is verified, and fields for a new user. */
import { isEmail, plainEmail } from '../../text/email.ts';
import type { LoginProvider, ProfileMapping, ProfilePath } from './config.ts';

export interface Profile {
  readonly id: string;
  readonly email: string | undefined;
  /** Undefined if the provider does not report it. */
  readonly verified: boolean | undefined;
  readonly fields: Readonly<Record<string, string | number | boolean>>;
}

const usual = {
  id: ['sub', 'id'],
  email: 'email',
  email_verified: ['email_verified', 'verified_email'],
  name: 'name',
} as const satisfies ProfileMapping;

/** The paths that identify the user; all others are fields of a new user. */
const identifying: ReadonlySet<string> = new Set(['id', 'email', 'email_verified']);
const longest = 255;

/** @returns undefined for a profile without an id */
export function profileFrom(value: unknown, { profile }: LoginProvider): Profile | undefined {
  const mapping: ProfileMapping = { ...usual, ...profile };
  const id = textAt(value, mapping.id);
  if (id === undefined) return undefined;
  const fields: Record<string, string | number | boolean> = {};
  for (const [field, path] of Object.entries(mapping)) {
    if (identifying.has(field)) continue;
    const found = path === true ? undefined : at(value, path);
    if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean') fields[field] = found;
  }
  return { id, email: emailAt(value, mapping.email), verified: verifiedAt(value, mapping.email_verified), fields };
}

function verifiedAt(value: unknown, path: ProfilePath | true | undefined): boolean | undefined {
  const said = path === true ? true : at(value, path);
  return said === undefined ? undefined : said === true || said === 'true';
}

/** Only strings and numbers can identify a user. */
function textAt(value: unknown, path: ProfilePath | undefined): string | undefined {
  const found = at(value, path);
  const text = typeof found === 'number' && Number.isSafeInteger(found) ? String(found) : found;
  return typeof text === 'string' && text !== '' && text.length <= longest ? text : undefined;
}

function emailAt(value: unknown, path: ProfilePath | undefined): string | undefined {
  const text = plainEmail(textAt(value, path) ?? '');
  return isEmail(text) ? text : undefined;
}

/** The value at the first of the paths that has one; inherited names have none. */
function at(value: unknown, paths: ProfilePath | undefined): unknown {
  for (const path of typeof paths === 'string' ? [paths] : (paths ?? [])) {
    const found = path.split('.').reduce<unknown>(member, value);
    if (found !== undefined && found !== null) return found;
  }
  return undefined;
}

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
