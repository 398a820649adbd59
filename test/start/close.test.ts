/** Closing a server: it stops once, also when it is asked to while it begins to stop. */
import { expect, test } from '@jest/globals';
import { startServer } from '../support/server.ts';

test('a log target that closes the server while it stops joins the stop', async () => {
  const lines: string[] = [];
  const inner: Promise<void>[] = [];
  let close = (): Promise<void> => Promise.resolve();
  const server = await startServer({
    inMemory: true,
    logTarget: {
      write(line) {
        lines.push(String((JSON.parse(line) as { msg: unknown }).msg));
        if (lines.at(-1) === 'stopping' && inner.length < 5) inner.push(close());
      },
    },
  });
  close = () => server.dossier.close();
  const outer = close();
  expect(inner).toEqual([outer]);
  await outer;
  expect(lines.filter((line) => line.startsWith('stop'))).toEqual(['stopping', 'stopped']);
});
