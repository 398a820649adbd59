/** The programs of the client's guide compile, and the example of its README runs. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { transformSync } from '@swc/core';
import { typesModule } from '../../src/typegen/index.ts';
import { faultsOf } from '../support/compile.ts';
import { makeRoot } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { blocksOf } from './examples.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models: 'models' });
});

const programsIn = (file: string): readonly string[] =>
  blocksOf(readFileSync(file, 'utf8')).flatMap(({ language, text }) => (language === 'ts' ? [text] : []));

test('the programs of docs/client.md compile with the types of the sample models', () => {
  const [first = '', ...others] = programsIn('docs/client.md');
  expect(others.length).toBeGreaterThan(8);
  const given =
    'declare const id: string; declare const tag: string; declare const password: string; declare const console: { log(...values: unknown[]): void };';
  const program = [
    first
      .replace('createClient }', 'createClient, DossierError, indexedDbStore }')
      .replace('{ Models }', '{ Film, Models, Roles }'),
    given,
    ...others.map((text) => `async () => {\n${text}\n};`),
  ].join('\n');
  const types = typesModule(server.dossier.services.registry.served);
  expect(faultsOf({ 'models.ts': types, 'guide.ts': program })).toEqual([]);
});

test('the example of the README prints the output in its comment', async () => {
  const root = await makeRoot(server);
  const editor = { email: 'ann@example.com', password: 'pw-ann-1', groups: ['editor'] };
  await server.post('/api/user', editor, { headers: root.headers });
  const [text = ''] = programsIn('packages/client/README.md');
  const { code } = transformSync(text, { jsc: { parser: { syntax: 'typescript' }, target: 'es2023' }, swcrc: false });
  const said = /console\.log\(.*\/\/ (.*)$/m.exec(text)?.[1];
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    env: { PATH: process.env['PATH'], DOSSIER_URL: server.url, PASSWORD: editor.password },
  });
  expect(stdout.trim()).toBe(said);
});
