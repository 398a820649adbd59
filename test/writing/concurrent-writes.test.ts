/** Writes of concurrent requests share commands and transactions, and each has an outcome of its own. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { modelOf, mongo, ObjectId, type Row } from '../../src/models/mongoose.ts';
import type { Change } from '../../src/realtime/changes/contract.ts';
import type { Services } from '../../src/services.ts';
import { commit } from '../../src/write/commit.ts';
import type { Mutation, Recorder, States } from '../../src/write/contract.ts';
import type { Writer } from '../../src/write/mutation/writer.ts';
import { type MonitoredDatabase, openMonitored } from '../support/database.ts';
import { needs } from '../support/needs.ts';
import { startServer, type TestServer } from '../support/server.ts';

const counter = (options: string, code = ''): string => `
  const schema = new (require('mongoose').Schema)({ v: Number, tags: [String], text: String }, { perms: { all: 'crud' }, ${options} });
  ${code}
  module.exports = schema;`;

let database: MonitoredDatabase;
let server: TestServer;
/** Commands on the shelves, and ends of transactions, in their order. */
let sent: string[] = [];
/** Commands on counters, and ends of transactions. */
let counting: string[] = [];
const counters: readonly unknown[] = ['hots', 'kepts', 'codeds'];
const ends = ['commitTransaction', 'abortTransaction'];
let published: string[] = [];

beforeAll(async () => {
  database = await openMonitored();
  server = await startServer({
    ...{ mongodb_url: database.mongodb_url, slow_ms: 0 },
    models: {
      'shelf.js': `module.exports = new (require('mongoose').Schema)({ name: { type: String, unique: true }, n: Number },
        { perms: { all: 'crud' }, collection: 'shelves' });`,
      'film.js': `module.exports = new (require('mongoose').Schema)({ name: { type: String, unique: true }, n: Number },
        { perms: { all: 'crud' }, history: true, optimisticConcurrency: false });`,
      'hot.js': counter(''),
      'kept.js': counter('history: true'),
      'coded.js': counter('history: true', "schema.pre('findOneAndUpdate', async () => undefined);"),
    },
  });
  const { connection, bus } = server.dossier.services;
  connection.getClient().on('commandStarted', ({ commandName, command }) => {
    if (command[commandName] === 'shelves' || commandName === 'commitTransaction') sent.push(commandName);
    if (counters.includes(command[commandName]) || ends.includes(commandName)) counting.push(commandName);
  });
  bus.subscribe(
    (changes) => void published.push(...changes.map(shown)),
    () => true,
  );
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const shown = ({ event, before, after, user }: Change): string =>
  [event, String(before?.['n'] ?? '-'), String(after?.['n'] ?? '-'), user ?? 'nobody'].join(' ');

const shelf = (): ReturnType<Services['registry']['get']> => server.dossier.services.registry.get('shelf');
const shelves = () => modelOf(shelf()).collection;
const ids = Array.from({ length: 4 }, () => new ObjectId());

/** Shelves 0 to 3 are stored, with their number as `n` and their name. */
beforeEach(async () => {
  await shelves().deleteMany({});
  await shelves().insertMany(ids.map((_id, n) => ({ _id, name: `s${n}`, n, __v: 0 })));
  sent = [];
  published = [];
});

const stored = async (): Promise<readonly string[]> =>
  (await shelves().find().sort({ name: 1 }).toArray()).map(({ name, n }) => `${String(name)} ${String(n)}`);

interface Given {
  readonly user?: string;
  readonly recorders?: readonly Recorder[];
  readonly inTransaction?: Services['inTransaction'];
}
const writer = ({ user = 'ann', recorders = [], inTransaction }: Given = {}): Writer => ({
  services: { ...server.dossier.services, recorders, ...(inTransaction && { inTransaction }) },
  ...{ user, silent: false },
});

const insert = (name: string, n = 9, others: Row = {}): Mutation => ({
  ...{ kind: 'insert', model: shelf() },
  rows: [{ _id: new ObjectId(), name, n, __v: 0, ...others }],
});
const increment = (at: number, by = 10, others: object = {}): Mutation => ({
  ...{ kind: 'change', model: shelf(), filter: { $and: [{ _id: ids[at] }, { name: { $ne: '' } }] } },
  ...{ update: { $inc: { n: by } }, event: 'put', returns: 'after' },
  ...others,
});
const setting = (at: number, set: Row, others: object = {}): Mutation =>
  increment(at, 0, { update: { $set: set, $inc: { __v: 1 } }, ...others });
const removal = (at: number): Mutation => ({ kind: 'remove', model: shelf(), filter: { _id: ids[at] } });

/** What concurrent writes return: `n` of a changed document, 1 for an insertion, or the reason of a refusal. */
const outcomesOf = async (writers: Writer, ...mutations: readonly Mutation[]): Promise<readonly unknown[]> =>
  (await Promise.allSettled(mutations.map((one) => commit(writers, one)))).map((one, at) => {
    if (one.status === 'rejected') return reasonOf(one.reason);
    return mutations[at]?.kind === 'insert' ? 1 : (one.value?.['n'] ?? one.value);
  });

const reasonOf = (error: unknown): unknown =>
  error instanceof mongo.MongoServerError && error.code === 11000
    ? `duplicate ${Object.keys(error['keyPattern'] as object).join()}`
    : (error as Error).message;

describe('inserts of one turn', () => {
  const many = Array.from({ length: 40 }, (_, n) => insert.bind(undefined, `t${n}`));
  test.each<[string, readonly (() => Mutation)[], readonly unknown[], readonly string[]]>([
    ['one is sent alone', [() => insert('a')], [1], ['insert']],
    ['several are one command', [() => insert('a'), () => insert('b'), () => insert('c')], [1, 1, 1], ['insert']],
    ['32 are one command', many.map((one) => () => one()), many.map(() => 1), ['insert', 'insert']],
    [
      'a duplicate is refused, and no other',
      [() => insert('a'), () => insert('s0'), () => insert('b')],
      [1, 'duplicate name', 1],
      ['insert', 'insert'],
    ],
    [
      'of two that are equal one is refused',
      [() => insert('a'), () => insert('a')],
      [1, 'duplicate name'],
      ['insert', 'insert'],
    ],
    [
      'one that cannot be encoded is refused, and no other',
      [() => insert('a'), () => insert('b', 9, { 'a\0b': 1 }), () => insert('c')],
      [1, expect.stringContaining('null bytes'), 1],
      // the driver reports a command that it cannot encode
      ['insert', 'insert', 'insert'],
    ],
  ])('%s', async (_, mutations, outcomes, commands) => {
    expect(await outcomesOf(writer(), ...mutations.map((one) => one()))).toEqual(outcomes);
    expect(sent).toEqual(commands);
    const made = outcomes.filter((one) => one === 1).length;
    expect([published, (await stored()).length]).toEqual([Array(made).fill('post - 9 ann'), ids.length + made]);
  });
});

/** Records the numbers of all states; its entries are written to a list. @param isRefused whether the first call fails */
function recording(isRefused = false): { recorder: Recorder<string>; calls: string[][] } {
  const calls: string[][] = [];
  let left = isRefused ? 1 : 0;
  const numbers = (states: States): string[] =>
    states.map(({ before, after }) => `${String(before?.['n'] ?? '-')}→${String(after?.['n'] ?? '-')}`);
  const recorder: Recorder<string> = {
    name: 'test',
    needs: () => true,
    needsBoth: () => true,
    entriesOf: (_, states, { user = 'nobody' }) => numbers(states).map((one) => `${user} ${one}`),
    write: async (entries) => {
      if (left-- > 0) throw new Error('no entry');
      calls.push([...entries].sort());
      return Promise.resolve();
    },
  };
  return { recorder, calls };
}

type Case = readonly [
  name: string,
  mutations: readonly (() => Mutation)[],
  expected: {
    readonly outcomes: readonly unknown[];
    /** The entries of each call of the recorder. */
    readonly entries: readonly (readonly string[])[];
    readonly stored: readonly string[];
    readonly commits: number;
    /** Whether the recorder refuses its first entries. */
    readonly isRefused?: true;
    /** The commands before the commit, where they are compared. */
    readonly commands?: readonly string[];
  },
];

const cases: readonly Case[] = [
  [
    'are one transaction, whose entries are one call',
    [() => insert('a', 5), () => increment(0), () => removal(1), () => insert('b', 6)],
    {
      outcomes: [1, 10, 1, 1],
      entries: [['ann -→5', 'ann -→6', 'ann 0→10', 'ann 1→-']],
      stored: ['a 5', 'b 6', 's0 10', 's2 2', 's3 3'],
      commits: 1,
    },
  ],
  [
    'of one document follow each other',
    [() => increment(0, 1), () => increment(0, 1), () => increment(0, 1)],
    {
      outcomes: [1, 2, 3],
      entries: [['ann 0→1', 'ann 1→2', 'ann 2→3']],
      stored: ['s0 3', 's1 1', 's2 2', 's3 3'],
      commits: 1,
    },
  ],
  [
    'that find nothing have no entry',
    [() => increment(0), () => ({ ...removal(1), filter: { _id: new ObjectId() } }) as Mutation],
    { outcomes: [10, null], entries: [['ann 0→10']], stored: ['s0 10', 's1 1', 's2 2', 's3 3'], commits: 1 },
  ],
  [
    'are written one by one where one is refused',
    [() => increment(0), () => insert('s1'), () => insert('a', 5)],
    {
      outcomes: [10, 'duplicate name', 1],
      entries: [['ann 0→10'], ['ann -→5']],
      stored: ['a 5', 's0 10', 's1 1', 's2 2', 's3 3'],
      commits: 2,
    },
  ],
  [
    'are written one by one where a guard refuses one',
    [
      () =>
        increment(0, 10, {
          guard: () => {
            throw new Error('not yours');
          },
        }),
      () => increment(1),
    ],
    { outcomes: ['not yours', 11], entries: [['ann 1→11']], stored: ['s0 0', 's1 11', 's2 2', 's3 3'], commits: 1 },
  ],
  [
    'are written one by one where their entries are refused',
    [() => increment(0), () => increment(1)],
    {
      outcomes: [10, 11],
      entries: [['ann 0→10'], ['ann 1→11']],
      stored: ['s0 10', 's1 11', 's2 2', 's3 3'],
      commits: 2,
      isRefused: true,
    },
  ],
  [
    'that set whole fields are one read and one update',
    [() => setting(0, { n: 5 }), () => setting(1, { n: 6, name: 'b' }), () => insert('a'), () => setting(2, { m: 1 })],
    {
      outcomes: [5, 6, 1, 2],
      entries: [['ann -→9', 'ann 0→5', 'ann 1→6', 'ann 2→2']],
      stored: ['a 9', 'b 6', 's0 5', 's3 3', 's2 2'].sort(),
      commits: 1,
      commands: ['find', 'update', 'insert'],
    },
  ],
  [
    'that set whole fields are one command each where they are fewer than three',
    [() => setting(0, { n: 5 }), () => setting(1, { n: 6 })],
    {
      outcomes: [5, 6],
      entries: [['ann 0→5', 'ann 1→6']],
      stored: ['s0 5', 's1 6', 's2 2', 's3 3'],
      commits: 1,
      commands: ['findAndModify', 'findAndModify'],
    },
  ],
  [
    'of one document, others, and of none, follow the first update of each',
    [
      () => setting(0, { n: 5 }),
      () => setting(0, { n: 6 }, { returns: 'before' }),
      () => setting(1, { n: 7 }, { returns: 'before' }),
      () => setting(2, { n: 8 }, { filter: { $and: [{ _id: ids[2] }, { name: 'other' }] } }),
      () => removal(1),
    ],
    {
      outcomes: [5, 5, 1, null, 7],
      entries: [['ann 0→5', 'ann 1→7', 'ann 5→6', 'ann 7→-']],
      stored: ['s0 6', 's2 2', 's3 3'],
      commits: 1,
      commands: ['find', 'update', 'findAndModify', 'findAndModify'],
    },
  ],
  [
    'that set whole fields of no document are one read',
    [0, 1, 2].map((at) => () => setting(at, { n: 5 }, { filter: { _id: new ObjectId() } })),
    {
      outcomes: [null, null, null],
      entries: [],
      stored: ['s0 0', 's1 1', 's2 2', 's3 3'],
      commits: 1,
      commands: ['find'],
    },
  ],
  [
    'that set whole fields are written one by one where one is refused',
    [() => setting(0, { n: 5 }), () => setting(1, { name: 's3' }), () => setting(2, { n: 7 })],
    {
      outcomes: [5, 'duplicate name', 7],
      entries: [['ann 0→5'], ['ann 2→7']],
      stored: ['s0 5', 's1 1', 's2 7', 's3 3'],
      commits: 2,
    },
  ],
  [
    'of internal fields have no entry, and no transaction',
    [() => setting(3, { n: 9 }, { event: undefined })],
    { outcomes: [9], entries: [], stored: ['s0 0', 's1 1', 's2 2', 's3 9'], commits: 0 },
  ],
  [
    'by another filter than ids have transactions of their own',
    [
      () => increment(0, 10, { filter: { name: 's0' } }),
      () => increment(1, 10, { filter: { _id: { $in: [ids[1]] } } }),
    ],
    {
      outcomes: [10, 11],
      entries: [['ann 0→10'], ['ann 1→11']],
      stored: ['s0 10', 's1 11', 's2 2', 's3 3'],
      commits: 2,
    },
  ],
];

describe('recorded writes of one turn', () => {
  needs('transactions').each(cases)('%s', async (_, mutations, expected) => {
    const { recorder, calls } = recording(expected.isRefused);
    const outcomes = await outcomesOf(writer({ recorders: [recorder] }), ...mutations.map((one) => one()));
    const changes = calls.flat().map((one) => one.replace('ann ', ''));
    expect(outcomes.map((one) => (isRow(one) ? 1 : one))).toEqual(expected.outcomes);
    expect(calls.sort()).toEqual([...expected.entries].map((one) => [...one]).sort());
    expect(await stored()).toEqual(expected.stored);
    expect(sent.filter((one) => one === 'commitTransaction')).toHaveLength(expected.commits);
    const { commands = expect.anything() } = expected;
    expect(sent.slice(0, sent.indexOf('commitTransaction'))).toEqual(commands);
    expect(published.map((one) => one.split(' ').slice(1, 3).join('→')).sort()).toEqual(changes.sort());
  });

  needs('transactions')(
    'that set whole fields are read again where a revision is too large to be raised here',
    async () => {
      await shelves().updateOne({ name: 's1' }, { $set: { __v: mongo.Long.fromString('9007199254740993') } });
      const { recorder, calls } = recording();
      sent = [];
      const settings = [0, 1, 2].map((at) => setting(at, { n: at + 5 }));
      expect(await outcomesOf(writer({ recorders: [recorder] }), ...settings)).toEqual([5, 6, 7]);
      expect(calls).toEqual([['ann 0→5', 'ann 1→6', 'ann 2→7']]);
      expect(sent).toEqual(['find', 'update', 'find', 'commitTransaction']);
    },
  );

  test('without transactions have an entry each', async () => {
    const { recorder, calls } = recording();
    const plain: Services['inTransaction'] = (work) => work(undefined);
    const outcomes = await outcomesOf(
      writer({ recorders: [recorder], inTransaction: plain }),
      ...[increment(0), increment(1), insert('s2'), insert('a')],
    );
    expect(outcomes).toEqual([10, 11, 'duplicate name', 1]);
    expect(calls.sort()).toEqual([['ann -→9'], ['ann 0→10'], ['ann 1→11']]);
  });

  needs('transactions')('are not written again where it is not known whether they are stored', async () => {
    const { recorder, calls } = recording();
    const { inTransaction } = server.dossier.services;
    const unknown: Services['inTransaction'] = async (work) => {
      await inTransaction(work);
      throw new Error('the commit had no answer');
    };
    const outcomes = await outcomesOf(
      writer({ recorders: [recorder], inTransaction: unknown }),
      ...[increment(0), increment(1)],
    );
    expect([outcomes, calls.length]).toEqual([Array(2).fill('the commit had no answer'), 1]);
    expect(await stored()).toEqual(['s0 10', 's1 11', 's2 2', 's3 3']);
  });

  needs('transactions')('wait for an open transaction of the same document, and for no other', async () => {
    const { recorder, calls } = recording();
    const { inTransaction } = server.dossier.services;
    let opened = (): void => undefined;
    let close = (): void => undefined;
    const open = new Promise<void>((done) => (opened = done));
    const closing = new Promise<void>((done) => (close = done));
    let transactions = 0;
    const slow: Services['inTransaction'] = async (work) => {
      transactions += 1;
      const isFirst = transactions === 1;
      return inTransaction(async (session) => {
        const done = await work(session);
        if (isFirst) opened();
        if (isFirst) await closing;
        return done;
      });
    };
    const recorded = writer({ recorders: [recorder], inTransaction: slow });
    const first = outcomesOf(recorded, increment(0), increment(1));
    await open;
    const waiting = outcomesOf(recorded, increment(0));
    expect(await outcomesOf(recorded, increment(2), increment(3))).toEqual([12, 13]);
    close();
    expect([await first, await waiting]).toEqual([[10, 11], [20]]);
    expect([transactions, calls]).toEqual([3, [['ann 0→10', 'ann 1→11'], ['ann 2→12', 'ann 3→13'], ['ann 10→20']]]);
  });
});

const isRow = (value: unknown): boolean => typeof value === 'object' && value !== null;

// without them, an entry may be written after that of a later write of another request
needs('transactions')(
  'concurrent requests on documents with history, some of which fail, leave exactly their entries',
  async () => {
    const names = Array.from({ length: 30 }, (_, n) => `film ${n % 20}`);
    const made = await Promise.all(names.map((name, n) => server.post('/api/film', { name, n })));
    expect(made.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(10).fill(409),
    ]);
    const films = made.filter(({ status }) => status === 201).map(({ document }) => String(document['_id']));
    const changes = films.flatMap((id, n) => [
      server.put(`/api/film/${id}`, { n: 100 + n }),
      n % 4 === 0 ? server.put(`/api/film/${id}`, { name: 'film 19' }) : server.put(`/api/film/${id}`, { n: 200 + n }),
      ...(n % 3 === 0 ? [server.remove(`/api/film/${id}`)] : []),
    ]);
    for (const { status } of await Promise.all(changes)) expect([200, 404, 409]).toContain(status);
    for (const id of films) {
      const { body } = await server.get(`/history/film/${id}`);
      const { body: now } = await server.get(`/api/film/${id}?showDeleted=true`);
      const [{ rev }] = body.data as [{ rev: number }];
      const { body: then } = await server.get(`/history/film/${id}/${rev}`);
      expect({ id, last: then.data }).toEqual({ id, last: now.data });
    }
  },
);

describe('fifty changes of one document at once', () => {
  const bodies = [
    (): object => ({ $inc: { v: 1 } }),
    (n: number): object => ({ $inc: { v: 1 }, $push: { tags: `t${n}` } }),
    (n: number): object => ({ $inc: { v: 1 }, $set: { text: `x${n}` } }),
  ];
  /** @returns the number of commands by their name */
  async function change(name: string): Promise<Readonly<Record<string, number>>> {
    const { document } = await server.post(`/api/${name}`, { v: 0 });
    const path = `/api/${name}/${String(document['_id'])}`;
    counting = [];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) => server.send('PATCH', path, { body: bodies[n % 3]?.(n) })),
    );
    const commands = counting;
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200));
    // each is answered with the document as it has left it
    expect(answers.map((one) => Number(one.document['v'])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 50 }, (_, n) => n + 1),
    );
    const { document: now } = await server.get(path);
    expect([now['v'], (now['tags'] as unknown[]).length]).toEqual([50, 17]);
    return Object.fromEntries(
      ['find', 'findAndModify', ...ends].map((one) => [one, commands.filter((command) => command === one).length]),
    );
  }

  needs('transactions')('share transactions where the model has a history, with an entry for each', async () => {
    expect(await change('hot')).toMatchObject({ findAndModify: 50, commitTransaction: 0 });
    const { find = 0, commitTransaction = 0, ...others } = await change('kept');
    expect(others).toEqual({ findAndModify: 50, abortTransaction: 0 });
    // 32 changes at most share one transaction, which reads the document once
    expect(find).toBeLessThan(10);
    expect(commitTransaction).toBeLessThan(10);
    const { rows } = await server.get('/history/kept?limit=100');
    expect(rows).toHaveLength(51);
  });

  needs('transactions')('come one after the other where they run code of the model', async () => {
    expect(await change('coded')).toMatchObject({ findAndModify: 50, abortTransaction: 0 });
  });
});
