/** A server with a few people, and a client that says what it sends. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createServer, type DossierServer, type ServerOptions } from '../../../src/server.ts';
import { described, fetchDescribed } from '../../support/described.ts';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Sent {
  readonly body?: unknown;
  readonly form?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Login {
  readonly user_id: string;
  readonly apikey: string;
  readonly token: string;
  readonly token_expires: string;
  readonly refresh_token: string;
  readonly refresh_token_expires: string;
}

export interface World {
  readonly server: DossierServer;
  readonly url: string;
  /** Ids by name. */
  readonly ids: Readonly<Record<string, string>>;
  readonly log: readonly string[];
  readonly send: (method: string, path: string, sent?: Sent) => Promise<Reply>;
  /** @throws when the login is refused */
  readonly login: (name: string, password?: string) => Promise<Login>;
  /** The header of somebody who has just logged in. */
  readonly as: (name: string) => Promise<Readonly<Record<string, string>>>;
  readonly close: () => Promise<void>;
}

export const emailOf = (name: string): string => `${name}@x.test`;
export const passwordOf = (name: string): string => `pw-${name}-1`;
export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });
export const basic = (email: string, password: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

const people: readonly object[] = [
  { name: 'rita', admin: true },
  { name: 'ann' },
  { name: 'bob' },
  { name: 'cat', password: 'pw:with:colons' },
  { name: 'dan' },
  { name: 'ed', groups: ['editors'] },
  { name: 'eve' },
];

/** Root, an admin, and the others; passwords are `pw-<name>-1`. Throttles are off unless the options say otherwise. */
export async function openWorld(options: ServerOptions = {}, withPeople = true): Promise<World> {
  const log: string[] = [];
  const server = await createServer({
    inMemory: true,
    port: 0,
    models_dir: join(import.meta.dirname, '../models'),
    bcrypt_cost: 4,
    log_level: 'debug',
    logTarget: { write: (line) => void log.push(line) },
    throttle: { enabled: false },
    ...ownDatabase(process.env['MONGODB_URL']),
    ...options,
  });
  const { url } = described(server);
  const send: World['send'] = (method, path, sent) => request(url + path, method, sent);
  const login: World['login'] = async (name, password = passwordOf(name)) => {
    const reply = await send('POST', '/login', { body: { email: emailOf(name), password } });
    if (reply.status !== 200) throw new Error(`login of ${name}: ${reply.status} ${reply.text}`);
    return reply.body as unknown as Login;
  };
  const ids = withPeople ? await populate(send) : {};
  return {
    server,
    url,
    ids,
    log,
    send,
    login,
    as: async (name) => bearer((await login(name)).token),
    async close() {
      if (process.env['MONGODB_URL'] !== undefined) await server.services.connection.dropDatabase();
      await server.close();
    },
  };
}

async function populate(send: World['send']): Promise<Readonly<Record<string, string>>> {
  const root = { email: emailOf('root'), password: passwordOf('root') };
  const made = await send('POST', '/setup', { body: { ...root, name: 'root' } });
  const users = people.map((one) => ({
    ...one,
    email: emailOf((one as { name: string }).name),
    password: (one as { password?: string }).password ?? passwordOf((one as { name: string }).name),
  }));
  const reply = await send('POST', '/setup/data', { body: { user: users }, headers: basic(root.email, root.password) });
  const { user } = reply.body['results'] as { user: { insertedIds: Record<string, string> } };
  return {
    root: String(made.body['user_id']),
    ...Object.fromEntries(
      people.map((one, at) => [(one as { name: string }).name, user.insertedIds[String(at)] ?? '']),
    ),
  };
}

export async function request(url: string, method: string, { body, form, headers = {} }: Sent = {}): Promise<Reply> {
  const type = form === undefined ? 'application/json' : 'application/x-www-form-urlencoded';
  const content = form ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetchDescribed(url, {
    method,
    redirect: 'manual',
    headers: { ...(content === undefined ? {} : { 'content-type': type }), ...headers },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: isJson && text !== '' ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

/** A database of its own on the MongoDB that the environment names; without one, the embedded store in memory. */
function ownDatabase(url: string | undefined): { mongodb_url?: string } {
  if (url === undefined || url === '') return {};
  const own = new URL(url);
  own.pathname = `/auth_${randomBytes(6).toString('hex')}`;
  return { mongodb_url: own.href };
}
