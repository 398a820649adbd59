/**
 * A process that does something with a data folder and dies at a named moment of it. It prints the `_id` of each document
 * whose insertion was acknowledged after it was armed.
 */
import { writeSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Document } from 'bson';
import { type FaultyStore, openFaulty } from './faulty.ts';
import { pointOf } from './kill-points.ts';
import { killingAt } from './killing.ts';
import { RawConnection } from './raw.ts';

const [dir = '', scenario = '', name = ''] = process.argv.slice(2);
const { connect, arm } = killingAt(pointOf(scenario, name));

/** Sends a command. The driver is not loaded, which takes longer than most that is done here. */
async function send(connection: RawConnection, command: Document): Promise<void> {
  const answer = await connection.command({ ...command, $db: 't' });
  if (answer?.['ok'] !== 1 || answer['writeErrors'] !== undefined) throw new Error(JSON.stringify(answer));
}

/** Writes a checkpoint, and inserts documents meanwhile. */
async function checkpoint(connection: RawConnection, { engine }: FaultyStore): Promise<void> {
  arm();
  const running = engine.store.checkpoints?.run();
  for (let _id = 10_000; ; _id += 1) {
    await send(connection, { insert: 'items', documents: [{ _id, n: _id, text: 'fresh words' }] });
    writeSync(1, `${_id}\n`);
    if ((await Promise.race([running, setImmediate('running')])) !== 'running') return;
  }
}

const keys = { key: { keys: 1 }, name: 'keys_1' };
const words = { key: { text: 'text' }, name: 'text_text' };
const commands: Readonly<Record<string, Document>> = {
  drop: { drop: 'dropped' },
  out: { aggregate: 'items', pipeline: [{ $set: { n: -1 } }, { $out: 'dropped' }], cursor: {} },
  keys: { createIndexes: 'items', indexes: [keys] },
  words: { createIndexes: 'items', indexes: [words] },
};

async function run(): Promise<void> {
  const store = await openFaulty(dir, {}, connect);
  const connection = await RawConnection.to(store.address);
  if (scenario === 'checkpoint') await checkpoint(connection, store);
  else {
    arm();
    await send(connection, commands[scenario] ?? {});
  }
}

run().then(
  () => process.exit(1),
  (error: unknown) => {
    throw error;
  },
);
