/**
 * Copies of a data folder that are made at any moment: while documents are written, during checkpoints, and while what serves it is stopped
 * or killed. Each has what was acknowledged before it began, and nothing that was never sent. `BACKUP_STEPS=40` runs it longer,
 * `BACKUP_SEED=2` otherwise.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { backup, open, restore } from 'dossier-store';
import { MongoClient, ObjectId } from 'mongodb';
import type { CheckReport } from '../../src/cli/check/project.ts';
import { type Run, runDossier } from '../support/command.ts';
import { writeModels } from '../support/models.ts';
import { randomFrom } from '../support/numbers.ts';
import { until } from '../support/waiting.ts';
import { linesOf, newFolder } from './folders.ts';
import { Journal, type Moment } from './journal.ts';
import { databases, environmentOf, type Served } from './served.ts';

const { BACKUP_STEPS: steps, BACKUP_SEED: seed = '1' } = process.env;
const writers = 4;

let models: Awaited<ReturnType<typeof writeModels>>;
beforeAll(async () => {
  models = await writeModels({ book: ({ Schema }) => new Schema({ n: Number }) });
});
afterAll(() => models.remove());

let running: { readonly served: Served; readonly writing: Promise<unknown> } | undefined;
// after a failed test
afterEach(() => running?.served.stop('SIGKILL'));

/** A data folder that is served and written. */
interface Scene {
  readonly dir: string;
  readonly journal: Journal;
  readonly random: (below: number) => number;
}

/** Writes documents of its own until the database is gone. A document whose write failed is in an unknown state, and is left as it is. */
async function write(served: Served, { journal, random }: Scene, newId: () => string): Promise<void> {
  const living: string[] = [];
  for (;;) {
    const at = random(living.length + 2);
    const id = living[at] ?? newId();
    const last = journal.last(id);
    const isRemoved = last !== undefined && random(4) === 0;
    try {
      if (isRemoved) await journal.send(id, undefined, () => served.remove(id));
      else await journal.send(id, (last ?? 0) + 1, () => served.save(id, (last ?? 0) + 1, last === undefined));
    } catch {
      return;
    }
    if (isRemoved) living.splice(at, 1);
    else if (last === undefined) living.push(id);
  }
}

/** The documents in a data folder that nothing uses. */
async function documentsIn(dir: string): Promise<ReadonlyMap<string, number>> {
  const store = await open({ dir, thread: false });
  const client = new MongoClient(store.url);
  try {
    const rows = await client.db().collection('books').find().toArray();
    return new Map(rows.map(({ _id, n }) => [String(_id), Number(n)]));
  } finally {
    await client.close();
    await store.close();
  }
}

/** Makes a copy of a data folder in another folder, and checks it. @returns once it is made, the check of it */
type Copying = (dir: string, out: string) => Promise<(journal: Journal, moment: Moment) => Promise<void>>;

const command = (dir: string, ...args: string[]): Promise<Run> =>
  runDossier(args, { environment: { ...environmentOf(dir), MODELS_DIR: models.folder } });

const run = async (dir: string, ...args: string[]): Promise<void> =>
  expect(await command(dir, ...args)).toMatchObject({ code: 0, messages: '' });

const copyings: Readonly<Record<string, Copying>> = {
  backup: async (dir, out) => {
    await backup(dir, join(out, 'backup'));
    return async (journal, moment) => {
      await restore(join(out, 'backup'), join(out, 'data'));
      journal.judge(await documentsIn(join(out, 'data')), moment);
    };
  },
  'dossier backup': async (dir, out) => {
    await run(dir, 'backup', join(out, 'backup'));
    return async (journal, moment) => {
      await run(join(out, 'data'), 'restore', join(out, 'backup'));
      journal.judge(await documentsIn(join(out, 'data')), moment);
    };
  },
  'dossier export': async (dir, out) => {
    await run(dir, 'export', 'book', '--out', join(out, 'files'));
    return async (journal, moment) => {
      const rows = linesOf(await readFile(join(out, 'files', 'book.ndjson'), 'utf8'));
      journal.judge(new Map(rows.map(({ _id, n }) => [_id.$oid, Number(Object.values(n)[0])])), moment);
    };
  },
  'dossier copy': async (dir, out) => {
    await run(dir, 'copy', '--to', join(out, 'data'));
    return async (journal, moment) => journal.judge(await documentsIn(join(out, 'data')), moment);
  },
  'dossier check': async (dir) => {
    const { output, messages } = await command(dir, 'check', '--json');
    expect(messages).toBe('');
    const result: CheckReport = JSON.parse(output);
    return (journal, moment) => {
      const [least, most] = journal.counts(moment);
      // no server has created the indexes of a store alone
      expect(result.faults.filter(({ kind }) => kind !== 'index')).toEqual([]);
      // and the admin of a server
      expect(result.documents).toBeGreaterThanOrEqual(least);
      expect(result.documents).toBeLessThanOrEqual(most + 1);
      return Promise.resolve();
    };
  },
};
const names = Object.keys(copyings);

const signals = [undefined, undefined, 'SIGTERM', 'SIGKILL'] as const;

test.each(databases)(
  'copies of $name',
  async ({ name, start, steps: few, isProject }) => {
    const dir = await newFolder();
    const random = randomFrom(Number(seed) * 1000 + name.length);
    const scene: Scene = { dir, journal: new Journal(), random };
    const { journal } = scene;
    let ids = 0;
    const newId = (): string => new ObjectId((ids += 1).toString(16).padStart(24, '0')).toHexString();
    const begin = async (): Promise<Served> => {
      const served = await start(dir, models.folder);
      running = { served, writing: Promise.all(Array.from({ length: writers }, () => write(served, scene, newId))) };
      return served;
    };
    let served = await begin();
    const count = Number(steps ?? few);
    for (let step = 0; step < count; step++) {
      const goal = journal.size + random(40);
      await until(() => journal.size >= goal);
      const kind = isProject ? (names[(step + name.length) % names.length] ?? '') : 'backup';
      const signal = step === 0 ? 'SIGTERM' : signals[random(signals.length)];
      const delay = random(300);
      const out = await newFolder();
      const moment = journal.now();
      const copying = copyings[kind]?.(dir, out);
      const ending = signal === undefined ? undefined : later(delay).then(() => served.stop(signal));
      const end = async (): Promise<void> => {
        await ending;
        if (ending === undefined) return;
        await running?.writing;
        // a command that finds a folder which nothing uses keeps it for itself
        if (kind !== 'backup') await copying;
        served = await begin();
      };
      const [judge] = await Promise.all([copying, end()]);
      await judge?.(journal, moment);
    }
    await served.stop('SIGTERM');
    await running?.writing;
    journal.judge(await documentsIn(dir), journal.now());
  },
  300_000 + Number(steps ?? 0) * 30_000,
);
