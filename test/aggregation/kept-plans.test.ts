/** Plans of pipelines: which are kept for an intent, and which give the same rows each time. */
import { policyFor } from '../../src/policy/policy.ts';
import { operator, type Principal } from '../../src/policy/principal.ts';
import { planAggregate } from '../../src/read/aggregate.ts';
import type { PipelineIntent } from '../../src/read/intents.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  book: ({ Schema }: any) =>
    new Schema(
      { title: String, price: Number, at: Date, author_id: { type: 'ObjectId', link: 'author' } },
      {
        perms: { all: 'r', admin: 'crud' },
      },
    ),
  author: ({ Schema }: any) => new Schema({ name: String }, { perms: { all: 'r', admin: 'crud' } }),
  offer: ({ Schema }: any) =>
    new Schema(
      { until: Date },
      {
        perms: { user: { r: { where: { until: { $gt: '$now' } } } }, admin: 'crud' },
      },
    ),
};

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models });
});

const plannerFor = (principal: Principal) => {
  const { services } = server.dossier;
  const intentOf = (pipeline: unknown, model = 'book'): PipelineIntent => ({
    policy: policyFor(principal, services.registry.internal(model)),
    pipeline,
    showDeleted: false,
    allowDiskUse: false,
    hook: undefined,
  });
  return { planner: { services, principal }, intentOf };
};

const joined = { $lookup: { from: 'author', localField: 'author_id', foreignField: '_id', as: 'author' } };

describe('the plan of a pipeline', () => {
  const rows: [string, object, { isKept: boolean; isRepeatable: boolean }][] = [
    ['with constants', { $match: { title: 'a' } }, { isKept: true, isRepeatable: true }],
    ['with a join', joined, { isKept: true, isRepeatable: true }],
    ['with a random number', { $set: { n: { $rand: {} } } }, { isKept: true, isRepeatable: false }],
    ['with now', { $set: { n: '$$NOW' } }, { isKept: true, isRepeatable: false }],
    [
      'with code',
      { $set: { n: { $function: { body: 'f', args: [], lang: 'js' } } } },
      { isKept: true, isRepeatable: false },
    ],
    ['with a sample', { $sample: { size: 1 } }, { isKept: true, isRepeatable: false }],
    ['that writes', { $merge: { into: 'author' } }, { isKept: true, isRepeatable: false }],
    ['with a relative date', { $match: { at: { $gt: 'relative_date(-1)' } } }, { isKept: false, isRepeatable: true }],
    [
      'with a relative date in an expression',
      { $set: { n: { $gt: ['$at', 'relative_date()'] } } },
      { isKept: false, isRepeatable: true },
    ],
  ];
  test.each(rows)('%s', (_name, stage, expected) => {
    const { planner: by, intentOf } = plannerFor(operator);
    const intent = intentOf([stage]);
    const plan = planAggregate(by, intent);
    expect({ isKept: planAggregate(by, intent) === plan, isRepeatable: plan.isRepeatable }).toEqual(expected);
    // the same words from another request
    expect(planAggregate(by, intentOf([stage]))).not.toBe(plan);
  });

  test('over rows that a rule on the time gives', () => {
    const user: Principal = { user: undefined, factor: 'off', admin: false, roles: ['all', 'user'] };
    const { planner: by, intentOf } = plannerFor(user);
    const intent = intentOf([{ $match: {} }], 'offer');
    const plan = planAggregate(by, intent);
    expect([planAggregate(by, intent) === plan, plan.isRepeatable]).toEqual([false, false]);
  });
});
