/** Tabs of one browser: they share one session. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser } from './window.ts';

inBrowser('tabs of the console', () => {
  const open = useBrowser('test');
  let server: PeopledServer<'root' | 'eve'>;
  let id: string;
  beforeAll(async () => {
    server = await openLibrary({ max_sessions: 1 });
    [id = ''] = await fill(server, 'book', [{ title: 'Dune', pages: 1 }]);
  });

  const account = (page: Page) => page.getByRole('button', { name: 'Account of root@x.test' });
  const entrance = (page: Page) => page.getByRole('main').getByRole('heading', { name: 'Sign in to Dossier' });
  const signOut = async (page: Page): Promise<void> => {
    await account(page).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await entrance(page).waitFor();
  };
  const tokenOf = (page: Page) =>
    page.evaluate<string>(
      "JSON.parse(Object.values({ ...sessionStorage }).find((one) => one.includes('refresh_token'))).refresh_token",
    );

  test.each<[how: string, act: (page: Page) => Promise<unknown>]>([
    ['by Ctrl and a click', (page) => page.getByRole('link', { name: 'Dune' }).click({ modifiers: ['Control'] })],
    ['by the middle button', (page) => page.getByRole('link', { name: 'Dune' }).click({ button: 'middle' })],
    [
      'by an address',
      async (page) => {
        const tab = await page.context().newPage();
        await tab.goto(`${server.url}/console#/documents/book/${id}`);
      },
    ],
  ])('a document that is opened in a new tab %s is there, and neither tab is signed out', async (_, act) => {
    const { page, faults } = await open(server.url);
    await signIn(page, server.url, 'root', '#/documents/book');
    await page.getByRole('link', { name: 'Dune' }).waitFor();
    const [tab] = await Promise.all([page.context().waitForEvent('page'), act(page)]);
    await account(tab).waitFor();
    if (!tab.url().includes(id)) await tab.goto(`${server.url}/console#/documents/book/${id}`);
    await tab.getByLabel('title').waitFor();
    await page.reload();
    await tab.reload();
    await Promise.all([account(page).waitFor(), account(tab).waitFor()]);
    expect([await tokenOf(page), faults]).toEqual([await tokenOf(tab), []]);
  });

  test('a tab at the form is signed in by another one, and signing out reaches all; unsaved work stays covered', async () => {
    const { page } = await open(server.url);
    await page.goto(`${server.url}/console#/documents/book/${id}`);
    await entrance(page).waitFor();
    const tab = await page.context().newPage();
    await signIn(tab, server.url, 'root');
    await page.getByLabel('title').fill('Unsaved');
    const third = await page.context().newPage();
    await third.goto(`${server.url}/console`);
    await account(third).waitFor();
    await signOut(tab);
    await entrance(third).waitFor();
    const dialog = page.getByRole('dialog', { name: 'Sign in to Dossier' });
    await dialog.getByText('You have signed out in another tab.').waitFor();
    await signIn(tab, server.url, 'root');
    await dialog.waitFor({ state: 'detached' });
    await noticed(page, 'Saved.', () => page.getByRole('button', { name: 'Save', exact: true }).click());
  });

  test('another user who signs in at the form of one tab leaves the page of another tab alone', async () => {
    const { page } = await open(server.url);
    await signIn(page, server.url, 'root', `#/documents/book/${id}`);
    await page.getByLabel('title').fill('Of root');
    const tab = await page.context().newPage();
    await tab.goto(`${server.url}/console`);
    await signOut(tab);
    await page.getByRole('dialog', { name: 'Sign in to Dossier' }).waitFor();
    await signIn(tab, server.url, 'eve');
    expect(await page.getByRole('dialog').getByLabel('Email').inputValue()).toBe('root@x.test');
    expect(await page.getByLabel('title').inputValue()).toBe('Of root');
  });

  test('closing all tabs ends the session', async () => {
    const { page } = await open(server.url);
    await signIn(page, server.url, 'root');
    const context = page.context();
    await page.close();
    const tab = await context.newPage();
    await tab.goto(`${server.url}/console`);
    await entrance(tab).waitFor();
  });
});
