/** Saved views in the console: saving what a table shows, opening, sharing, changing and removing it. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('saved views in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary();
    await fill(
      server,
      'book',
      [1, 2, 3, 4, 5, 6].map((pages) => ({ title: `Book ${pages}`, pages })),
    );
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const menu = (name: string) => page.getByRole('button', { name, exact: true });
  const item = (name: string) => page.getByRole('menuitem', { name });
  const dialog = () => page.getByRole('dialog');

  test('what a table shows is saved under a title', async () => {
    const filter = encodeURIComponent(JSON.stringify({ pages: { $gte: 3 } }));
    await go(`documents/book?filter=${filter}&sort=-pages&fields=title,pages`);
    await page.getByText('4 documents').waitFor();
    await menu('Views').click();
    await item('Save as a new view').click();
    await dialog().getByLabel('Title').fill('Long <b>books');
    await dialog()
      .getByLabel(/^Share with all/)
      .check();
    expect(await violationsOf(page)).toEqual([]);
    await dialog().getByRole('button', { name: 'Save' }).click();
    await menu('View: Long <b>books').waitFor();
    const { rows } = await server.as('root', 'GET', '/views');
    expect(rows).toMatchObject([
      { model: 'book', filter: { pages: { $gte: 3 } }, sort: '-pages', fields: ['title', 'pages'], shared: true },
    ]);
  });

  test('it is opened from the table, and keeps what has changed', async () => {
    await go('documents/book');
    await page.getByText('6 documents').waitFor();
    await menu('Views').click();
    await item('Long <b>books').click();
    await page.getByText('4 documents').waitFor();
    await page.locator('th[aria-sort="descending"]').filter({ hasText: 'Pages' }).waitFor();
    await page.getByRole('button', { name: 'Remove: Pages is at least 3' }).click();
    await page.getByText('6 documents').waitFor();
    await menu('View: Long <b>books').click();
    await noticed(page, 'has what the table shows', () => item('Save the changes').click());
    expect((await server.as('root', 'GET', '/views')).rows).toMatchObject([{ filter: null, sort: '-pages' }]);
  });

  test('others open a shared view, and do not change it', async () => {
    const { page: other } = await open(server.url);
    await signIn(other, server.url, 'eve', '#/documents/book');
    await other.getByRole('button', { name: 'Views', exact: true }).click();
    await other.getByText('Shared by others').waitFor();
    await other.getByRole('menuitem', { name: 'Long <b>books' }).click();
    await other.getByRole('button', { name: 'View: Long <b>books' }).click();
    await other.getByRole('menuitem', { name: 'Save as a new view' }).waitFor();
    expect(await other.getByRole('menuitem', { name: 'Rename or share' }).count()).toBe(0);
    await other.context().close();
  });

  test('it is on the home page, and found by the search over all models', async () => {
    await go('');
    await page.getByRole('region', { name: 'Views' }).getByRole('link', { name: 'Long <b>books' }).click();
    await menu('View: Long <b>books').waitFor();
    await go('live');
    await page.getByRole('heading', { name: 'Live events' }).waitFor();
    await page.keyboard.press('/');
    await dialog().getByRole('combobox').fill('LONG <b');
    const found = dialog().getByRole('group', { name: 'Views' }).getByRole('option');
    await found.filter({ hasText: 'Long <b>books' }).getByText('Books', { exact: true }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await menu('View: Long <b>books').waitFor();
  });

  test('it is renamed and removed by its owner', async () => {
    await menu('View: Long <b>books').click();
    await item('Rename or share').click();
    await dialog().getByLabel('Title').fill('All by length');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await menu('View: All by length').click();
    await item('Remove').click();
    await dialog().getByText('Others lose the view, too.').waitFor();
    await noticed(page, 'The view is removed.', () => dialog().getByRole('button', { name: 'Remove' }).click());
    await menu('Views').waitFor();
    expect((await server.as('root', 'GET', '/views')).rows).toEqual([]);
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
