/** The authentication methods: one row each, and where a request has its credentials. */
import type { IncomingMessage } from 'node:http';
import type { Principal } from '../../policy/principal.ts';
import type { ParameterTree } from '../../query/params.ts';
import type { Auth } from '../contract.ts';

/** Where credentials can stand. `unknown` because anything can be sent; only text is a credential. */
export interface CredentialSource {
  readonly authorization: string | undefined;
  readonly keyHeader: unknown;
  readonly keyParameter: unknown;
  readonly jwtParameter: unknown;
  /** Where the request comes from; failures are counted by it. */
  readonly address: string;
}

export type MethodName = 'bearer' | 'basic' | 'apikey header' | 'apikey parameter' | 'jwt parameter';

interface Method {
  readonly name: MethodName;
  /** The credential that is sent this way; undefined when none is. */
  readonly find: (source: CredentialSource) => unknown;
  readonly verify: (credential: string, auth: Auth, address: string) => Promise<Principal>;
}

/** The credentials of a request over HTTP, an upgrade to a WebSocket included. */
export const credentialsOf = (req: IncomingMessage, query: ParameterTree, address: string): CredentialSource => ({
  authorization: authorizationOf(req),
  keyHeader: req.headers['x-api-key'],
  keyParameter: query['apikey'],
  jwtParameter: query['jwt'],
  address,
});

/** The header; given twice it is the empty text, which is no credential: Node would take the first and drop the other. */
function authorizationOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  if (headers.authorization === undefined) return undefined;
  const given = rawHeaders.filter((name, at) => at % 2 === 0 && name.toLowerCase() === 'authorization');
  return given.length > 1 ? '' : headers.authorization;
}

const schemeOf = (header: string | undefined): string | undefined => header?.trim().split(' ', 1)[0]?.toLowerCase();
const afterScheme = (header: string): string => header.trim().replace(/^\S*\s*/, '');
const credentialsAfter =
  (scheme: string) =>
  ({ authorization }: CredentialSource): string | undefined =>
    schemeOf(authorization) === scheme ? afterScheme(authorization ?? '') : undefined;

export const methods: readonly Method[] = [
  {
    name: 'bearer',
    find: credentialsAfter('bearer'),
    verify: (token, auth, address) => auth.byToken(token, address),
  },
  {
    name: 'basic',
    find: credentialsAfter('basic'),
    verify: (text, auth, address) => {
      const { email, password } = basicFrom(text) ?? {};
      return auth.byPassword(email, password, address);
    },
  },
  {
    name: 'apikey header',
    find: ({ keyHeader }) => keyHeader,
    verify: (key, auth, address) => auth.byKey(key, address),
  },
  {
    name: 'apikey parameter',
    // clients that put the key into every URL send it empty while they have none
    find: ({ keyParameter }) => (keyParameter === '' ? undefined : keyParameter),
    verify: (key, auth, address) => auth.byKey(key, address),
  },
  {
    name: 'jwt parameter',
    find: ({ jwtParameter }) => jwtParameter,
    verify: (jwt, auth, address) => auth.byJwt(jwt, address),
  },
];

/** Whether a header names a scheme that no method knows. */
export const isUnknownScheme = (header: string | undefined): boolean =>
  header !== undefined && !['bearer', 'basic'].includes(schemeOf(header) ?? '');

/** Whether a header has email and password. */
export const isBasic = (header: string | undefined): boolean => schemeOf(header) === 'basic';

/** The token of a bearer header; undefined when there is none. */
export const bearerFrom = (authorization: string | undefined): string | undefined =>
  schemeOf(authorization) === 'bearer' ? afterScheme(authorization ?? '') : undefined;

/** Email and password of a Basic header (RFC 7617): Base64 of UTF-8, parted at the first colon; undefined for anything else. */
function basicFrom(text: string): { readonly email: string; readonly password: string } | undefined {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const decoded = decode(Buffer.from(text, 'base64'));
  const colon = decoded?.indexOf(':') ?? -1;
  if (decoded === undefined || colon < 1) return undefined;
  return { email: decoded.slice(0, colon), password: decoded.slice(colon + 1) };
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
