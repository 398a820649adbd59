/** Which database a test's server uses: one of its own on MONGODB_URL, else the embedded store. */
import { randomBytes } from 'node:crypto';
import { open } from 'dossier-store';
import type { ServerOptions } from '../../src/server.ts';

/** Whether the environment names a MongoDB to test on. */
export const onMongo = (process.env['MONGODB_URL'] ?? '') !== '';

/** The URL of a new database on MONGODB_URL. */
function newDatabase(): string {
  const own = new URL(process.env['MONGODB_URL'] ?? '');
  own.pathname = `/test_${randomBytes(6).toString('hex')}`;
  return own.href;
}

/** Options that give a server a database of its own, in memory or to be dropped when it closes. */
export const ownDatabase = (): ServerOptions => ({
  inMemory: true,
  ...(onMongo ? { mongodb_url: newDatabase() } : {}),
});

/** A database of its own, whose commands the driver reports. */
export interface MonitoredDatabase {
  readonly mongodb_url: string;
  /** Closes the store, where it is one. */
  readonly close: () => Promise<void>;
}

export async function openMonitored(): Promise<MonitoredDatabase> {
  const store = onMongo ? undefined : await open({});
  const url = new URL(store?.url ?? newDatabase());
  url.searchParams.set('monitorCommands', 'true');
  return { mongodb_url: url.href, close: async () => store?.close() };
}
