/** Live, Queries and Functions without signing in: what they show of what anyone may read, and what they refuse. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { useBrowser, violationsInThemes } from './window.ts';

inBrowser('views without signing in', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openPeople(['root'], {
      models: {
        film: ({ Schema }) => {
          const schema = new Schema(
            { title: String, year: Number },
            { perms: { all: 'r', admin: 'crud' }, callable_statics: { oldest: 'r', clear_all: 'd' } },
          );
          schema.statics['oldest'] = async function (this: any) {
            return this.find().sort({ year: 1 }).limit(1).lean();
          };
          schema.statics['clear_all'] = () => 'cleared';
          return schema;
        },
        ledger: ({ Schema }) => new Schema({ amount: Number }, { perms: { admin: 'crud' } }),
      },
    });
    await server.as('root', 'POST', '/api/film', { body: { title: 'Metropolis', year: 1927 } });
    await server.as('root', 'POST', '/api/ledger', { body: { amount: 4711 } });
    ({ page, faults } = await open(server.url));
    await page.goto(`${server.url}/console`);
    await page.getByRole('button', { name: 'Browse without signing in' }).click();
    await page.getByRole('link', { name: 'Films' }).first().waitFor();
  });

  const show = async (view: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${server.url}/console#/${view}`);
  };
  const main = () => page.getByRole('main');
  const options = (label: string) => page.getByLabel(label, { exact: true }).getByRole('option').allTextContents();

  test('Live shows the events of what anyone may read, with users by their ids', async () => {
    // a caller without a session reads an event stream
    const opened = page.waitForResponse((answer) => answer.url().endsWith('/events/film'));
    await show('live');
    expect((await opened).status()).toBe(200);
    await server.as('root', 'POST', '/api/ledger', { body: { amount: 4712 } });
    await server.as('root', 'POST', '/api/film', { body: { title: 'Faust', year: 1926 } });
    const events = page.getByRole('region', { name: 'Events' }).getByRole('row');
    await events.filter({ hasText: 'Faust' }).waitFor();
    // its header, and the film
    expect(await events.count()).toBe(2);
    // an id alone: a user has no name for those who may not read users
    expect(await events.last().getByRole('cell').last().textContent()).toBe(server.callers.root.user_id);
    expect(await violationsInThemes(page)).toEqual([]);
  });

  test('Queries finds what anyone may read, and refuses the rest', async () => {
    const run = () => page.getByRole('button', { name: 'Run', exact: true }).click();
    await show('queries?model=ledger');
    await main().getByRole('heading', { name: 'Queries' }).waitFor();
    expect(await options('Model')).toEqual(['Films']);
    await run();
    await main().getByText('Metropolis').first().waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    const join = [{ $lookup: { from: 'ledgers', pipeline: [], as: 'joined' } }];
    await show(`queries?model=film&mode=aggregate&text=${encodeURIComponent(JSON.stringify(join))}`);
    await run();
    await main().getByRole('alert').waitFor();
    expect(await main().getByText('4711').count()).toBe(0);
  });

  test('Functions offers those that anyone may call', async () => {
    await show('functions?function=film.clear_all');
    await main().getByRole('heading', { name: 'Functions' }).waitFor();
    expect(await options('Function')).toEqual(['Films: oldest']);
    await page.getByRole('button', { name: 'Call', exact: true }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('Faust').waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
