/** What a server does by itself: it removes what is due, runs entries of the outbox, and what its features do, unless `BACKGROUND` is off. */
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { restoredFile } from '../database/embedded-store.ts';
import type { Services } from '../services.ts';
import type { Closers } from './closers.ts';
import { featuresOf } from './features.ts';
import type { Launch } from './launch.ts';
import { runOutbox } from './outbox.ts';
import type { Storage } from './storage.ts';
import { repeatSweeps } from './sweeps.ts';

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
