/**
 * `npm run bench -- start`: from the start of the process to the first answer of `/health`, against the hand-written server with the
 * driver, compiled beforehand as Dossier is. Medians of interleaved starts (BENCH_STARTS, 5).
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { transformFile } from '@swc/core';
import { openBackend } from './backend.ts';
import { median } from './compare.ts';
import { itemId } from './data.ts';
import { print } from './print.ts';
import { memory, processorTime, startServer, stop } from './processes.ts';

const starts = Number(process.env['BENCH_STARTS'] ?? 5);

interface Start {
  readonly name: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly path: string;
}

/** Starts all servers in turn, and prints medians. */
export async function measureStarts(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-start-'));
  const backend = await openBackend();
  // in this folder, so that it finds its packages
  const limit = resolve('bench/.limit-server.mjs');
  try {
    await writeFile(limit, (await transformFile('bench/limit-server.ts', { jsc: { target: 'es2023' } })).code);
    const dossier = { MODELS_DIR: 'bench/models', THROTTLE_ENABLED: 'false' };
    await table([
      { name: 'limit', args: [limit], environment: { MONGODB_URL: backend.url }, path: `/api/item/${itemId(7)}` },
      {
        name: 'Dossier, this database',
        args: ['dist/main.js'],
        environment: { ...dossier, MONGODB_URL: backend.url, DATA_DIR: join(folder, 'a') },
        path: '/health',
      },
      {
        name: 'Dossier, embedded store',
        args: ['dist/main.js'],
        environment: { ...dossier, MONGODB_URL: '', DATA_DIR: join(folder, 'b') },
        path: '/health',
      },
    ]);
  } finally {
    await backend.close();
    await rm(limit, { force: true });
    await rm(folder, { recursive: true, force: true });
  }
}

async function table(rows: readonly Start[]): Promise<void> {
  const times = new Map<Start, { wall: number[]; cpu: number[]; memory: number[] }>();
  for (const row of rows) times.set(row, { wall: [], cpu: [], memory: [] });
  for (let round = 0; round <= starts; round++)
    for (const [{ args, environment, path }, found] of times) {
      const server = await startServer(args, environment, path);
      // the first start creates the data folder and indexes, and fills the file cache
      if (round > 0) {
        found.wall.push(server.firstAnswer);
        found.cpu.push(processorTime(server.child) ?? NaN);
        found.memory.push(memory(server.child) ?? NaN);
      }
      await stop(server);
    }
  print('\n| start | ms to the first answer | ratio | processor time, ms | ratio | memory, MB |');
  print('|---|---|---|---|---|---|');
  const base = times.get(rows[0] as Start);
  for (const [{ name }, { wall, cpu, memory }] of times) {
    const ratios = [wall, cpu].map((values, at) => median(values) / median((at === 0 ? base?.wall : base?.cpu) ?? []));
    const [wallRatio = NaN, cpuRatio = NaN] = ratios;
    print(
      `| ${name} | ${Math.round(median(wall))} | **${wallRatio.toFixed(2)}** | ${median(cpu)} | ${cpuRatio.toFixed(2)} | ${median(memory)} |`,
    );
  }
}
