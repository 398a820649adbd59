/** What views show where there is nothing to show, or where the server refuses or does not answer: each says what can be done. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn, watching } from './library.ts';
import { useBrowser } from './window.ts';

const noId = '0123456789abcdef01234567';

inBrowser('empty and error states of the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let pages: Record<'root' | 'eve', Page>;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary();
    await fill(server, 'book', [{ title: 'A book' }]);
    const [root, eve] = [await open(server.url), await open(server.url)];
    await signIn(root.page, server.url, 'root');
    await signIn(eve.page, server.url, 'eve');
    pages = { root: root.page, eve: eve.page };
    ({ faults } = root);
  });

  const go = (page: Page, view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const main = (page: Page) => page.getByRole('main');

  test.each<['root' | 'eve', view: string, shown: string, action: string | undefined]>([
    ['root', 'documents/ledger', 'No documents. Create the first one, or import a file.', 'Import a file'],
    ['root', 'documents/book?deleted=only', 'The trash is empty.', 'All documents'],
    ['root', 'documents/book?filter={"title":"B"}', 'No documents. None has what you look for.', 'Remove the filter'],
    ['root', 'documents/book?search=zzz', 'No documents. None has what you look for.', 'Remove the search'],
    ['eve', 'documents/author', 'No documents. An admin of this server can give you the right', undefined],
    ['eve', 'documents/ledger', 'There is no model “ledger” for you.', 'Your rights'],
    ['eve', 'import/book', 'You may not create documents of Books. An admin of this server can', 'Your rights'],
    ['root', 'import/nosuch', 'There is no model “nosuch” for you.', 'Home'],
    ['root', `documents/book/${noId}`, 'The document was removed permanently', 'All Books'],
    ['root', 'documents/book/nosuch', 'The document was removed permanently', 'Trash'],
    ['root', 'nosuch', 'There is nothing at this address.', 'Home'],
    ['root', 'documents/__proto__', 'There is no model “__proto__” for you.', 'Home'],
    ['root', 'constructor', 'There is nothing at this address.', 'Home'],
    ['root', 'jobs?status=dead', 'No such jobs.', 'Show all'],
    ['root', 'users?search=zzz', 'No users. None has what you look for.', 'Show all users'],
    ['root', `users/${noId}`, 'The user was removed.', 'All users'],
    ['root', `audit?whom=${noId}`, 'No such events.', 'Show all events'],
    ['eve', 'audit', 'An admin of this server can give you the right.', 'Rights'],
  ])('%s at %s', async (person, view, shown, action) => {
    const page = pages[person];
    await go(page, view);
    await main(page).getByText(shown).waitFor();
    if (action !== undefined)
      await main(page).locator('a, button').filter({ hasText: action }).filter({ visible: true }).first().waitFor();
  });

  test('a filter and a search that find nothing are removed there, also from the search box', async () => {
    const { root } = pages;
    await go(root, 'documents/book?search=zzz&filter={"title":"B"}');
    await root.getByRole('button', { name: 'Remove the search' }).click();
    await root.getByRole('button', { name: 'Remove the filter' }).click();
    await root.getByRole('link', { name: 'A book' }).waitFor();
    expect(await root.getByLabel('Search', { exact: true }).inputValue()).toBe('');
  });

  test('a document that is removed while it is shown', async () => {
    const { root } = pages;
    const [id = ''] = await fill(server, 'book', [{ title: 'Soon gone' }]);
    const watched = watching(root, id);
    await go(root, `documents/book/${id}`);
    await root.getByRole('heading', { name: 'Soon gone' }).waitFor();
    await watched;
    expect((await server.as('root', 'DELETE', `/api/book/${id}?_permaDelete=1`)).status).toBeLessThan(300);
    await root.getByRole('heading', { name: 'No such document' }).waitFor();
  });

  test.each([429, 503])('a %d: the view shows when it is tried again, and a button tries at once', async (status) => {
    const { eve } = pages;
    // nothing that was read before is shown, and nothing is read before it is refused
    await eve.goto('about:blank');
    await eve.route(/\/api\/book/, (route) =>
      route.fulfill({
        status,
        headers: { 'retry-after': '600' },
        json: { status: 'fail', message: 'Too much', err: 'later' },
      }),
    );
    await go(eve, 'documents/book');
    const alert = main(eve).getByRole('alert');
    await alert.getByText('The server takes no more requests for now').waitFor();
    await alert.getByText(/It is tried again in \d+ seconds\./).waitFor();
    await eve.getByText(/They are sent again in \d+ seconds\./).waitFor();
    await eve.unroute(/\/api\/book/);
    await alert.getByRole('button', { name: 'Try now' }).click();
    await eve.getByRole('link', { name: 'A book' }).waitFor();
  });

  test('a server that does not answer is tried again by itself', async () => {
    const { page } = await open(server.url);
    await signIn(page, server.url, 'eve', '#/documents/book');
    await page.getByRole('link', { name: 'A book' }).waitFor();
    await page.context().setOffline(true);
    await page.evaluate("window.location.hash = '#/documents/author'");
    await page.getByText('The server does not answer. It is tried again every few seconds.').waitFor();
    await page.getByRole('button', { name: 'Try now' }).first().waitFor();
    await main(page).getByText('The server does not answer').first().waitFor();
    await page.context().setOffline(false);
    await main(page).getByText('No documents.').waitFor();
    await page.getByText('It is tried again every few seconds.').waitFor({ state: 'detached' });
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
