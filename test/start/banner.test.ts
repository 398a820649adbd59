/** The lines that a server prints when it listens, and its home page: the console, and whether there is an admin. */
import { expect, test } from '@jest/globals';
import { features } from '../../src/features/index.ts';
import { bannerOf } from '../../src/start/banner.ts';
import { incompleteAfterCrash } from '../../src/start/features.ts';
import { startServer, type TestServer } from '../support/server.ts';

const models = {
  thing: "import { Schema } from 'mongoose'; export default new Schema({ a: String }, { perms: { all: 'r' } });",
};
const admin = { ADMIN_EMAIL: 'root@x.test', ADMIN_PASSWORD: 'pw-root-1' };

const linesOf = ({ dossier, url }: TestServer): readonly string[] =>
  dossier.banner.map((line) => line.replaceAll(url, 'URL')).filter((line) => !/^(Database|Realtime):/.test(line));

test.each<readonly [string, Readonly<Record<string, string>>, readonly string[], RegExp | undefined]>([
  [
    'no admin',
    {},
    ['Console: URL/console', 'There is no admin yet: create the first one in the console, or by POST URL/setup'],
    /There is no admin yet\. Create the first one in the console, or by this request:/,
  ],
  [
    'no admin and no console',
    { CONSOLE_ENABLED: 'false' },
    ['There is no admin yet: create the first one by POST URL/setup'],
    /There is no admin yet\. Create the first one by this request:/,
  ],
  ['an admin', admin, ['Console: URL/console'], undefined],
  ['an admin and no console', { ...admin, CONSOLE_ENABLED: 'false' }, [], undefined],
])('%s', async (_name, environment, lines, home) => {
  const server = await startServer({ models, environment });
  expect(linesOf(server)).toEqual(['Dossier listens on URL', 'Models: thing, user', ...lines]);
  const { text } = await server.get('/');
  expect(text.includes('href="./console"')).toBe(environment['CONSOLE_ENABLED'] === undefined);
  if (home === undefined) expect(text).not.toContain('There is no admin');
  else expect(text.replace(/\s+/g, ' ')).toMatch(home);
  await server.close();
});

test('of a server without some features names nothing of them', async () => {
  const others = features.filter(({ name }) => !['console', 'setup-data', 'batch'].includes(name));
  const server = await startServer({ models, environment: admin, features: others });
  expect(linesOf(server)).toEqual(['Dossier listens on URL', 'Models: thing, user']);
  expect((await server.get('/')).text).not.toContain('console');
  const incomplete = incompleteAfterCrash({ features: { base: others } });
  const begun = { url: '', groups: [], incomplete, setupNeeded: false, database: '', moved: [] };
  expect(bannerOf(begun, { ...server.dossier.services, isReplicaSet: false })).toContain(
    'Transactions: this database has none, so a crash can leave cascades, the history of documents, what `changed` does and the audit log incomplete',
  );
  await server.close();
});
