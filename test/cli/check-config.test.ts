/** `dossier check` reports the faults of the config: of its schedules, its mails and its plug-ins. A start reports the same. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkProject } from '../../src/cli/check/project.ts';
import { writeModels } from '../support/models.ts';

let folder: string;
let models: Awaited<ReturnType<typeof writeModels>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-config-'));
  models = await writeModels({ 'note.js': `module.exports = new (require('mongoose').Schema)({ n: Number });` });
});
afterAll(async () => {
  await models.remove();
  await rm(folder, { recursive: true });
});

/** The faults of a project with a config, as text. */
async function faultsWith(config: string): Promise<readonly string[]> {
  const file = join(folder, `${Math.random().toString(36).slice(2)}.config.mjs`);
  await writeFile(file, `export default ${config};`);
  const environment = {
    MODELS_DIR: models.folder,
    DATA_DIR: join(folder, 'data'),
    MONGODB_URL: '',
    DOSSIER_CONFIG: file,
  };
  return (await checkProject(environment, () => undefined)).faults.map(({ message }) => message);
}

const schedule = (parts: string): string => `{ schedules: { tick: { run() {}, ${parts} } } }`;
const plugin = (parts: string): string => `{ plugins: [{ name: 'one', ${parts} }] }`;

test.each([
  ['an expression', schedule(`cron: '0 25 * * *'`), /schedules\.tick\.cron/],
  ['no expression', schedule(''), /schedules\.tick\.cron must be text/],
  ['a zone', schedule(`cron: '* * * * *', zone: 'Europe/Berln'`), /schedules\.tick\.zone/],
  ['a duration', schedule(`cron: '* * * * *', timeout: '5'`), /schedules\.tick\.timeout/],
  [
    'a choice',
    schedule(`cron: '* * * * *', missed: 'one'`),
    /schedules\.tick\.missed must be "skip" or "once".*"once"/,
  ],
  ['an unknown part', schedule(`cron: '* * * * *', zones: 'UTC'`), /schedules\.tick\.zones is unknown/],
  ['a schedule of a plug-in', plugin(`schedules: { tick: { run() {}, cron: 'soon' } }`), /schedules\.tick\.cron/],
  ['a key of a plug-in', plugin('route: []'), /plug-in one: route is no key of a plug-in/],
  ['a model of a plug-in', plugin('models: { bill: {} }'), /plug-in one.*bill/],
  ['a route of a plug-in', plugin(`routes: [{ method: 'GET', path: '/a' }]`), /plug-in one.*access/],
  ['two plug-ins of one name', `{ plugins: [{ name: 'one' }, { name: 'one' }] }`, /the plug-in one is also one of/],
  ['a kind of mail', '{ mails: { recover() {} } }', /mails\.recover is unknown/],
])('reports a fault: %s', async (_, config, fault) => {
  const faults = await faultsWith(config);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(fault);
});

test('a good config has no faults', async () => {
  expect(await faultsWith(schedule(`cron: '0 3 * * *', zone: 'Europe/Berlin', timeout: '1m'`))).toEqual([]);
});
