/** A server in the process of another program whose embedded store stops permanently: it reports that, and leaves the process alone. */
import { expect, test } from '@jest/globals';
import { startServer } from '../../src/server.ts';
import { launchFrom } from '../../src/start/launch.ts';
import { send } from '../support/client.ts';

test('the program learns the reason, and health checks fail until it closes the server', async () => {
  const launch = launchFrom({ port: 0, inMemory: true, log_level: 'silent', models_dir: 'models' });
  const server = await startServer(launch);
  try {
    const statusOf = async (path: string) => (await send('GET', server.url + path)).status;
    expect([await statusOf('/health'), await statusOf('/ready')]).toEqual([200, 200]);
    const reason = new Error('The store has stopped, because its data file is unusable');
    launch.storeStop.report(reason);
    expect(await server.failed).toBe(reason);
    expect(await send('GET', `${server.url}/health`)).toMatchObject({
      status: 503,
      body: { message: 'Database stopped', err: expect.stringContaining('must be restarted') as unknown },
    });
    expect(await statusOf('/ready')).toBe(503);
  } finally {
    await server.close();
  }
});
