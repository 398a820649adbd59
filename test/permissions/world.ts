/** A server with the models, users and rows of a universe, what is stored in it, and subscribers to every model. */
import { isDeepStrictEqual } from 'node:util';
import { ObjectId } from '../../src/models/object-id.ts';
import { passwordHashing } from '../../src/ports/core.ts';
import type { Answer, Sent } from '../support/client.ts';
import { emailOf, logIn, makeRoot, passwordOf } from '../support/fixtures/people.ts';
import { numbersFrom } from '../support/numbers.ts';
import { startServer, type TestServer } from '../support/server.ts';
import type { Caller, Json, Model, Row } from './oracle.ts';
import { subscribe } from './subscribers.ts';
import * as universe from './universe.ts';

export type Who = 'anonymous' | 'root' | universe.Person;
export const everyone: readonly Who[] = ['anonymous', 'root', ...universe.people];

/** What is stored: model → id → row; users are under `user`. */
export type State = Readonly<Record<string, ReadonlyMap<string, Row>>>;

/** A request of a caller, and its answer. */
interface Asked {
  readonly who: Who;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  /** The media type of the body, if it is another than JSON. */
  readonly type?: string;
}

export interface World {
  readonly chance: universe.Chance;
  readonly models: readonly Model[];
  model(name: string): Model;
  /** Reads everything that is stored. */
  stored(): Promise<State>;
  caller(who: Who, state: State): Caller;
  ask(asked: Asked): Promise<Answer>;
  /** Waits until all events of the writes so far have been received, and holds them against what each subscriber may see. */
  received(before: State, after: State): Promise<void>;
  /** The last request, and its answer. */
  last(): { readonly asked: Asked; readonly answer: Answer } | undefined;
  close(): Promise<void>;
}

/** Stored values with ids as text. */
function plain(value: unknown): unknown {
  if (value instanceof ObjectId) return value.toHexString();
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, plain(inner)]));
}

/** @param seed decides all of it; with odd ones the server caches answers */
export async function openWorld(seed: number): Promise<World> {
  const chance = universe.chanceFrom(numbersFrom(seed));
  const models = universe.modelsOf(chance);
  const beacon = `import { Schema } from 'mongoose';\nexport default new Schema({ n: Number }, { perms: { all: 'r' } });`;
  const files = Object.fromEntries(models.map((model) => [model.name, universe.sourceOf(model)]));
  const cache = { enabled: seed % 2 === 1, ttl: 3600 };
  const server = await startServer({ models: { ...files, user: universe.userSource, beacon }, cache });
  const root = await makeRoot(server);
  await fill(server, models, chance);
  const logins = await Promise.all(universe.people.map(async (name) => [name, (await logIn(server, name)).headers]));
  const headers = { anonymous: {}, root: root.headers, ...Object.fromEntries(logins as []) } as Record<Who, Json>;
  const headersOf = (who: Who): Record<string, string> => headers[who] as Record<string, string>;
  let last: { readonly asked: Asked; readonly answer: Answer } | undefined;
  const collectionOf = (name: string): string => server.dossier.services.registry.get(name).collection;

  const stored = async (): Promise<State> => {
    const { connection } = server.dossier.services;
    const read = async (name: string): Promise<[string, Map<string, Row>]> => {
      const rows = await connection.collection(collectionOf(name)).find().toArray();
      return [name, new Map(rows.map((row) => [String(row._id), plain(row) as Row]))];
    };
    return Object.fromEntries(await Promise.all([...universe.names, 'user'].map(read)));
  };
  const caller = (who: Who, state: State): Caller => {
    if (who === 'anonymous') return { id: undefined, admin: false, groups: [], own: undefined };
    const id = who === 'root' ? root.user_id : universe.personId(who);
    const groups = who === 'root' ? [] : universe.groupsOf[who];
    return { id, admin: who === 'root', groups, own: state['user']?.get(id) };
  };
  const world = {
    chance,
    models,
    model: (name: string) => models.find((model) => model.name === name) as Model,
    stored,
    caller,
    last: () => last,
    ask: async (asked: Asked): Promise<Answer> => {
      const type = asked.type === undefined ? {} : { 'content-type': asked.type };
      const sent: Sent = {
        headers: { ...headersOf(asked.who), ...type },
        ...(asked.body === undefined ? {} : { body: asked.body }),
      };
      const answer = await server.send(asked.method, asked.path, sent);
      last = { asked, answer };
      return answer;
    },
  };
  const subscribers = await subscribe({ server, models, caller, headersOf }, await stored());
  return {
    ...world,
    received: (before, after) => subscribers.compare(before, after),
    async close() {
      subscribers.close();
      await server.close();
    },
  };
}

async function fill(server: TestServer, models: readonly Model[], chance: universe.Chance): Promise<void> {
  const { connection, of, registry } = server.dossier.services;
  const at = new Date('2024-05-06T07:08:09Z');
  const users = await Promise.all(
    universe.people.map(async (person) => ({
      _id: new ObjectId(universe.personId(person)),
      email: emailOf(person),
      name: person,
      password: await of(passwordHashing).hash(passwordOf(person), 'test'),
      admin: false,
      groups: universe.groupsOf[person],
      ...universe.ownFields(chance),
      _incarnation: person,
      _deleted: false,
      _owner_id: new ObjectId(universe.personId(person)),
      createdAt: at,
      updatedAt: at,
      __v: 0,
    })),
  );
  await connection.collection(registry.get('user').collection).insertMany(users);
  for (const { name } of models)
    await connection.collection(registry.get(name).collection).insertMany(universe.rowsOf(name, chance));
}

/** The rows of a model that two states have differently. */
export function changed(
  before: State,
  after: State,
  name: string,
): { readonly was: Row | undefined; readonly is: Row | undefined }[] {
  const [old, now] = [before[name] ?? new Map<string, Row>(), after[name] ?? new Map<string, Row>()];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((id) => ({ was: old.get(id), is: now.get(id) }))
    .filter(({ was, is }) => !isDeepStrictEqual(was, is));
}
