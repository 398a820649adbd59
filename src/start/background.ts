/** What a server does by itself: it removes what is due, runs entries of the outbox, and what its features do, unless `BACKGROUND` is off. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { anyOf } from '../async/signals.ts';
import { restoredFile } from '../database/embedded-store.ts';
import { OutboxLoop } from '../outbox/loop.ts';
import { ClaimRows } from '../outbox/rows.ts';
import type { Sweep } from '../ports/parts.ts';
import type { Services } from '../services.ts';
import type { Closers } from './closers.ts';
import { featuresOf } from './features.ts';
import type { Launch } from './launch.ts';
import type { Storage } from './storage.ts';

/** Begins what needs no listening server. @returns lines for the operator @throws what the database throws */
export async function beginBackground(storage: Storage, launch: Launch, closers: Closers): Promise<readonly string[]> {
  const waiting = launch.place.isFirst ? await waitingAfterRestore(storage, launch) : [];
  if (!launch.settings.background) return waiting;
  repeatSweeps(storage.featureServices.sweeps, { ...storage, log: launch.log }, closers);
  await runOutbox(storage, launch, closers);
  return waiting;
}

/** Begins the work of features, when the server listens. */
export async function beginWork(launch: Launch, services: Services, closers: Closers): Promise<void> {
  if (!launch.settings.background) return;
  for (const { work } of featuresOf(launch)) if (work !== undefined) closers.push(await work(services));
}

/** What waits in data that have been restored since the last start: a line for the operator, which the log has too. */
async function waitingAfterRestore(
  { outbox }: Pick<Storage, 'outbox'>,
  { settings, log }: Pick<Launch, 'settings' | 'log'>,
): Promise<readonly string[]> {
  const file = restoredFile(settings);
  if (settings.mongodb_url !== undefined || !existsSync(file)) return [];
  const counts = [...(await outbox.unfinished())];
  await rm(file, { force: true });
  if (counts.length === 0) return [];
  const all = counts.map(([kind, count]) => `${kind}: ${count}`).join(', ');
  const what = settings.background
    ? 'which run now; BACKGROUND=off keeps them back'
    : 'which wait while BACKGROUND is off';
  const line = `The restored data have work of the server that was backed up (${all}), ${what}`;
  log.warn(line);
  return [line];
}

/** Costs nothing where no feature has entries. @throws what the database throws */
async function runOutbox(
  { registry, shared, outbox, featureServices, metrics }: Storage,
  { clock, log, place }: Launch,
  closers: Closers,
): Promise<void> {
  const kinds = featureServices.outboxKinds;
  if (kinds.length === 0) return;
  const rows = new ClaimRows(registry, shared.clock, place.id);
  await rows.freeEnded(place.ended);
  const loop = new OutboxLoop({ rows, kinds, clock, shared: shared.clock, log, metrics });
  outbox.onCommitted(loop.wake);
  closers.push(() => loop.close());
  loop.wake();
}

/** What is due is removed within a minute. */
const everyMs = 20_000;
const leaseMs = 30_000;

function repeatSweeps(
  sweeps: readonly Sweep[],
  { shared, log }: Pick<Services, 'shared' | 'log'>,
  closers: Closers,
): void {
  if (sweeps.length === 0) return;
  const stop = new AbortController();
  let running: Promise<void> = Promise.resolve();
  let isRunning = false;
  const repeat = (): void => {
    // one that takes long is not begun again
    if (isRunning) return;
    isRunning = true;
    running = sweepOnce(sweeps, shared, stop.signal)
      .catch((error: unknown) => log.error('removing what is due failed', error))
      .finally(() => (isRunning = false));
  };
  const timer = setInterval(repeat, everyMs).unref();
  closers.push(async () => {
    clearInterval(timer);
    stop.abort();
    await running;
  });
}

/** Runs the sweeps, unless another process does. @throws what they throw, 503 without the database */
export async function sweepOnce(
  sweeps: readonly Sweep[],
  shared: Pick<Services['shared'], 'lease'>,
  stopped: AbortSignal,
): Promise<void> {
  const lease = await shared.lease('sweep', leaseMs);
  if (lease === undefined) return;
  const signal = anyOf(lease.signal, stopped);
  try {
    for (const sweep of sweeps) if (!signal.aborted) await sweep({ signal });
  } finally {
    await lease.release();
  }
}
