/** The rows after a cursor are read in the order of an index, from the cursor on: explain counts the rows that are read. */
import { beforeAll, expect } from '@jest/globals';
import type { Collection, Document } from 'mongodb';
import { activeFilter } from '../../src/models/deleted.ts';
import type { ModelEntry } from '../../src/models/entry.ts';
import { positions, rangeOf, readPosition } from '../../src/read/cursors/position.ts';
import { orderKeys, sortsOf } from '../../src/read/order.ts';
import { needs } from '../support/needs.ts';
import { startServer } from '../support/server.ts';

const many = 3000;
const limit = 20;
/** Rows that the store reads at once where the index does not have the whole order. */
const groupSize = 128;
let model: ModelEntry;
let rows: Collection;

beforeAll(async () => {
  const server = await startServer({
    models: {
      leaf: ({ Schema }) =>
        new Schema({ n: Number, kind: String, at: { type: Date, index: true } }, { perms: { all: 'r' } })
          .index({ n: 1, _id: 1 })
          .index({ kind: 1, n: -1, _id: -1 }),
    },
  });
  model = server.dossier.services.registry.get('leaf');
  rows = server.dossier.services.connection.collection('leafs');
  const kinds = ['a', 'b', null, 'c'];
  await rows.insertMany(
    Array.from({ length: many }, (_, at) => ({
      n: at % 700,
      kind: kinds[at % 4],
      at: new Date(at * 1000),
      _deleted: false,
    })),
  );
});

/** The plan of the page next to the row at a depth. */
async function planAt(sort: Record<string, 1 | -1>, depth: number, isReversed: boolean): Promise<Document> {
  const order = orderKeys(model, sort, false);
  const sorts = sortsOf(order);
  const by = (reversed: boolean) => (reversed ? sorts.reversed : sorts.forward);
  const [row] = await rows.find<Buffer>({}, { raw: true }).sort(by(false)).skip(depth).limit(1).toArray();
  const position = readPosition(positions(order, model)(row as Buffer));
  if (typeof position === 'string') throw new Error(position);
  const filter = { ...activeFilter, ...rangeOf(order, position, isReversed) };
  return rows
    .find(filter)
    .sort(by(isReversed))
    .limit(limit + 1)
    .explain('executionStats');
}

const orders: Record<string, 1 | -1>[] = [
  { _id: 1 },
  { _id: -1 },
  { n: 1, _id: 1 },
  { n: -1, _id: -1 },
  { kind: 1, n: -1, _id: -1 },
  { kind: -1, n: 1, _id: 1 },
  { at: -1, _id: 1 },
];

for (const sort of orders)
  for (const isReversed of [false, true])
    needs('explain')(`${JSON.stringify(sort)}, reversed: ${isReversed}`, () => expectIndexed(sort, isReversed));

async function expectIndexed(sort: Record<string, 1 | -1>, isReversed: boolean): Promise<void> {
  for (const depth of [100, 1500, 2900]) {
    const { queryPlanner, executionStats } = await planAt(sort, depth, isReversed);
    expect(JSON.stringify(queryPlanner)).not.toContain('COLLSCAN');
    // without `_id` in the index the store reads a group of rows and sorts those with equal values
    const isPartial = 'at' in sort;
    if (!isPartial) expect(JSON.stringify(queryPlanner)).not.toContain('"SORT"');
    expect((executionStats as Document)['totalDocsExamined']).toBeLessThanOrEqual(
      isPartial ? groupSize + limit : limit + 2,
    );
  }
}
