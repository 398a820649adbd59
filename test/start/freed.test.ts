/** What a program that starts and stops servers keeps of them: nothing, from the moment at which they are closed. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { collectGarbage } from '../support/garbage.ts';
import { startServer } from '../support/server.ts';

async function closedServer(): Promise<readonly WeakRef<object>[]> {
  const { dossier, get, close } = await startServer();
  await get('/health');
  const parts = [dossier.services, dossier.services.connection, dossier.http].map((part) => new WeakRef<object>(part));
  await close();
  return parts;
}

test('the memory of a closed server is freed', async () => {
  const closed = [];
  for (let n = 0; n < 5; n++) closed.push(await closedServer());
  await turn();
  collectGarbage();
  const kept = closed.filter((parts) => parts.some((part) => part.deref() !== undefined));
  // a reference to the last one may remain on the stack
  expect(kept.length).toBeLessThanOrEqual(1);
});
