/** A program that has finished its work ends by itself: the client does not keep it running. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from '@jest/globals';
import { openLibrary } from './server.ts';

const client = pathToFileURL(join(process.cwd(), 'packages/client/dist/index.js')).href;

/** Runs the text of a program with `createClient`, `url` and `person` until it ends. @returns its output */
async function run(program: string): Promise<string> {
  const { given } = await openLibrary();
  const values = `const url = ${JSON.stringify(given.url)}; const person = ${JSON.stringify(given.people.ann)};`;
  const source = `import { createClient } from ${JSON.stringify(client)};\n${values}\n${program}\nconsole.log('done');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text.toString()));
  await new Promise((ended) => child.on('close', ended));
  return output.trim();
}

const readAndWrite = `
  const client = createClient({ url });
  await client.login(person);
  const { _id } = await client.model('author').create({ name: 'a' });
  await client.model('author').list({ limit: 1 });
  await client.model('author').remove(_id);`;
const broken = `
  const answer = () => Promise.resolve(new Response('{}', { status: 503, headers: { 'retry-after': '100' } }));
  const stop = new AbortController();
  const asked = createClient({ url, fetch: answer }).model('book').list({ signal: stop.signal });
  setTimeout(() => stop.abort(), 10);
  await asked.catch(() => undefined);`;
const watching = `
  const client = createClient({ url });
  await client.login(person);
  const watch = client.model('author').watch();
  await watch.ready;
  await client.model('author').create({ name: 'b' });
  for await (const change of watch) break;`;
const closed = `
  const watch = createClient({ url }).model('author').watch();
  watch.addEventListener('change', () => undefined);
  await watch.ready;
  watch.close();`;
const lost = `
  const watch = createClient({ url: 'http://127.0.0.1:1', retry: { delay: 100_000 } }).model('author').watch();
  setTimeout(() => watch.close(), 100);
  await watch.ready.catch(() => undefined);`;

test.each([
  ['requests', readAndWrite],
  ['a request that was aborted while it waited', broken],
  ['a watch whose loop is left', watching],
  ['a watch that is closed', closed],
  ['a watch that is closed while it waits to connect again', lost],
])('a program ends after %s', async (_what, program) => {
  expect(await run(program)).toBe('done');
});
