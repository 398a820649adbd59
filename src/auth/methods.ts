/** The authentication methods: one row each. All credentials that are sent must be valid and of one person. */
import type { Principal } from '../access/principal.ts';
import { badCredentials } from '../errors.ts';
import type { Auth } from '../services.ts';

/** Where credentials can stand. `unknown` because anything can be sent; only text is a credential. */
export interface CredentialSource {
  readonly authorization: string | undefined;
  readonly keyHeader: unknown;
  readonly keyParameter: unknown;
}

interface Method {
  readonly name: string;
  /** The credential that is sent this way; undefined when none is. */
  readonly find: (source: CredentialSource) => unknown;
  readonly verify: (credential: string, auth: Auth) => Promise<Principal>;
}

const schemeOf = (header: string | undefined): string | undefined => header?.trim().split(' ', 1)[0]?.toLowerCase();
const afterScheme = (header: string): string => header.trim().replace(/^\S*\s*/, '');

export const methods: readonly Method[] = [
  {
    name: 'bearer',
    find: ({ authorization }) => (schemeOf(authorization) === 'bearer' ? afterScheme(authorization ?? '') : undefined),
    verify: (token, auth) => auth.byToken(token),
  },
  {
    name: 'basic',
    find: ({ authorization }) => (schemeOf(authorization) === 'basic' ? afterScheme(authorization ?? '') : undefined),
    verify: async (text, auth) => {
      const { email, password } = basicFrom(text);
      return auth.byPassword(email, password);
    },
  },
  { name: 'apikey header', find: ({ keyHeader }) => keyHeader, verify: (key, auth) => auth.byKey(key) },
  { name: 'apikey parameter', find: ({ keyParameter }) => keyParameter, verify: (key, auth) => auth.byKey(key) },
];

/** Whether a header names a scheme that no method knows. */
export const isUnknownScheme = (header: string | undefined): boolean =>
  header !== undefined && !['bearer', 'basic'].includes(schemeOf(header) ?? '');

/** Email and password of a Basic header (RFC 7617): Base64 of UTF-8, parted at the first colon. @throws 401 */
export function basicFrom(text: string): { readonly email: string; readonly password: string } {
  const fault = badCredentials('the Basic credentials are not well formed');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw fault;
  const decoded = decode(Buffer.from(text, 'base64'));
  const colon = decoded?.indexOf(':') ?? -1;
  if (decoded === undefined || colon < 1) throw fault;
  return { email: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
