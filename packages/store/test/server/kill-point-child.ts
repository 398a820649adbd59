/**
 * A process that does something with a data folder and dies at a named moment of it. It prints the `_id` of each document
 * whose insertion was acknowledged after it was armed.
 */
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import { type Document, MongoClient } from 'mongodb';
import { type FaultyStore, openFaulty } from './faulty.ts';
import { pointOf } from './kill-points.ts';
import { killingAt } from './killing.ts';

const [dir = '', scenario = '', name = ''] = process.argv.slice(2);
const { connect, arm } = killingAt(pointOf(scenario, name));

/** Writes a checkpoint, and inserts documents meanwhile. */
async function checkpoint(client: MongoClient, { engine }: FaultyStore): Promise<void> {
  const items = client.db('t').collection<Document & { _id: number }>('items');
  arm();
  const running = engine.store.checkpoints?.run();
  for (let _id = 10_000; ; _id += 1) {
    await items.insertOne({ _id, n: _id, text: 'fresh words' });
    writeSync(1, `${_id}\n`);
    if ((await Promise.race([running, setImmediate('running')])) !== 'running') return;
  }
}

async function run(): Promise<void> {
  const store = await openFaulty(dir, {}, connect);
  const client = await MongoClient.connect(store.url, { retryWrites: false });
  if (scenario === 'checkpoint') await checkpoint(client, store);
  else {
    arm();
    const db = client.db('t');
    const replacing = [{ $set: { n: -1 } }, { $out: 'dropped' }];
    if (scenario === 'drop') await db.dropCollection('dropped');
    else if (scenario === 'out') await db.collection('items').aggregate(replacing).toArray();
    else await db.collection('items').createIndex(scenario === 'keys' ? { keys: 1 } : { text: 'text' });
  }
}

run().then(
  () => process.exit(1),
  (error: unknown) => {
    throw error;
  },
);
