/** Answers above the limit: a 413 on every read path, and no more is read than needed to detect it. */
import { mongo } from '../../src/models/mongoose.ts';
import { policyFor } from '../../src/policy/policy.ts';
import { anonymousPrincipal } from '../../src/policy/principal.ts';
import { SizeLimitedRows } from '../../src/read/answer-size.ts';
import type { RowsPlan } from '../../src/read/plan-types.ts';
import { presentationOf } from '../../src/read/rows-plan.ts';
import { openReading, type World } from '../support/fixtures/reading/index.ts';

const most = 100_000;
const rowCount = 600;

let world: World;
beforeAll(async () => {
  world = await openReading({ query_limits: { max_response_size: most } });
  const { connection } = world.dossier.services;
  const rows = (of: (n: number) => object): object[] =>
    Array.from({ length: rowCount }, (_, n) => ({ ...of(n), _deleted: false }));
  await connection
    .collection('books')
    .insertMany(rows((n) => ({ title: `many ${n}`, meta: String(n).padStart(2000, 'x') })));
  // what is not shown is not counted
  await connection.collection('tags').insertMany(rows((n) => ({ label: `l${n}`, password: 'x'.repeat(2000) })));
});

test.each([
  ['GET', '/api/book?limit=600', 413],
  ['GET', '/api/book?limit=200', 413],
  ['GET', '/api/book?limit=600&sort=meta', 413],
  ['GET', '/api/book?limit=600&populate=author', 413],
  ['GET', '/csv/book?limit=600&fields=title,meta', 413],
  ['POST', '/query/book?limit=600', 413],
  ['POST', '/aggregate/book', 413],
  ['GET', '/api/book?limit=20', 200],
  ['GET', '/api/book?limit=600&fields=title', 200],
  ['GET', '/api/tag?limit=600&fields=label', 200],
  ['GET', '/csv/tag?limit=600', 200],
])('%s %s answers %i', async (method, path, status) => {
  const body = method === 'GET' ? {} : { body: { query: path.startsWith('/query') ? {} : [] } };
  const answer = await world.as('root', method, path, { ...body });
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([status, expect.any(String)]);
});

describe('rows that are held for an answer', () => {
  const row = (fields: object): Buffer => Buffer.from(mongo.BSON.serialize(fields));
  const plan = (): RowsPlan => {
    const policy = policyFor(anonymousPrincipal, world.dossier.services.registry.get('tag'));
    const presentation = presentationOf({ policy, fields: undefined, scored: false, identityOnly: false });
    return { policy, presentation } as RowsPlan;
  };

  test('are refused as soon as their JSON is too large', () => {
    const held = new SizeLimitedRows(plan(), 10_000);
    const thousand = row({ text: 'x'.repeat(1000) });
    held.add(Array.from({ length: 9 }, () => thousand));
    expect(() => held.add([thousand])).toThrow(expect.objectContaining({ status: 413 }));
    expect(held.rows).toHaveLength(10);
  });

  test('may be larger as they are stored than as they are shown', () => {
    const held = new SizeLimitedRows(plan(), 10_000);
    for (let n = 0; n < 50; n++) held.add([row({ text: 'x', password: 'x'.repeat(1000) })]);
    expect(held.rows).toHaveLength(50);
  });
});
