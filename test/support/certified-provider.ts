/** An OpenID provider of the package `oidc-provider`, and a browser that signs in there. */
import { createServer } from 'node:http';
import Provider from 'oidc-provider';
import { listening } from './ports.ts';
import { client } from './provider.ts';

export interface CertifiedProvider {
  readonly url: string;
  /** Begins to serve. @param callback where browsers are sent back */
  serve(callback: string): void;
  close(): Promise<void>;
}

const person = 'certified-person';
const scope = 'openid email profile';

/** Listens before it serves, because the issuer has the port. */
export async function openCertifiedProvider(): Promise<CertifiedProvider> {
  const server = createServer();
  const { url, close } = await listening(server);
  return {
    url,
    serve(callback) {
      const provider = makeProvider(url, callback);
      const answer = provider.callback();
      server.on('request', (req, res) => {
        if (req.url?.startsWith('/interaction/') !== true) return void answer(req, res);
        return void provider.interactionFinished(req, res, { login: { accountId: person } });
      });
    },
    close,
  };
}

const makeProvider = (url: string, callback: string): Provider =>
  new Provider(url, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [callback] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['a key of the test'] },
    features: { devInteractions: { enabled: false } },
    findAccount: (_ctx, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, email: 'certified@x.test', email_verified: true, name: 'Certified' }),
    }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    // the person has agreed before
    async loadExistingGrant({ oidc }) {
      const grant = new oidc.provider.Grant({ accountId: person, clientId: client.id });
      grant.addOIDCScope(scope);
      await grant.save();
      return grant;
    },
  });

/** Follows redirects as a browser does. @returns the first address on another origin */
export async function browse(from: string): Promise<URL> {
  const cookies = new Map<string, string>();
  let at = new URL(from);
  for (let steps = 0; steps < 10; steps++) {
    const cookie = [...cookies].map((pair) => pair.join('=')).join('; ');
    const { status, headers } = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const set of headers.getSetCookie()) {
      const [name = '', value = ''] = (set.split(';', 1)[0] ?? '').split('=', 2);
      cookies.set(name, value);
    }
    const next = new URL(headers.get('location') ?? `/${status}`, at);
    if (next.origin !== at.origin) return next;
    at = next;
  }
  throw new Error(`no end at ${at.href}`);
}
