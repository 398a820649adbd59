/** The server in the console: advice, slow reads, indexes, backups and the log, by their addresses. */
import { mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { modelOf } from '../../src/models/mongoose.ts';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { openPrefixProxy, type PrefixProxy } from '../support/prefix-proxy.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser, violationsOf, type Window } from './window.ts';

const folder = mkdtempSync(join(tmpdir(), 'console-server-'));
/** The name of a field, which is in shapes, and a request id. */
const hostile = '<b>bold</b>';

inBrowser('the server in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let light: Window;
  let dark: Window;
  let page: Page;
  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      ...{ inMemory: false, mongodb_url: undefined, data_dir: join(folder, 'data') },
      backup: { dir: join(folder, 'backups') },
      max_sessions: 20,
      // reads are judged by what they examine alone
      slow_ms: 3_600_000,
      models: {
        'film.ts': `export default ({ Schema }) => new Schema({ genre: String, '${hostile}': String, year: { type: Number, index: true } },
          { perms: { all: 'cr', admin: 'crud' } });`,
      },
    });
    const { collection } = modelOf(server.dossier.services.registry.get('film'));
    await collection.insertMany(Array.from({ length: 300 }, (_, at) => ({ genre: `g${at}`, year: at })));
    light = await open(server.url, { colorScheme: 'light' });
    dark = await open(server.url, { colorScheme: 'dark', viewport: { width: 360, height: 640 } });
    for (const window of [light, dark]) await signIn(window.page, server.url, 'root');
    ({ page } = light);
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** Opens a tab by its address in both windows. @returns what axe finds */
  const opened = async (tab: string, shown: string): Promise<string[]> => {
    const found = [];
    for (const window of [light, dark]) {
      // an answer that is a few seconds old is shown again within the page
      await window.page.goto('about:blank');
      await window.page.goto(`${server.url}/console#/server?tab=${tab}`);
      await window.page.getByRole('main').getByText(shown).first().waitFor();
      found.push(...(await violationsOf(window.page)));
    }
    return found;
  };

  test.each([
    ['advice', 'callers who have not signed in may create documents'],
    ['requests', 'GET /server/advice'],
    ['slow', 'No read has been slow since the start'],
    ['indexes', 'year_1'],
    ['backups', 'There is no backup'],
    ['log', '/server/backups'],
    ['nosuch', 'The cache is off.'],
  ])('%s is opened by its address, in both themes, without faults', async (tab, shown) => {
    expect(await opened(tab, shown)).toEqual([]);
  });

  test('advice about a user names the user and opens the account', async () => {
    await page.goto(`${server.url}/console#/server?tab=advice`);
    const row = page.getByRole('region', { name: 'Advice' }).getByRole('row').filter({ hasText: 'a second factor' });
    await row.getByRole('cell', { name: 'root', exact: true }).waitFor();
    await row.getByRole('link', { name: 'User' }).click();
    await page.waitForURL(/#\/users\/[0-9a-f]{24}$/);
  });

  test('tabs are reached by the keyboard, and are in the address', async () => {
    await page.goto(`${server.url}/console#/server`);
    await page.getByRole('tab', { name: 'Overview' }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByRole('region', { name: 'Advice' }).waitFor();
    expect(page.url()).toMatch(/#\/server\?tab=advice$/);
    await page.getByRole('region', { name: 'Advice' }).getByRole('link', { name: 'Backups' }).first().click();
    await page.getByRole('tab', { name: 'Backups', selected: true }).waitFor();
    await page.goBack();
    await page.getByRole('tab', { name: 'Advice', selected: true }).waitFor();
  });

  test('a slow read is shown with its index, as text', async () => {
    const path = `/api/film?filter[genre]=g7&filter[${encodeURIComponent(hostile)}]=x`;
    expect((await server.as('root', 'GET', path)).status).toBe(200);
    await until(async () => {
      const { body } = await server.as('root', 'GET', '/server/slow');
      const reads = body['data'] as readonly Readonly<Record<string, unknown>>[];
      return reads.some(({ shape, advice }) => String(shape).includes(hostile) && advice !== undefined);
    });
    expect(await opened('slow', hostile)).toEqual([]);
    const row = page.getByRole('region', { name: 'Slow reads' }).getByRole('row').filter({ hasText: 'film' });
    await row.getByRole('cell', { name: `genre + ${hostile}`, exact: true }).waitFor();
    expect(await opened('indexes', 'Missing')).toEqual([]);
  });

  test('an advised index is built, and one that no model declares is dropped after a confirmation', async () => {
    const stored = page.getByRole('region', { name: 'Indexes in the database' });
    await opened('indexes', 'Missing');
    await noticed(page, 'The index is built.', () =>
      page.getByRole('button', { name: `Build: genre + ${hostile} of film` }).click(),
    );
    await stored.getByRole('cell', { name: `genre + ${hostile}`, exact: true }).waitFor();
    await page.getByText('Missing').waitFor({ state: 'detached' });
    const { collection } = modelOf(server.dossier.services.registry.get('film'));
    await collection.createIndex({ year: -1, genre: 1 }, { name: 'by_hand' });
    await page.reload();
    const drop = page.getByRole('button', { name: 'Drop: by_hand of film' });
    const dialog = page.getByRole('dialog', { name: 'Drop the index' });
    await drop.click();
    await dialog.getByText('by_hand of film is dropped.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await stored.getByText('by_hand').count()).toBe(1);
    await drop.click();
    await noticed(page, 'The index is dropped.', () => dialog.getByRole('button', { name: 'Drop' }).click());
    await stored.getByText('by_hand').waitFor({ state: 'detached' });
    // one that the model declares stays
    expect(await opened('indexes', 'year_1')).toEqual([]);
    await page.getByText('Remove it from the model file, start the server again').first().waitFor();
    expect(await page.getByRole('button', { name: 'Drop: year_1 of film' }).count()).toBe(0);
  });

  test('a backup is made, and one whose file is lost is reported', async () => {
    await opened('backups', 'Back up now');
    await page.getByText('No backup is planned').waitFor();
    await page.getByRole('button', { name: 'Back up now' }).click();
    await page.getByText('The last backup is verified.').waitFor();
    const backups = page.getByRole('region', { name: 'Backups' });
    expect(await backups.getByRole('cell', { name: 'verified' }).count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    const file = (await backups.getByRole('cell').first().textContent()) ?? '';
    await page.getByRole('link', { name: 'Backups as a table' }).click();
    // its whole name, by which people know it
    await page
      .getByRole('region', { name: 'Documents of Backups' })
      .getByRole('link', { name: file, exact: true })
      .click();
    await page.getByRole('region', { name: 'Document', exact: true }).getByRole('heading', { name: file }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await rm(join(folder, 'backups'), { recursive: true });
    for (const window of [light, dark]) await window.page.reload();
    expect(await opened('backups', 'The last backup has failed')).toEqual([]);
    await backups.getByText('failed: the file is missing or has changed').waitFor();
  });

  test('the lines of a request are found by its id', async () => {
    await server.get(`/api/nosuch?note=${hostile}`, { headers: { 'X-Request-Id': 'request-of-the-log' } });
    await opened('log', 'request-of-the-log');
    await page.getByLabel('Request id').fill(' request-of-the-log ');
    await page.keyboard.press('Enter');
    const lines = page.getByRole('region', { name: 'Log' });
    await lines.getByText('path=/api/nosuch').waitFor();
    await lines.getByText('path=/server/log').first().waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/#\/server\?tab=log&request_id=request-of-the-log$/);
    expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('INPUT');
    await page.getByLabel('Request id').fill(hostile);
    await page.keyboard.press('Enter');
    await page.getByText('The log has no line of this request.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.goBack();
    await lines.getByText('path=/api/nosuch').waitFor();
    expect(await page.getByLabel('Request id').inputValue()).toBe('request-of-the-log');
  });

  test('a failure leads to the lines of its request', async () => {
    const log = page.getByRole('region', { name: 'Log' });
    const inAlert = page.getByRole('main').getByRole('alert').getByRole('link', { name: 'Log of request' });
    await page.goto(`${server.url}/console#/schedules/nosuch`);
    await inAlert.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await inAlert.click();
    await log.getByText('path=/schedules/nosuch/runs status=404').waitFor();
    // a toast: the server refuses the button's request
    await page.route('**/server/backups', (route) =>
      route.request().method() === 'POST' ? route.continue({ method: 'DELETE' }) : route.continue(),
    );
    await page.getByRole('tab', { name: 'Backups' }).click();
    await page.getByRole('button', { name: 'Back up now' }).click();
    const inToast = page.getByRole('link', { name: 'Log of request' });
    await inToast.waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await inToast.click();
    await log.getByText('path=/server/backups').waitFor();
    await page.unrouteAll();
  });

  test('others see the id of a request that has failed by a fault of the server, without a link', async () => {
    const { page: other } = await open(server.url);
    await signIn(other, server.url, 'eve', '#/schedules/nosuch');
    const alerts = other.getByRole('main').getByRole('alert');
    await alerts.first().waitFor();
    expect(await alerts.first().textContent()).not.toContain('equest');
    const headers = { 'x-request-id': 'request-with-a-fault' };
    const body = JSON.stringify({ status: 'fail', message: 'Fault', err: 'a fault of the server' });
    await other.route('**/schedules/nosuch/runs?*', (route) => route.fulfill({ status: 500, headers, body }));
    await other.reload();
    await alerts.getByText('Request request-with-a-fault').waitFor();
    expect(await other.getByRole('link', { name: 'request' }).count()).toBe(0);
    await other.context().close();
  });

  test('it works behind a proxy that removes a path', async () => {
    const proxy: PrefixProxy = await openPrefixProxy('/films', () => server.url);
    const { page: other } = await open(proxy.url);
    await signIn(other, proxy.url, 'root', '#/server?tab=log&request_id=request-of-the-log');
    await other.getByText('path=/api/nosuch').waitFor();
    await other.context().close();
    proxy.close();
  });

  test('no page has failed', () => expect([...light.faults, ...dark.faults]).toEqual([]));
});
