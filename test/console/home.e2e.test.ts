/** The home page of the console: models by groups with icons and counts, and what is there without models. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

const phone = { viewport: { width: 390, height: 800 } };

inBrowser('the home page of the console', () => {
  const open = useBrowser();

  describe('with models', () => {
    let server: PeopledServer<'root' | 'eve'>;
    let page: Page;
    let faults: string[];
    const requests: string[] = [];
    const menu = () => page.getByRole('navigation', { name: 'Models and tools' });
    const inMenu = (name: string) => menu().getByRole('link', { name, exact: true });
    const home = async (): Promise<void> => {
      await page.goto(`${server.url}/console#/`);
      await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    };
    beforeAll(async () => {
      server = await openPeople(['root', 'eve'], {
        max_sessions: 20,
        models: {
          ticket: ({ Schema }) =>
            new Schema(
              { title: String },
              { group: 'Support', icon: 'ticket', perms: { owner: 'crud', user: 'c', admin: 'crud' } },
            ),
          film: ({ Schema }) => new Schema({ title: String }, { icon: '🎬', perms: { user: 'r', admin: 'crud' } }),
        },
      });
      for (const who of ['root', 'root', 'eve'] as const)
        await server.as(who, 'POST', '/api/ticket', { body: { title: `Of ${who}` } });
      const { document } = await server.as('root', 'POST', '/api/film', { body: { title: 'Gone' } });
      await server.as('root', 'DELETE', `/api/film/${String(document['_id'])}`);
      ({ page, faults } = await open(server.url));
      page.on('request', (request) => requests.push(new URL(request.url()).pathname));
      await signIn(page, server.url, 'root');
      await home();
    });

    test('shows the models by groups with icons, and all counts by one request', async () => {
      const main = page.getByRole('main');
      await main.getByText('3 documents').waitFor();
      await main.getByText('0 documents').waitFor();
      await main.getByRole('heading', { name: 'Figures' }).waitFor();
      expect(await main.getByRole('heading').allTextContents()).toEqual(['Figures', 'Models', 'Support']);
      expect(await main.getByText('🎬').count()).toBe(1);
      expect(await main.locator('svg.lucide-ticket').count()).toBe(1);
      expect(await main.locator('svg.lucide-user').count()).toBe(1);
      expect(requests.filter((path) => path === '/count')).toHaveLength(1);
      expect(requests.filter((path) => path.startsWith('/api/'))).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
    });

    test('the side bar has users once for an admin, whose view leads to their table', async () => {
      expect(await inMenu('Users').count()).toBe(1);
      await inMenu('Users').click();
      await page.getByRole('link', { name: 'All fields' }).click();
      await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'New', exact: true }).waitFor();
      expect(page.url()).toContain('#/documents/user');
      expect(await inMenu('Users').getAttribute('aria-current')).toBe('page');
      await home();
    });

    test('the side bar has the counts, which follow own writes', async () => {
      expect(await inMenu('Tickets').textContent()).toBe('Tickets3');
      expect(await inMenu('Tickets').getAttribute('aria-description')).toBe('3 documents');
      await page.goto(`${server.url}/console#/documents/film/new`);
      await page.getByLabel('Title').fill('Alien');
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      await inMenu('Films').getByText('1', { exact: true }).waitFor();
    });

    test('a count that is capped shows that there are more', async () => {
      const counts = [{ model: 'film', count: 10_000, count_is: 'at_least' }];
      await page.route(`${server.url}/count`, (route) => route.fulfill({ json: { data: counts } }));
      await page.reload();
      await inMenu('Films').getByText('10,000+').waitFor();
      // a model that was not counted has none
      expect(await inMenu('Tickets').textContent()).toBe('Tickets');
      await home();
      await page.getByRole('main').getByText('at least 10,000 documents').waitFor();
      await page.unroute(`${server.url}/count`);
    });

    test('another user has the counts of what they read, on a phone too', async () => {
      const { page: other, faults: others } = await open(server.url, phone);
      await signIn(other, server.url, 'eve');
      const main = other.getByRole('main');
      await main.getByText('1 document', { exact: true }).first().waitFor();
      expect(await main.getByText('3 documents').count()).toBe(0);
      expect(await violationsOf(other)).toEqual([]);
      expect(others).toEqual([]);
    });

    test('the page has no errors', () => {
      expect(faults).toEqual([]);
    });
  });

  test('without models says what to do, to admins and to others', async () => {
    const server = await openPeople(['root', 'eve'], { max_sessions: 20, models: {} });
    for (const [who, text] of [
      ['root', 'This server has no models yet'],
      ['eve', 'There is nothing here that you may read'],
    ] as const) {
      const { page, faults } = await open(server.url, phone);
      await signIn(page, server.url, who);
      await page.getByText(text).waitFor();
      expect(await violationsOf(page)).toEqual([]);
      expect(faults).toEqual([]);
      await page.context().close();
    }
  });
});
