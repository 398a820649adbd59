/** Two servers whose databases differ only in what callers may not see. */
import type { Row } from '../../src/models/mongoose.ts';
import { ObjectId } from '../../src/models/object-id.ts';
import type { DossierServer } from '../../src/server.ts';
import { openServer } from '../reading/world.ts';

export type Caller = 'anonymous' | 'eve';
export interface Twin {
  readonly server: DossierServer;
  readonly tokens: Readonly<Record<Caller, string | undefined>>;
}

const id = (kind: number, number: number): ObjectId =>
  new ObjectId(`${kind.toString(16).padStart(2, '0')}${number.toString(16).padStart(22, '0')}`);
const ann = id(1, 1);
const eve = id(1, 2);

/** Ids of documents: visible, hidden, and of nothing. */
export const ids: readonly string[] = [
  ...[1, 2, 3].map((number) => id(1, number)),
  ...[0, 1, 2, 40].flatMap((number) => [2, 3, 4, 5, 6, 7].map((kind) => id(kind, number))),
].map(String);

/** Opens a twin. What is hidden depends on the variant, everything else does not. */
export async function openTwin(variant: 0 | 1, cached: boolean): Promise<Twin> {
  const server = await openServer({ api_url: 'http://twin.test', cache: { enabled: cached, ttl: 3600 } });
  const { connection, passwords } = server.services;
  const hash = await passwords.hash('pw-eve-1', 'test');
  for (const [collection, rows] of Object.entries(rowsOf(variant, hash)))
    await connection.collection(collection).insertMany(rows);
  const response = await fetch(`${server.url}/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'eve@x.test', password: 'pw-eve-1' }),
  });
  const { token } = (await response.json()) as { token: string };
  return { server, tokens: { anonymous: undefined, eve: token } };
}

export async function closeTwin({ server }: Twin): Promise<void> {
  if (process.env['MONGODB_URL'] !== undefined) await server.services.connection.dropDatabase();
  await server.close();
}

function rowsOf(variant: number, hash: string): Record<string, Row[]> {
  const at = new Date('2024-05-06T07:08:09Z');
  const base = (kind: number, number: number, owner: ObjectId, deleted = false): Row => ({
    _id: id(kind, number),
    _deleted: deleted,
    _owner_id: owner,
    createdAt: at,
    updatedAt: at,
    __v: 0,
  });
  const times = (count: number, make: (number: number) => Row): Row[] =>
    Array.from({ length: count }, (_, n) => make(n));
  /** A text that nobody may see, longer in one twin, and in the opposite order. */
  const hidden = (number: number): string =>
    variant === 0 ? `CANARY${100 - number}` : `CANARY-${'x'.repeat(Math.abs(number))}`;
  const meta = (number: number): Row => ({
    colour: ['red', 'green', 'blue'][number % 3],
    password: hidden(number),
    deep: [{ Password: hidden(number), keep: number }, [{ PASSWORD: hidden(number) }]],
  });
  const note = (number: number, owner: ObjectId, text: string, deleted = false): Row => ({
    ...base(4, number, owner, deleted),
    title: `Note ${text}`,
    body: text,
    login: { site: 's', password: hidden(number) },
    logins: [
      { site: 't', password: hidden(number) },
      { site: 'u', password: hidden(-number) },
    ],
    meta: meta(number),
  });
  return {
    users: [
      {
        ...base(1, 2, eve),
        email: 'eve@x.test',
        name: 'eve',
        password: hash,
        admin: false,
        groups: [],
        // shown by pipelines; random otherwise
        _incarnation: 'eve',
      },
      {
        ...base(1, 1, ann),
        email: `${hidden(1)}@x.test`.toLowerCase(),
        name: 'ann',
        password: hidden(1),
        admin: variant === 0,
        groups: [hidden(1)],
      },
      ...times(1 + variant * 3, (n) => ({
        ...base(1, 3 + n, ann),
        email: `${hidden(n)}${n}@y.test`.toLowerCase(),
        name: hidden(n),
        password: hidden(n),
      })),
    ],
    authors: [
      ...times(4, (n) => ({ ...base(2, n, ann), name: `Author ${n}`, email: `a${n}@x.test`, password: hidden(n) })),
      ...times(2 + variant, (n) => ({ ...base(2, 40 + n, ann, true), name: hidden(n) })),
    ],
    // the schema of tags names no password: one is left from before
    tags: times(6, (n) => ({ ...base(7, n, ann), label: `Tag ${n % 4}`, password: hidden(n) })),
    books: [
      ...times(12, (n) => ({
        ...base(3, n, n % 2 === 0 ? ann : eve),
        title: `Book ${n % 5}`,
        isbn: `i${n}`,
        price: n,
        author_id: id(2, n % 5),
        tags: ['a', `t${n % 3}`],
        meta: meta(n),
      })),
      ...times(3 - variant, (n) => ({ ...base(3, 40 + n, eve, true), title: hidden(n), isbn: `d${n}`, price: n })),
    ],
    notes: [
      ...times(5, (n) => note(n, eve, `eve ${n}`)),
      ...times(3 + variant * 4, (n) => note(20 + n, ann, hidden(n))),
      ...times(1 + variant * 2, (n) => note(40 + n, eve, hidden(n), true)),
    ],
    wikis: [
      ...times(9, (n) => ({
        ...base(5, n, n % 3 === 0 ? ann : eve),
        title: `Wiki ${n % 4}`,
        count: n % 3,
        note_id: id(4, n < 5 ? n : 20),
        parent_id: id(5, n >> 1),
        meta: meta(n),
        _updated_by_id: ann,
      })),
      ...times(2 + variant, (n) => ({ ...base(5, 40 + n, eve, true), title: hidden(n), parent_id: id(5, 1) })),
    ],
    ledgers: times(2 + variant * 5, (n) => ({
      ...base(6, n, ann),
      amount: n + variant,
      body: hidden(n),
      wiki_id: id(5, n),
    })),
  };
}
