/** The authentication methods of the core, one row each, and the parts of a request that contain credentials. */
import type { IncomingMessage } from 'node:http';
import type { ParameterTree } from '../../query/parameter-tree.ts';
import type { AuthMethod, ClientAddress, CredentialSource } from '../contract.ts';

/** The methods of the core. */
export type MethodName = 'bearer' | 'basic' | 'apikey header' | 'apikey parameter' | 'jwt parameter';

interface CoreMethod extends AuthMethod {
  readonly name: MethodName;
}

/** What a source may contain. */
type Accepted = Pick<CredentialSource, 'takesUrlCredentials' | 'opensStream' | 'takesKeysAsBearer'>;

/** The credentials of a request over HTTP, an upgrade to a WebSocket included. */
export const credentialsOf = (
  req: IncomingMessage,
  query: ParameterTree,
  from: ClientAddress,
  accepted: Accepted,
): CredentialSource => ({
  authorization: authorizationOf(req),
  keyHeader: req.headers['x-api-key'],
  parameters: query,
  ...accepted,
  ...from,
});

/**
 * The header Authorization. If it is given twice, the result is an empty string, which is not a credential: Node would use the
 * first and drop the other.
 */
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

export const methods: readonly CoreMethod[] = [
  {
    name: 'bearer',
    find: credentialsAfter('bearer'),
    verify: (token, auth, source) =>
      source.takesKeysAsBearer === true && auth.isKey(token)
        ? auth.byKey(token, source)
        : auth.byToken(token, source.address),
  },
  {
    name: 'basic',
    find: credentialsAfter('basic'),
    verify: (text, auth, { address }) => {
      const { email, password } = basicFrom(text) ?? {};
      return auth.byPassword(email, password, address, 'basic');
    },
  },
  {
    name: 'apikey header',
    find: ({ keyHeader }) => keyHeader,
    verify: (key, auth, from) => auth.byKey(key, from),
  },
  {
    name: 'apikey parameter',
    isInUrl: true,
    parameter: 'apikey',
    // clients that put the key into every URL send an empty one until they have a key
    find: ({ parameters: { apikey } }) => (apikey === '' ? undefined : apikey),
    verify: (key, auth, from) => auth.byKey(key, from),
  },
  {
    name: 'jwt parameter',
    isInUrl: true,
    parameter: 'jwt',
    find: ({ parameters: { jwt } }) => jwt,
    verify: (jwt, auth, { address }) => auth.byJwt(jwt, address),
  },
];

/** Whether a header names a scheme that no method supports. */
export const isUnknownScheme = (header: string | undefined): boolean =>
  header !== undefined && !['bearer', 'basic'].includes(schemeOf(header) ?? '');

/** Whether a header contains email and password. */
export const isBasic = (header: string | undefined): boolean => schemeOf(header) === 'basic';

/** The token of a bearer header; undefined when there is none. */
export const bearerFrom = (authorization: string | undefined): string | undefined =>
  schemeOf(authorization) === 'bearer' ? afterScheme(authorization ?? '') : undefined;

/** Email and password of a Basic header (RFC 7617): Base64 of UTF-8, split at the first colon; undefined for anything else. */
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
