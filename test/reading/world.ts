/** A server with the models beside this file, a few people, and rows of theirs. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type mongoose from 'mongoose';
import { createServer, type DossierServer, type ServerOptions } from '../../src/server.ts';
import { described, fetchDescribed } from '../support/described.ts';

/** What a model file's function is given. */
export interface ModelTools {
  readonly Schema: typeof mongoose.Schema;
  readonly ObjectId: typeof mongoose.Schema.Types.ObjectId;
  readonly Mixed: typeof mongoose.Schema.Types.Mixed;
}

export type Person = 'root' | 'ann' | 'eve' | 'anonymous';
export type Json = Record<string, any>;

/** An answer: its body as text, and as JSON where it is JSON. */
interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Json;
}

interface Request {
  readonly as?: Person;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface World {
  readonly server: DossierServer;
  /** Ids of people and rows by their names: `ann`, `annNote`, `eveBook` … */
  readonly ids: Readonly<Record<string, string>>;
  send(method: string, path: string, request?: Request): Promise<Answered>;
  close(): Promise<void>;
}

const passwordOf = (person: string): string => `pw-${person}-1`;

/** A server of its own: on MONGODB_URL in a database of its own, else on the embedded store in memory. */
export async function openServer(options: ServerOptions = {}): Promise<DossierServer> {
  const url = process.env['MONGODB_URL'];
  const database = `reading_${randomBytes(6).toString('hex')}`;
  const server = await createServer({
    port: 0,
    models_dir: join(__dirname, 'models'),
    bcrypt_cost: 4,
    log_level: 'silent',
    ...(url === undefined ? {} : { mongodb_url: new URL(`/${database}`, url).href }),
    inMemory: true,
    ...options,
    throttle: { enabled: false, login_max: 1000, ...options.throttle },
  });
  return described(server);
}

/** Opens the world, filled. */
export async function openWorld(options: ServerOptions = {}): Promise<World> {
  const server = await openServer(options);
  const tokens = new Map<Person, string>();
  const send = async (method: string, path: string, { as, body, headers }: Request = {}): Promise<Answered> => {
    const token = as === undefined ? undefined : tokens.get(as);
    const response = await fetchDescribed(server.url + path, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (isJson && text !== '' ? JSON.parse(text) : {}) as Json,
    };
  };
  const ids: Record<string, string> = {};
  await fill(send, ids, tokens);
  return {
    server,
    ids,
    send,
    close: async () => {
      if (process.env['MONGODB_URL'] !== undefined) await server.services.connection.dropDatabase();
      await server.close();
    },
  };
}

type Send = World['send'];

async function fill(send: Send, ids: Record<string, string>, tokens: Map<Person, string>): Promise<void> {
  const signIn = async (person: Person): Promise<void> => {
    const { body } = await send('POST', '/login', {
      body: { email: `${person}@x.test`, password: passwordOf(person) },
    });
    tokens.set(person, body['token'] as string);
    ids[person] = body['user_id'] as string;
  };
  const make = async (name: string, as: Person, model: string, body: Json): Promise<void> => {
    const answer = await send('POST', `/api/${model}`, { as, body });
    if (answer.status !== 201) throw new Error(`${name}: ${answer.text}`);
    ids[name] = answer.body['data']._id as string;
  };
  await send('POST', '/setup', { body: { email: 'root@x.test', password: passwordOf('root') } });
  await signIn('root');
  for (const person of ['ann', 'eve'] as const) {
    await make(person, 'root', 'user', { email: `${person}@x.test`, password: passwordOf(person), name: person });
    await signIn(person);
  }
  await make('author', 'root', 'author', { name: 'Ada', email: 'ada@x.test', password: 'CANARY' });
  await make('tag', 'root', 'tag', { label: 'fine' });
  for (const person of ['ann', 'eve'] as const) {
    const book = {
      title: `Book of ${person}`,
      price: person === 'ann' ? -0 : 12,
      isbn: `isbn-${person}`,
      tags: ['a', 'b'],
    };
    await make(`${person}Book`, person, 'book', {
      ...book,
      author_id: ids['author'],
      published: '2024-02-03T04:05:06Z',
    });
    await make(`${person}Note`, person, 'note', {
      title: `Note of ${person}`,
      body: `BODY-${person}`,
      login: { site: 's', password: 'CANARY' },
      logins: [{ site: 't', password: 'CANARY' }],
      meta: { colour: 'red', password: 'CANARY', deep: [{ Password: 'CANARY', keep: 1 }, [{ PASSWORD: 'CANARY' }]] },
    });
    await make(`${person}Wiki`, person, 'wiki', {
      title: `Wiki of ${person}`,
      count: 3,
      note_id: ids[`${person}Note`],
    });
  }
  await make('ledger', 'root', 'ledger', { amount: 5, body: 'SECRET-LEDGER', wiki_id: ids['annWiki'] });
  await make('goneWiki', 'ann', 'wiki', { title: 'Gone wiki', parent_id: ids['annWiki'] });
  await make('goneNote', 'eve', 'note', { title: 'Gone note', body: 'GONE-BODY' });
  for (const [model, name] of [
    ['wiki', 'goneWiki'],
    ['note', 'goneNote'],
  ] as const)
    await send('DELETE', `/api/${model}/${ids[name]}`, { as: 'root' });
}
