/**
 * No place that reads a caller's filter, expression, order or path reveals anything about a password. Every such place is asked with
 * a true and a false guess, and of a twin of the collection without passwords. The answers must be equal, or refusals.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ObjectId } from '../../../src/models/object-id.ts';
import { stageRows } from '../../../src/query/stages.ts';
import { connect } from '../../support/connection.ts';
import { type Caller, makeRoot } from '../../support/fixtures/people.ts';
import { startServer, type TestServer } from '../../support/server.ts';
import { type Kind, nestings, type Place, placesOf, positions, type Stages } from './places.ts';
import { canary, controls, guesses, type Question, questions, wholeFilters } from './questions.ts';

const model = `import { Schema } from 'mongoose';
const { Mixed } = Schema.Types;
const login = { site: String, password: String };
export default new Schema(
  {
    title: String, text: String, rank: Number, count: Number, same: Number, some: Number, tags: [String],
    password: String, login, logins: [{ ...login, _id: false }], meta: Mixed,
  },
  { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } },
);`;

const plain = `import { Schema } from 'mongoose';
export default new Schema({ meta: Schema.Types.Mixed });`;

let server: TestServer;
let root: Caller;
beforeAll(async () => {
  server = await startServer({ models: { safe: model, bare: model, plain } });
  root = await makeRoot(server);
  await fill();
});

/** The hashes are in the reverse order of the ids. */
const hashes = [canary.replace('CANARY', 'ZZNARY'), canary, canary.replace('CANARY', 'AANARY')];

async function fill(): Promise<void> {
  const { connection, registry } = server.dossier.services;
  for (const [name, with_] of [
    ['safe', (password: string, key = 'password') => ({ [key]: password })],
    ['bare', () => ({})],
  ] as const) {
    const { collection } = registry.get(name);
    await connection.collection(collection).insertMany(
      hashes.map((hash, at) => ({
        _id: new ObjectId(String(at).padStart(24, '0')),
        _deleted: false,
        title: ['First', 'Second', 'Third'][at],
        text: at === 1 ? with_(hash) : 'text',
        rank: at + 1,
        count: at + 2,
        same: 1,
        ...(at === 1 ? {} : { some: at }),
        tags: ['a', 'b'].slice(at),
        ...with_(hash),
        login: { site: 's', ...with_(hash) },
        logins: [{ site: 't', ...with_(hash) }],
        meta: { colour: 'red', ...with_(hash), deep: [{ keep: 1, ...with_(hash, 'Password') }] },
        stray: { keep: 1, ...with_(hash) },
      })),
    );
  }
}

type Twin = 'safe' | 'bare';
interface Outcome {
  readonly status: number;
  readonly text: string;
}

async function run(collection: Twin, stages: Stages): Promise<Outcome> {
  const { status, text } = await server.post(`/aggregate/${collection}`, stages);
  return { status, text: status === 200 ? text : '' };
}

/** A question with a guess is asked with a true and a false one, any other question of the twin too. */
async function expectAlike(
  { guess, guesses: has }: Question,
  ask: (asked: unknown, of: Twin) => Promise<Outcome>,
): Promise<void> {
  const right = await ask(guess(guesses[0]), 'safe');
  expect([200, 400, 403]).toContain(right.status);
  expect(right.text).not.toContain(canary.slice(0, 7));
  expect(await (has ? ask(guess(guesses[1]), 'safe') : ask(guess(guesses[0]), 'bare'))).toEqual(right);
}

const places = Object.entries(placesOf)
  .flatMap(([stage, options]) =>
    Object.entries(options).flatMap(([option, given]) =>
      typeof given === 'string'
        ? []
        : [given].flat().map((place: Place, at) => ({ name: `${stage} ${option} ${at}`, place })),
    ),
  )
  // `turn`: the number among the places that take the same
  .map((named, number, all) => ({
    ...named,
    number,
    turn: all.slice(0, number).filter(({ place }) => place.takes === named.place.takes).length,
  }));

test('the generator covers every stage, option and nesting', () => {
  expect(Object.keys(placesOf).sort()).toEqual(stageRows.map(({ name }) => name).sort());
  for (const { name, options = ['operand'] } of stageRows)
    expect([name, Object.keys(placesOf[name] ?? {}).sort()]).toEqual([name, [...options].sort()]);
  const nesting = stageRows.filter(({ nests }) => nests !== undefined).map(({ name }) => name);
  expect(Object.keys(nestings).sort()).toEqual(nesting.sort());
});

type Numbered = Pick<Place, 'takes'> & { readonly number: number; readonly turn: number };

/**
 * `npm run test:leaks` asks every question in every place and position. At the start of a pipeline a plain run asks every sixth expression
 * and every second filter, others in the next place, and one question in every second of the other positions.
 */
function sampled(asked: readonly Question[], { takes, number, turn }: Numbered, position: string): readonly Question[] {
  if (process.env['LEAKS_REQUESTS'] !== undefined) return asked;
  const at = Object.keys(positions).indexOf(position);
  if (at > 0) return (at + number) % 2 === 0 ? everyNth(asked, asked.length, (at + number) / 2) : [];
  return everyNth(asked, sampledAtStart[takes], turn);
}

const sampledAtStart = { expression: 6, filter: 2, order: 1, path: 1 } as const satisfies Readonly<
  Record<Kind, number>
>;

const everyNth = (asked: readonly Question[], nth: number, first: number): readonly Question[] =>
  asked.filter((_, at) => at % nth === first % nth);

describe.each(places)('$name', ({ place, number, turn }) => {
  const pipeline = (position: string, asked: unknown, of: string): Stages =>
    positions[position]?.(place.ask(asked as never, of), of) ?? [];

  test.each(['at the start', ...Object.keys(nestings)])(
    '%s answers questions about readable fields',
    async (position) => {
      const [one, other] = place.control ?? controls[place.takes as keyof typeof controls];
      const answers = [
        await run('safe', pipeline(position, one, 'safe')),
        await run('safe', pipeline(position, other, 'safe')),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]).not.toEqual(answers[1]);
    },
  );

  test.each(Object.keys(positions))(
    '%s reveals nothing about passwords',
    async (position) => {
      const asked = questions[place.takes].filter(
        ({ everywhere }: Question) => position === 'at the start' || everywhere === true,
      );
      expect(asked.length).toBeGreaterThan(1);
      for (const question of sampled(asked, { takes: place.takes, number, turn }, position))
        try {
          await expectAlike(question, (what, of) => run(of, pipeline(position, what, of)));
        } catch (error) {
          throw new Error(JSON.stringify(pipeline(position, question.guess(guesses[0]), 'safe')), { cause: error });
        }
    },
    180_000,
  );
});

/** Fields that the schema does not have cannot be named at all. */
const refusalOf = (filter: object): string =>
  Object.hasOwn(filter, 'stray') ? 'stray is not in the schema' : 'as a whole object';

describe('filters of stored documents do not compare whole objects', () => {
  const bulk = (operation: object): Promise<Outcome> => server.post('/bulkwrite/safe', [operation]);
  const set = { $set: { some: 1 } };
  const endpoints: Readonly<Record<string, (filter: object) => Promise<Outcome>>> = {
    '/query': (query) => server.post('/query/safe', { query }),
    'a bulk update': (filter) => bulk({ updateOne: { filter, update: set } }),
    'a bulk replacement': (filter) => bulk({ replaceOne: { filter, replacement: { title: 'x' } } }),
    'a bulk deletion': (filter) => bulk({ deleteOne: { filter } }),
    $graphLookup: (restrictSearchWithMatch) =>
      server.post('/aggregate/safe', [
        {
          $graphLookup: {
            from: 'safe',
            startWith: '$rank',
            connectFromField: 'count',
            connectToField: 'rank',
            as: 'x',
            restrictSearchWithMatch,
          },
        },
      ]),
  };
  test.each(Object.entries(endpoints))('%s', async (_name, ask) => {
    for (const filter of wholeFilters) {
      const { status, text } = await ask(filter);
      expect([filter, status, text]).toEqual([filter, 400, expect.stringContaining(refusalOf(filter))]);
    }
    const { text } = await ask({ $expr: { $regexMatch: { input: '$password', regex: '^.' } } });
    expect(text).toContain('$expr is not allowed in a filter of stored documents');
  });

  test('a subscription', async () => {
    const subscriber = await connect(server.url);
    await subscriber.ask('auth', { token: root.token });
    for (const filter of wholeFilters)
      expect([filter, await subscriber.ask('subscribe', { model: 'safe', filter })]).toEqual([
        filter,
        expect.objectContaining({ message: expect.stringContaining(refusalOf(filter)) }),
      ]);
    subscriber.socket.terminate();
  });

  test.each([
    { $addToSet: { logins: { site: 't' } } },
    { $addToSet: { logins: { $each: [{ site: 't' }] } } },
    { $addToSet: { 'meta.deep': { keep: 1 } } },
    { $max: { meta: { colour: 'red' } } },
    { $min: { 'meta.deep': [{ keep: 1 }] } },
    { $pull: { 'meta.deep': [{ keep: 1 }] } },
    { $pull: { logins: { $eq: { site: 't' } } } },
    { $pull: { logins: { $in: [{ site: 't' }] } } },
    { $push: { logins: { $each: [{ site: 't' }], $sort: 1 } } },
    { $push: { 'meta.deep': { $each: [{ keep: 1 }], $sort: -1 } } },
    { $push: { 'meta.deep': { $each: [{ keep: 1 }], $sort: { keep: 1 } } } },
  ])('nor does the update %j', async (update) => {
    const { status, text } = await bulk({ updateOne: { filter: { title: 'First' }, update } });
    expect([status, text]).toEqual([400, expect.stringMatching(/as a whole object|cannot be queried/)]);
  });

  test('values, lists of values and named fields are compared', async () => {
    for (const query of [
      { 'login.site': 's' },
      { logins: { $elemMatch: { site: 't' } } },
      { tags: ['a', 'b'] },
      { 'meta.colour': { $in: ['red'] } },
      { meta: { $ne: 'text' } },
      { 'meta.deep': { $ne: [1, [2]] } },
    ]) {
      const { status, body } = await server.post('/query/safe?fields=title', { query });
      expect([query, status, (body['data'] as object[]).length > 0]).toEqual([query, 200, true]);
    }
  });

  test('a pipeline compares objects without their passwords', async () => {
    const { body } = await server.post('/aggregate/safe', [{ $match: { login: { site: 's' } } }, { $count: 'n' }]);
    expect(body).toEqual({ data: [{ n: 3 }] });
  });

  test('$merge does not find documents by whole objects', async () => {
    const pipeline = [{ $project: { meta: 1 } }, { $merge: { into: 'plain', on: 'meta' } }];
    const { status, text } = await server.post('/aggregate/safe', pipeline, { headers: root.headers });
    expect([status, text]).toEqual([400, expect.stringContaining('meta cannot be compared as a whole object')]);
  });
});
