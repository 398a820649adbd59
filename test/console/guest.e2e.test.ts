/** The console without signing in: it shows what anyone may read, and offers it where there is some. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { emailOf, openPeople, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import { openLibrary, sendSignIn } from './library.ts';
import { useBrowser, violationsInThemes } from './window.ts';

inBrowser('the console without signing in', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  const browse = (on = page) => on.getByRole('button', { name: 'Browse without signing in' });
  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      models: {
        film: ({ Schema }) =>
          new Schema({ title: String, year: Number }, { history: true, perms: { all: 'r', admin: 'crud' } }),
        ledger: ({ Schema }) => new Schema({ amount: Number }, { perms: { admin: 'crud' } }),
      },
    });
    await server.as('root', 'POST', '/api/film', { body: { title: 'Metropolis', year: 1927 } });
    ({ page, faults } = await open(server.url));
  });

  test('shows what anyone may read, as text', async () => {
    await page.goto(`${server.url}/console`);
    await browse().click();
    const menu = page.getByRole('navigation', { name: 'Models and tools' });
    await menu.getByRole('link', { name: 'Films' }).waitFor();
    expect(await menu.getByRole('link', { name: /Ledgers|Users|Audit|Server/ }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Add a figure' }).count()).toBe(0);
    expect(await violationsInThemes(page)).toEqual([]);
    await menu.getByRole('link', { name: 'Films' }).click();
    await page.getByRole('link', { name: 'Metropolis', exact: true }).waitFor();
    for (const name of ['Views', 'New', 'Import'])
      expect([name, await page.getByRole('button', { name, exact: true }).count()]).toEqual([name, 0]);
    await page.getByRole('link', { name: 'Metropolis', exact: true }).click();
    await page.getByRole('group', { name: 'Year' }).getByText('1927').waitFor();
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('tab', { name: 'History' }).click();
    await page.getByText('created it').waitFor();
    await page.goto(`${server.url}/console#/reference/film`);
    await page.getByRole('heading', { name: 'Films' }).first().waitFor();
  });

  test('stays after a reload, until the caller signs in; after signing out the form is back', async () => {
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await sendSignIn(page, emailOf('eve'), passwordOf('eve'));
    await page.getByRole('button', { name: `Account of ${emailOf('eve')}` }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await browse().waitFor();
  });

  test('is not offered where anyone may read nothing', async () => {
    const closed = await openLibrary();
    const { page: other } = await open(closed.url);
    const answered = other.waitForResponse((answer) => answer.url().includes('/model?'));
    await other.goto(`${closed.url}/console`);
    await other.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await (await answered).finished();
    expect(await browse(other).count()).toBe(0);
    await other.context().close();
    await closed.close();
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
