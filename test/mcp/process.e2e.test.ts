/** `dossier mcp` as a process that the official clients of both eras start (docs/mcp.md). */
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { agentOf, currentRevision, eras } from '../support/mcp.ts';

const models = {
  'film.ts': `import { Schema } from 'mongoose';
export default new Schema({ title: String }, { perms: { admin: 'crud', user: 'r' } });`,
};

let server: PeopledServer<'root'>;
beforeAll(async () => {
  server = await openPeople(['root'], { models });
  await server.as('root', 'POST', '/api/film', { body: { title: 'Alien' } });
});

const open = new Set<{ close(): Promise<void> }>();
afterAll(async () => {
  for (const client of open) await client.close();
});

test.each(eras)('a client of the %s era', async (era) => {
  const started = {
    command: process.execPath,
    args: [resolve('bin/dossier.mjs'), 'mcp', '--url', server.url],
    env: { PATH: process.env['PATH'] ?? '', DOSSIER_KEY: server.callers.root.apikey },
  };
  const info = { name: 'test', version: '1.0.0' };
  const client =
    era === 'current'
      ? new Client(info, { versionNegotiation: { mode: { pin: currentRevision } } })
      : new EarlierClient(info);
  const transport = era === 'current' ? new StdioClientTransport(started) : new EarlierTransport(started);
  await client.connect(transport);
  open.add(client);
  const agent = agentOf(client, () => undefined);
  expect((await agent.tools()).map(({ name }) => name)).toContain('find');
  const { structuredContent } = await agent.call('find', { model: 'film', fields: ['title'] });
  expect(structuredContent.data).toMatchObject([{ title: 'Alien' }]);
  await expect(agent.call('fnd')).rejects.toThrow('did you mean "find"?');
});
