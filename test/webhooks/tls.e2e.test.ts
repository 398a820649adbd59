/**
 * Receivers with TLS: one whose certificate an authority of the operator has signed, one with a certificate for another name, and one with an
 * authority that is unknown. Node reads `NODE_EXTRA_CA_CERTS` when a process starts.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { open } from 'dossier-store';
import { type Document, send } from '../support/client.ts';
import { rootBasic } from '../support/fixtures/people.ts';
import { writeModels } from '../support/models.ts';
import { startProcess } from '../support/process.ts';
import { until } from '../support/waiting.ts';

const root = { headers: rootBasic };
const models = { 'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number });` };
const fileOf = (name: string): string => join(__dirname, 'certificates', name);

interface Receiver {
  readonly url: string;
  readonly received: string[];
  close(): void;
}

/** @param name of the certificate, which is not that of the host for `other.test` */
async function receiverNamed(name: string): Promise<Receiver> {
  const received: string[] = [];
  const tls = { key: readFileSync(fileOf(`${name}.key`)), cert: readFileSync(fileOf(`${name}.pem`)) };
  const server = createServer(tls, (request, answer) => {
    received.push(String(request.headers['webhook-id']));
    request.resume().on('end', () => answer.writeHead(204).end());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `https://localhost:${port}/hook`, received, close };
}

test('a certificate of a known authority and for the name of the host is required', async () => {
  const [store, files] = await Promise.all([open({}), writeModels(models)]);
  const [good, other] = await Promise.all([receiverNamed('localhost'), receiverNamed('other.test')]);
  const environment = {
    ...{ MONGODB_URL: store.url, MODELS_DIR: files.folder, SHARED_SECRET: 'a secret of the tests' },
    ...{ ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1', BCRYPT_COST: '4', WEBHOOK_ALLOW: 'localhost' },
  };
  const start = (more: Readonly<Record<string, string>>) => startProcess({ ...environment, ...more });
  let server = await start({ NODE_EXTRA_CA_CERTS: fileOf('authority.pem') });
  const hook = async (url: string): Promise<string> =>
    String((await send('POST', `${server.url}/webhooks`, { body: { url, models: ['note'] }, ...root })).document['id']);
  /** The delivery of a test message, once it has been tried. */
  const tried = async (id: string): Promise<Document> => {
    await send('POST', `${server.url}/webhooks/${id}/test`, root);
    let newest: Document = {};
    await until(async () => {
      const { body } = await send('GET', `${server.url}/webhooks/${id}/deliveries?limit=1`, root);
      newest = (body['data'] as Document[])[0] ?? {};
      return newest['ms'] !== null && newest['ms'] !== undefined;
    });
    return newest;
  };
  try {
    const [first, second] = [await hook(good.url), await hook(other.url)];
    expect(await tried(first)).toMatchObject({ status: 'ok', code: 204 });
    expect(await tried(second)).toMatchObject({
      code: null,
      reason: 'the connection failed: ERR_TLS_CERT_ALTNAME_INVALID',
    });
    await server.stop();
    server = await start({});
    expect(await tried(first)).toMatchObject({
      code: null,
      reason: 'the connection failed: UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    });
    expect([good.received.length, other.received.length]).toEqual([1, 0]);
  } finally {
    await server.stop('SIGKILL');
    good.close();
    other.close();
    await store.close();
    await files.remove();
  }
});
