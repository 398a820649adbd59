/** The people of the test world: root and rita (admins), ann, bob, cat, eve, ed (an editor) and dan, who is deleted after he logged in. */
import type { Sent } from './client.ts';
import type { TestServer } from './server.ts';

const people = ['root', 'rita', 'ann', 'bob', 'cat', 'eve', 'ed', 'dan'] as const;
export type Person = (typeof people)[number];

/** A person with every credential that they may have. */
export interface Caller {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly token: string;
  readonly refresh: string;
  readonly key: string;
  readonly jwt: string;
  /** The header of their bearer token. */
  readonly headers: Readonly<Record<string, string>>;
}
export type Callers = Readonly<Record<Person, Caller>>;

export const emailOf = (person: string): string => `${person}@x.test`;
/** `pw-<name>-1`, but for cat's, which has colons. */
export const passwordOf = (person: string): string => (person === 'cat' ? 'pw:with:colons' : `pw-${person}-1`);

export const bearer = (token: string): Readonly<Record<string, string>> => ({ authorization: `Bearer ${token}` });
export const basic = (email: string, password: string): Readonly<Record<string, string>> => ({
  authorization: `Basic ${Buffer.from(`${email}:${password}`).toString('base64')}`,
});

const rights: Readonly<Partial<Record<Person, object>>> = { rita: { admin: true }, ed: { groups: ['editors'] } };

/** Makes everybody through `/setup` and the API, and logs everybody in. */
export async function makeCallers(server: TestServer): Promise<Callers> {
  const root = await makeRoot(server);
  const others = people.filter((person) => person !== 'root');
  for (const name of others) {
    const user = { name, email: emailOf(name), password: passwordOf(name), ...rights[name] };
    const made = await server.post('/api/user', user, root);
    if (made.status !== 201) throw new Error(`${name}: ${made.text}`);
  }
  const callers = Object.fromEntries(
    await Promise.all(others.map(async (name) => [name, await logIn(server, name)] as const)),
  ) as Omit<Callers, 'root'>;
  await server.remove(`/api/user/${callers.dan.id}`, root);
  return { ...callers, root };
}

/** Makes the first admin and logs in. */
export async function makeRoot(server: TestServer): Promise<Caller> {
  await server.post('/setup', { email: emailOf('root'), password: passwordOf('root'), name: 'root' });
  return logIn(server, 'root');
}

/** Logs somebody in. @throws when that is refused */
export async function logIn(server: TestServer, name: string, password = passwordOf(name)): Promise<Caller> {
  const email = emailOf(name);
  const { status, body, text } = await server.post('/login', { email, password });
  if (status !== 200) throw new Error(`login of ${name}: ${text}`);
  const token = String(body['token']);
  const headers = bearer(token);
  const jwt = await server.post('/login/getjwt', { email }, { headers });
  return {
    id: String(body['user_id']),
    email,
    password,
    token,
    refresh: String(body['refresh_token']),
    key: String(body['apikey']),
    jwt: String(jwt.body['jwt']),
    headers,
  };
}

/** A request as somebody; nobody is anonymous. */
export const as = (caller: Caller | undefined, sent: Sent = {}): Sent =>
  caller === undefined ? sent : { ...sent, headers: { ...caller.headers, ...sent.headers } };
