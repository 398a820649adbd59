/** Work without requests, in the console: webhooks with their deliveries, schedules with their runs, and jobs. */
import { createServer } from 'node:http';
import type { AddressInfo, Server } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { noticed } from './notices.ts';
import { focusOn, useBrowser, violationsOf } from './window.ts';

/** Two schedules, as the views name them. */
const [tidy, fails] = ['Motion pictures: tidy', 'Motion pictures: fails'] as const;
/** The error of a function too, which is written into a model file. */
const hostile = '<b>a fault</b>';

inBrowser('work without requests in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let receiver: Server;
  /** What the receiver answers. */
  let status = 204;
  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  const click = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();

  beforeAll(async () => {
    receiver = createServer((request, answer) => {
      request.resume().on('end', () => answer.writeHead(status).end(hostile));
    }).listen(0, '127.0.0.1');
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      webhook: { allow: ['*'] },
      models: {
        film: ({ Schema }) => {
          const schema = new Schema(
            { title: String },
            {
              label: 'Motion pictures',
              perms: { user: 'r', admin: 'crud' },
              callable_statics: { later: 'r' },
              schedules: {
                tidy: { call: 'tidy', cron: '0 3 1 1 *', zone: 'Europe/Berlin' },
                fails: { call: 'fails', cron: '0 3 1 1 *' },
              },
            },
          );
          schema.statics['later'] = (_: unknown, { api }: any) => api.later('film.fails', {}, { retries: 0 });
          schema.statics['tidy'] = () => Promise.resolve();
          schema.statics['fails'] = () => Promise.reject(new Error('<b>a fault</b>'));
          return schema;
        },
      },
    });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  test('a schedule is run, and its runs are listed and followed until they end', async () => {
    await go('schedules');
    await row(tidy).getByText('0 3 1 1 *').waitFor();
    await row(tidy).getByText('Europe/Berlin').waitFor();
    for (const name of [tidy, fails]) await noticed(page, 'The run begins.', () => click(`Run now: ${name}`));
    const now = new Date().toISOString();
    const underWay = { planned: now, started: now, ended: null, outcome: null, server: 'one' };
    let looks = 0;
    await page.route(/\/runs$/, (route) =>
      ++looks === 1 ? route.fulfill({ json: { data: [underWay] } }) : route.continue(),
    );
    await row(fails).getByRole('link', { name: fails }).click();
    const runs = page.getByRole('region', { name: `Runs of ${fails}` });
    await runs.getByText('failed').first().waitFor();
    await page.unroute(/\/runs$/);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a schedule is paused and resumed', async () => {
    await go('schedules');
    await click(`Pause: ${tidy}`);
    await row(tidy).getByText('paused').waitFor();
    const { body } = await server.as('root', 'GET', '/schedules');
    expect(body['data']).toMatchObject([{ name: 'film.tidy', paused: true }, { name: 'film.fails' }]);
    await click(`Resume: ${tidy}`);
    await page.getByRole('button', { name: `Pause: ${tidy}` }).waitFor();
  });

  test('a job that is dead is tried again, and one that waits is removed', async () => {
    await server.as('root', 'POST', '/call/film/later', { body: {} });
    await go('jobs?status=dead');
    await until(async () => {
      await page.reload();
      await page
        .getByRole('main')
        .getByText(/: fails|No such jobs/)
        .first()
        .waitFor();
      return (await row(fails).count()) > 0;
    });
    await row(fails).getByText(hostile).waitFor();
    await noticed(page, 'The job waits again.', () => click(`Retry: ${fails}`));
    expect(await violationsOf(page)).toEqual([]);
    await go('audit');
    await page.getByRole('row').filter({ hasText: 'Had a job run again' }).getByRole('link', { name: fails }).waitFor();
  });

  test('a webhook is created, tested, switched off and removed', async () => {
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    await go('webhooks');
    await click('New webhook');
    await page.getByLabel('Address').fill(url);
    // the list of models closes, and does not cover the button
    await page.getByRole('combobox', { name: 'Models' }).fill('mot');
    await page.getByRole('listbox', { name: 'Models' }).getByRole('option', { name: 'Motion pictures' }).click();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('region', { name: 'The secret, which is not shown again' }).getByText('whsec_').waitFor();
    status = 410;
    await server.as('root', 'POST', '/api/film', { body: { title: 'A' } });
    await row(url).getByRole('link', { name: url }).click();
    const deliveries = page.getByRole('region', { name: 'Deliveries' });
    await until(async () => {
      await page.reload();
      await page
        .getByRole('main')
        .getByText(/: created|No such/)
        .first()
        .waitFor();
      return (await deliveries.getByText('dead').count()) > 0;
    });
    await deliveries.getByText(hostile).waitFor();
    await deliveries.getByText('Motion pictures: created', { exact: true }).waitFor();
    expect(await row(url).getByRole('cell').allTextContents()).toEqual(
      expect.arrayContaining(['Motion pictures', 'created, changed, deleted']),
    );
    await row(url).getByText('off', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    status = 204;
    await go('audit');
    await page.getByRole('row').filter({ hasText: 'Created a webhook' }).getByRole('link', { name: url }).click();
    await deliveries.waitFor();
    await click(`Switch on: ${url}`);
    await row(url).getByText('on', { exact: true }).waitFor();
    await noticed(page, 'It is sent again.', () => deliveries.getByRole('button', { name: /^Send again/ }).click());
    await noticed(page, 'The test is sent.', () => click(`Test: ${url}`));
    await click(`Remove: ${url}`);
    await page.getByRole('dialog', { name: 'Remove the webhook' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByText('No webhooks.').waitFor();
    // the row, which had the focus, and the table are gone
    await focusOn(page.getByRole('button', { name: 'New webhook' }));
    await go('audit');
    for (const text of [tidy, fails]) await page.getByRole('cell', { name: text, exact: true }).first().waitFor();
    await go('functions');
    await page
      .getByLabel('Function', { exact: true })
      .getByRole('option', { name: 'Motion pictures: later' })
      .waitFor({ state: 'attached' });
  });

  test('all webhooks are listed', async () => {
    const url = 'https://receiver.example/';
    for (let at = 0; at < 21; at++)
      await server.as('root', 'POST', '/webhooks', { body: { url: `${url}${at}`, models: ['*'], events: ['del'] } });
    // the page has read them a moment before
    await page.goto('about:blank');
    await go('webhooks');
    for (const at of [20, 0]) await page.getByRole('link', { name: `${url}${at}`, exact: true }).waitFor();
    await click(`Remove: ${url}7`);
    await page.getByRole('dialog', { name: 'Remove the webhook' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('link', { name: `${url}7`, exact: true }).waitFor({ state: 'detached' });
    // not the buttons of another one
    await focusOn(page.getByRole('region', { name: 'Webhooks' }));
  });

  test('only admins see the views', async () => {
    const { page: other } = await open(server.url);
    await signIn(other, server.url, 'eve');
    await other.getByRole('link', { name: 'Rights' }).waitFor();
    for (const name of ['Webhooks', 'Schedules', 'Jobs'])
      expect(await other.getByRole('link', { name, exact: true }).count()).toBe(0);
  });

  afterAll(() => void receiver.close());

  test('no page has failed', () => expect(faults).toEqual([]));
});
