/** The proxy of the example composition, in front of two servers; the test replaces only its addresses and ports. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { freePort } from '../support/ports.ts';
import { startServer } from '../support/server.ts';

const isThere = spawnSync('caddy', ['version']).status === 0;

interface Composition {
  readonly configs: { readonly caddyfile: { readonly content: string } };
  readonly services: { readonly 'server-1': { readonly environment: Readonly<Record<string, string>> } };
}

const { configs, services } = parse(readFileSync('docs/examples/compose.yaml', 'utf8'), { merge: true }) as Composition;

let proxy: ChildProcess | undefined;
let folder: string | undefined;
afterAll(async () => {
  proxy?.kill('SIGKILL');
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
});

/** Starts Caddy with the composition's configuration. @param servers addresses by the names of the services */
async function startProxy(home: string, servers: Readonly<Record<string, string>>): Promise<number> {
  const [port, httpPort] = [await freePort(), await freePort()];
  const global = `{\n admin off\n skip_install_trust\n https_port ${port}\n http_port ${httpPort}\n}\n`;
  // Compose reads `$$` as `$`
  const content = configs.caddyfile.content.replaceAll('$$', '$');
  const local = Object.entries(servers).reduce(
    (text, [name, address]) => text.replace(`${name}:4001`, address),
    content,
  );
  const file = join(home, 'Caddyfile');
  await writeFile(file, global + local);
  const started = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env['PATH'], HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home, DOMAIN: 'localhost' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  proxy = started;
  const printed: string[] = [];
  for await (const line of createInterface({ input: started.stderr })) {
    printed.push(line);
    if (line.includes('serving initial configuration')) {
      started.stderr.resume();
      return port;
    }
  }
  throw new Error(`Caddy has ended: ${printed.join('\n')}`);
}

/** @param ca the certificate that must have signed the proxy's @returns the status and the body */
const ask = (port: number, path: string, ca: string): Promise<{ status: number | undefined; body: string }> =>
  new Promise((resolve, reject) => {
    get({ host: 'localhost', port, path, ca, agent: false }, (answer) => {
      let body = '';
      answer.on('data', (piece: Buffer) => (body += piece.toString()));
      answer.on('end', () => resolve({ status: answer.statusCode, body }));
    }).on('error', reject);
  });

(isThere ? test : test.skip)('the proxy terminates TLS, and continues with one server (needs caddy)', async () => {
  folder = await mkdtemp(join(tmpdir(), 'dossier-proxy-'));
  const trust_proxy = services['server-1'].environment['TRUST_PROXY'] ?? '';
  const servers = await Promise.all([startServer({ trust_proxy }), startServer({ trust_proxy })]);
  const [one, other] = servers;
  const hosts = servers.map(({ url }) => new URL(url).host);
  const port = await startProxy(folder, { 'server-1': hosts[0] ?? '', 'server-2': hosts[1] ?? '' });
  const ca = await readFile(join(folder, 'caddy/pki/authorities/local/root.crt'), 'utf8');
  for (let count = 0; count < 6; count++) expect(await ask(port, '/ready', ca)).toMatchObject({ status: 200 });
  const served = servers.map(({ log }) => log.filter((line) => line.includes('"/ready"')).length);
  expect(Math.min(...served)).toBeGreaterThan(0);
  await one.close();
  for (let count = 0; count < 6; count++) expect(await ask(port, '/health', ca)).toMatchObject({ status: 200 });
  expect(other.log.some((line) => line.includes('"/health"'))).toBe(true);
});
