/** A real OAuth2 provider over node:http that checks PKCE, client and redirect, and misbehaves on request. */
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './ports.ts';

interface Granted {
  readonly challenge: string;
  readonly redirect: string;
}

export interface Provider {
  readonly url: string;
  /** What the profile is answered with; an answer of one's own when it is a function. */
  profile: unknown;
  /** The text that is answered in place of a token; undefined for an honest answer. */
  tokenAnswer: string | undefined;
  /** How often a code was exchanged. */
  exchanged: number;
  /** What was asked at the authorization address, newest last. */
  readonly asked: URLSearchParams[];
  close(): Promise<void>;
}

export const client = { id: 'the-app', secret: 'the-app-secret' };

export async function openProvider(): Promise<Provider> {
  const codes = new Map<string, Granted>();
  const tokens = new Set<string>();
  const provider = {
    ...{ url: '', profile: {} as unknown, tokenAnswer: undefined as string | undefined },
    ...{ exchanged: 0, asked: [] as URLSearchParams[] },
  };

  const authorize = (url: URL, res: ServerResponse): void => {
    const query = url.searchParams;
    provider.asked.push(query);
    const code = randomUUID();
    const redirect = query.get('redirect_uri') ?? '';
    codes.set(code, { challenge: query.get('code_challenge') ?? '', redirect });
    const back = new URL(redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    res.writeHead(302, { location: back.href }).end();
  };
  const exchange = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const sent = new URLSearchParams(await textOf(req));
    const granted = codes.get(sent.get('code') ?? '');
    codes.delete(sent.get('code') ?? '');
    provider.exchanged += 1;
    const challenge = createHash('sha256')
      .update(sent.get('code_verifier') ?? '')
      .digest('base64url');
    const fits =
      granted !== undefined &&
      challenge === granted.challenge &&
      sent.get('redirect_uri') === granted.redirect &&
      sent.get('client_id') === client.id &&
      sent.get('client_secret') === client.secret;
    if (!fits) return void res.writeHead(400).end('{"error":"invalid_grant"}');
    const access_token = randomUUID();
    tokens.add(access_token);
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(provider.tokenAnswer ?? JSON.stringify({ access_token, token_type: 'bearer' }));
  };
  const profile = (req: IncomingMessage, res: ServerResponse): void => {
    if (!tokens.has(req.headers.authorization?.replace('Bearer ', '') ?? '')) return void res.writeHead(401).end();
    if (typeof provider.profile === 'function') return void (provider.profile as (to: ServerResponse) => void)(res);
    res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(provider.profile));
  };
  const server = createServer((req, res) => {
    const url = new URL(req.url ?? '/', 'http://provider');
    if (url.pathname === '/authorize') authorize(url, res);
    else if (url.pathname === '/token') void exchange(req, res);
    else if (url.pathname === '/me') profile(req, res);
    else res.writeHead(404).end();
  });
  return Object.assign(provider, await listening(server));
}

async function textOf(req: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
