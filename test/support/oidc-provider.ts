/** An OpenID provider over node:http that checks client, PKCE and redirect, and whose ID tokens a test may forge. */
import { createHash, generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import jsonwebtoken from 'jsonwebtoken';
import { listening } from './ports.ts';
import { client } from './provider.ts';

/** A key pair of the provider. */
export interface SigningKey {
  readonly kid: string;
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

export const newKey = (): SigningKey => ({ kid: randomUUID(), ...generateKeyPairSync('rsa', { modulusLength: 2048 }) });

type Claims = Readonly<Record<string, unknown>>;

/** The ID token of an honest provider. */
export const signed = (claims: Claims, { kid, privateKey }: SigningKey): string =>
  jsonwebtoken.sign({ ...claims }, privateKey, { algorithm: 'RS256', keyid: kid });

export interface OidcProvider {
  readonly url: string;
  /** The claims about the person who signs in, besides those of the protocol. */
  person: Claims;
  /** What the user info answers, besides `sub`. */
  userInfo: Claims;
  /** Makes the ID token; `signed` by default. */
  token: (claims: Claims, key: SigningKey) => string;
  /** The keys that are published; the last one signs. */
  keys: readonly SigningKey[];
  /** Answers instead of a path, such as `/jwks`. */
  readonly instead: Map<string, (res: ServerResponse) => void>;
  /** How often each path was requested. */
  readonly hits: Map<string, number>;
  /** The seconds since 1970 by which tokens are dated. */
  now: () => number;
  close(): Promise<void>;
}

export const discoveryPath = '/.well-known/openid-configuration';

export async function openOidcProvider(): Promise<OidcProvider> {
  const codes = new Map<string, URLSearchParams>();
  const provider = {
    ...{ url: '', person: {}, userInfo: {}, token: signed, keys: [newKey()] as readonly SigningKey[] },
    ...{ instead: new Map<string, (res: ServerResponse) => void>(), hits: new Map<string, number>() },
    now: () => Math.floor(Date.now() / 1000),
  };
  const answers: Readonly<Record<string, (req: IncomingMessage, res: ServerResponse, url: URL) => unknown>> = {
    [discoveryPath]: (_req, res) => json(res, 200, metadataOf(provider.url)),
    '/jwks': (_req, res) =>
      json(res, 200, {
        keys: provider.keys.map(({ kid, publicKey }) => ({ kid, use: 'sig', ...publicKey.export({ format: 'jwk' }) })),
      }),
    '/authorize': (_req, res, { searchParams }) => {
      const code = randomUUID();
      codes.set(code, searchParams);
      const back = new URL(searchParams.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries({ code, state: searchParams.get('state') ?? '', iss: provider.url }))
        back.searchParams.set(name, value);
      res.writeHead(302, { location: back.href }).end();
    },
    '/token': async (req, res) => {
      const sent = new URLSearchParams(await textOf(req));
      const asked = codes.get(sent.get('code') ?? '');
      codes.delete(sent.get('code') ?? '');
      if (asked === undefined || !isHonest(req, sent, asked)) return json(res, 400, { error: 'invalid_grant' });
      const iat = provider.now();
      const protocol = { iss: provider.url, aud: client.id, iat, exp: iat + 300, nonce: asked.get('nonce') };
      const id_token = provider.token({ sub: 'person-1', ...protocol, ...provider.person }, lastOf(provider.keys));
      return json(res, 200, { access_token: 'access', token_type: 'Bearer', id_token });
    },
    '/userinfo': (_req, res) => json(res, 200, { sub: 'person-1', ...provider.userInfo }),
  };
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://provider');
    provider.hits.set(url.pathname, (provider.hits.get(url.pathname) ?? 0) + 1);
    const instead = provider.instead.get(url.pathname);
    if (instead !== undefined) instead(res);
    else void (answers[url.pathname] ?? (() => res.writeHead(404).end()))(req, res, url);
  });
  return Object.assign(provider, await listening(server));
}

export const json = (res: ServerResponse, status: number, value: unknown): void =>
  void res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));

const lastOf = (keys: readonly SigningKey[]): SigningKey => keys.at(-1) ?? newKey();

export const metadataOf = (issuer: string): Claims => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  userinfo_endpoint: `${issuer}/userinfo`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
});

/** Whether code, client, redirect and PKCE verifier belong together. */
function isHonest(req: IncomingMessage, sent: URLSearchParams, asked: URLSearchParams): boolean {
  // id and secret are form-encoded (RFC 6749, 2.3.1)
  const basic = Buffer.from((req.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
  const challenge = createHash('sha256')
    .update(sent.get('code_verifier') ?? '')
    .digest('base64url');
  const isClient =
    req.headers.authorization === undefined
      ? sent.get('client_secret') === client.secret
      : decodeURIComponent(basic) === `${client.id}:${client.secret}`;
  return (
    isClient &&
    challenge === asked.get('code_challenge') &&
    asked.get('code_challenge_method') === 'S256' &&
    sent.get('redirect_uri') === asked.get('redirect_uri')
  );
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
