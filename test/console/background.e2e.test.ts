/** What happens by itself, in the console: schedules with their runs. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

const hostile = '<img src=x onerror="throw Error(1)">';

inBrowser('work without requests in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      models: {
        film: ({ Schema }) => {
          const schema = new Schema(
            { title: String },
            {
              perms: { user: 'r', admin: 'crud' },
              schedules: {
                tidy: { call: 'tidy', cron: '0 3 1 1 *', zone: 'Europe/Berlin' },
                fails: { call: 'fails', cron: '0 3 1 1 *' },
              },
            },
          );
          schema.statics['tidy'] = () => Promise.resolve();
          schema.statics['fails'] = () => Promise.reject(new Error(hostile));
          return schema;
        },
      },
    });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  test('a schedule is run, and its runs are listed', async () => {
    await go('schedules');
    await row('film.tidy').getByText('0 3 1 1 *').waitFor();
    await row('film.tidy').getByText('Europe/Berlin').waitFor();
    await click('Run now: film.tidy');
    await page.getByText('The run begins.').first().waitFor();
    await click('Run now: film.fails');
    await row('film.fails').getByRole('link', { name: 'film.fails' }).click();
    const runs = page.getByRole('region', { name: 'Runs of film.fails' });
    await runs.getByText('failed').first().waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a schedule is paused and resumed', async () => {
    await go('schedules');
    await click('Pause: film.tidy');
    await row('film.tidy').getByText('paused').waitFor();
    const { body } = await server.as('root', 'GET', '/schedules');
    expect(body['data']).toMatchObject([{ name: 'film.tidy', paused: true }, { name: 'film.fails' }]);
    await click('Resume: film.tidy');
    await page.getByRole('button', { name: 'Pause: film.tidy' }).waitFor();
  });

  test('only admins see the views', async () => {
    const { page: other } = await open(server.url);
    await signIn(other, server.url, 'eve');
    await other.getByRole('link', { name: 'Rights' }).waitFor();
    for (const name of ['Webhooks', 'Schedules', 'Jobs'])
      expect(await other.getByRole('link', { name, exact: true }).count()).toBe(0);
  });

  test('no page has failed', () => expect(faults).toEqual([]));
});
