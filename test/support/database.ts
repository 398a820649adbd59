/** Which database a test's server uses: one of its own on MONGODB_URL, else the embedded store in memory. */
import { randomBytes } from 'node:crypto';
import type { ServerOptions } from '../../src/server.ts';

/** Whether the environment names a MongoDB to test on. */
export const onMongo = (process.env['MONGODB_URL'] ?? '') !== '';

/** Options that give a server a database of its own, to be dropped when it closes. */
export function ownDatabase(): ServerOptions {
  const url = process.env['MONGODB_URL'] ?? '';
  if (url === '') return { inMemory: true };
  const own = new URL(url);
  own.pathname = `/test_${randomBytes(6).toString('hex')}`;
  return { inMemory: true, mongodb_url: own.href };
}
