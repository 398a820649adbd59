/** What links to a document: as tables, with the way to a new document that links to it too. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('links here', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let author: string;
  beforeAll(async () => {
    server = await openLibrary();
    [author = ''] = await fill(server, 'author', [{ name: 'Ursula' }]);
    const books = Array.from({ length: 12 }, (_, at) => ({
      title: at === 3 ? `Book 3 ${'of the long titles '.repeat(9)}` : `Book ${at}`,
      kind: 'novel',
      author_id: author,
    }));
    await fill(server, 'book', books);
  });

  const table = (page: Page) => page.getByRole('region', { name: 'Books: Author' });

  test('are a table of titles and values, a count that leads to all, and New, whose form has the link', async () => {
    const { page, faults } = await open(server.url);
    await signIn(page, server.url, 'root', `#/documents/author/${author}`);
    const tabs = page.getByRole('tab');
    await tabs.first().waitFor();
    expect(await tabs.allTextContents()).toEqual(['Fields', 'Links here', 'Raw']);
    await page.getByRole('tab', { name: 'Links here' }).click();
    const rows = table(page).getByRole('row');
    await rows.filter({ hasText: 'Book' }).first().waitFor();
    expect(await rows.count()).toBe(11);
    expect(await table(page).getByRole('columnheader').allTextContents()).toEqual([
      'Title',
      'Kind',
      'Lent',
      'Pages',
      'Address: City',
    ]);
    expect(await violationsOf(page)).toEqual([]);
    // a title is cut off with an ellipsis
    const cut = await page.evaluate<unknown>(`{
      const link = [...document.querySelectorAll('td a')].find(({ textContent }) => textContent.startsWith('Book 3 '));
      const block = link.closest('div');
      const { textOverflow, overflowX } = getComputedStyle(block);
      ({ isCut: block.scrollWidth > block.clientWidth, textOverflow, overflowX });
    }`);
    expect(cut).toEqual({ isCut: true, textOverflow: 'ellipsis', overflowX: 'clip' });
    await page.getByRole('link', { name: '12 documents' }).click();
    await page.getByRole('heading', { name: 'Books', exact: true }).waitFor();
    await page.getByText('12 documents').waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'New book' }).click();
    await page.getByRole('textbox', { name: 'Title' }).fill('Thirteenth');
    await page.locator('input[value="Ursula"]').waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Thirteenth' }).waitFor();
    const found = await server.as('root', 'GET', '/api/book?filter[title]=Thirteenth');
    expect(found.rows.map((row) => row['author_id'])).toEqual([author]);
    expect(faults).toEqual([]);
  });

  test('have no New for callers who may not create, and fit on a phone in the dark', async () => {
    const { page, faults } = await open(server.url, { colorScheme: 'dark', viewport: { width: 360, height: 640 } });
    await signIn(page, server.url, 'eve', `#/documents/author/${author}?tab=links`);
    await table(page)
      .getByRole('link', { name: /^Book / })
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: 'New book' }).count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test.each(['{', '[]', '7', '{"nosuch":1,"__proto__.x":1}'])(
    'a form with the values %s in its address is empty',
    async (values) => {
      const { page, faults } = await open(server.url);
      await signIn(page, server.url, 'root', `#/documents/ledger/new?values=${encodeURIComponent(values)}`);
      await noticed(page, 'Created.', () => page.getByRole('button', { name: 'Create' }).click());
      expect(faults).toEqual([]);
    },
  );
});
