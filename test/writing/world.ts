/** A server with the models beside this file, an admin and two users. */
import { join } from 'node:path';
import type { DossierServer, ServerOptions } from '../../src/server.ts';
import { openServer } from '../reading/world.ts';
import { fetchDescribed } from '../support/described.ts';

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: Record<string, any>;
}

export type Person = 'root' | 'ann' | 'eve';

export interface World {
  readonly server: DossierServer;
  readonly ids: Readonly<Record<Person, string>>;
  readonly tokens: Readonly<Record<Person, string>>;
  /** Sends a request as somebody, or as nobody. */
  send(as: Person | undefined, method: string, path: string, body?: unknown): Promise<Answer>;
  close(): Promise<void>;
}

export async function openWorld(options: ServerOptions = {}): Promise<World> {
  const server = await openServer({ models_dir: join(__dirname, 'models'), ...options });
  const ids = { root: '', ann: '', eve: '' };
  const tokens = { root: '', ann: '', eve: '' };
  const send: World['send'] = async (as, method, path, body) => {
    const response = await fetchDescribed(server.url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === undefined ? {} : { authorization: `Bearer ${tokens[as]}` }),
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, body: JSON.parse(text) as Record<string, any> };
  };
  const signIn = async (name: Person): Promise<void> => {
    const { body } = await send(undefined, 'POST', '/login', { email: `${name}@x.test`, password: `pw-${name}-1` });
    tokens[name] = String(body['token']);
    ids[name] = String(body['user_id']);
  };
  await send(undefined, 'POST', '/setup', { email: 'root@x.test', password: 'pw-root-1', name: 'Root' });
  await signIn('root');
  for (const name of ['ann', 'eve'] as const) {
    await send('root', 'POST', '/api/user', { email: `${name}@x.test`, password: `pw-${name}-1`, name });
    await signIn(name);
  }
  return { server, ids, tokens, send, close: () => server.close() };
}
