/** What people do with documents in the console: find, edit, resolve a conflict, delete and restore, change many, link, watch. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser } from './window.ts';

inBrowser('tasks in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let ids: readonly string[];
  beforeAll(async () => {
    server = await openLibrary();
    const [author] = await fill(server, 'author', [{ name: 'Ursula' }, { name: 'Jorge' }]);
    const books = Array.from({ length: 60 }, (_, at) => ({
      title: `Book ${String(at).padStart(2, '0')}`,
      pages: at + 1,
      author_id: author,
    }));
    ids = await fill(server, 'book', books);
    const opened = await open(server.url);
    ({ page, faults } = opened);
    await signIn(page, server.url, 'root');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const rows = () => page.getByRole('region', { name: 'Documents of book' }).getByRole('link', { name: /^Book/ });
  const stored = async (id: string | undefined): Promise<Readonly<Record<string, unknown>>> =>
    (await server.as('root', 'GET', `/api/book/${id}`)).document;

  test('find: pages, order, search and a filter, which the address keeps', async () => {
    await go('documents/book');
    await page.getByText('60 documents').waitFor();
    await page.getByRole('link', { name: 'Book 00' }).waitFor();
    expect(await rows().count()).toBe(50);
    await page.keyboard.press('j');
    await page.getByRole('link', { name: 'Book 59' }).waitFor();
    expect(await rows().count()).toBe(10);
    await page.getByRole('button', { name: 'Pages', exact: true }).click();
    await page.locator('th[aria-sort="ascending"]').getByRole('button', { name: 'Pages' }).click();
    await page.locator('th[aria-sort="descending"]').getByRole('button', { name: 'Pages' }).waitFor();
    await page.getByRole('link', { name: 'Book 59' }).waitFor();
    expect(await rows().first().textContent()).toBe('Book 59');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Field').selectOption('pages');
    await page.getByLabel('Operator').selectOption({ label: 'is at most' });
    await page.getByLabel('Value').fill('3');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('3 documents').waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Pages is at most 3', exact: true }).waitFor();
    await page.getByText('3 documents').waitFor();
    await page.keyboard.press('s');
    await page.keyboard.type('Book 01');
    await page.getByText('1 document', { exact: true }).waitFor();
    expect(page.url()).toContain('search=Book');
  });

  test('edit: faults are shown at their fields, correct values are saved, and an undo restores the old ones', async () => {
    await go(`documents/book/${ids[5]}`);
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') sent.push(request.url());
    });
    const described = page.getByLabel('pages').and(page.getByRole('textbox', { description: /At least 1/ }));
    await page.getByLabel('pages').fill('0');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await described.and(page.getByRole('textbox', { description: /Pages must be at least 1, got 0/ })).waitFor();
    expect(sent).toEqual([]);
    await page.getByLabel('pages').fill('many');
    await page.getByRole('button', { name: 'Save' }).click();
    await described.and(page.getByRole('textbox', { description: /must be a finite number/ })).waitFor();
    expect(sent).toHaveLength(1);
    await page.getByLabel('pages').fill('321');
    await page.getByLabel('kind').selectOption('essay');
    await page.getByLabel('city').fill('Oslo');
    await page.keyboard.press('Control+s');
    await page.getByText('Saved.').waitFor();
    expect(await stored(ids[5])).toMatchObject({ pages: 321, kind: 'essay', address: { city: 'Oslo' } });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').waitFor();
    const { pages, kind } = await stored(ids[5]);
    expect([pages, kind]).toEqual([6, undefined]);
  });

  test('create: lists, members, a link found by its title', async () => {
    await go('documents/book/new');
    await page.getByLabel('title').fill('Made here');
    await page.getByRole('combobox', { name: 'Author' }).fill('Jorg');
    await page.getByRole('option', { name: 'Jorge' }).click();
    for (const tag of ['one', 'two']) {
      await page.getByRole('combobox', { name: 'Tags', exact: true }).fill(tag);
      await page.keyboard.press('Enter');
    }
    await page.getByRole('button', { name: 'Change the order of tags' }).click();
    await page.getByRole('button', { name: 'Move tags 2 up' }).click();
    await page.getByRole('button', { name: 'Add to parts' }).click();
    await page.getByLabel('label').fill('first');
    await page.getByLabel('released').fill('2020-02-29T12:30');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Made here' }).waitFor();
    const made = await stored(page.url().split('/').at(-1));
    const [author] = (await server.as('root', 'GET', '/api/author?filter[name]=Jorge')).rows;
    expect(made).toMatchObject({ tags: ['two', 'one'], parts: [{ label: 'first' }], author_id: author?.['_id'] });
    expect(made['released']).toMatch(/^2020-02-29T/);
    await page.getByRole('tab', { name: 'Raw' }).click();
    await page.getByText('curl -H').waitFor();
    await go(`documents/author/${String(author?.['_id'])}?tab=links`);
    await page.getByRole('link', { name: '1 document' }).click();
    await page.getByRole('link', { name: 'Made here' }).waitFor();
  });

  test('conflict: both versions are shown side by side, and nothing is overwritten without confirmation', async () => {
    await go(`documents/book/${ids[7]}`);
    await page.getByLabel('title').fill('Mine');
    await server.as('root', 'PUT', `/api/book/${ids[7]}`, { body: { title: 'Theirs' } });
    await page.getByText('Someone changed this document while you were editing it.').waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    const versions = page.getByRole('region', { name: 'Both versions' });
    await versions.waitFor();
    expect(await versions.getByRole('row', { name: 'title' }).getByRole('cell').allTextContents()).toEqual([
      'Book 07',
      'Theirs',
      'Mine',
    ]);
    expect((await stored(ids[7]))['title']).toBe('Theirs');
    await page.getByRole('button', { name: 'Save mine over theirs' }).click();
    await page.getByText('Saved.').last().waitFor();
    expect((await stored(ids[7]))['title']).toBe('Mine');
  });

  test('delete, restore, remove permanently', async () => {
    await go(`documents/book?filter=${encodeURIComponent('{"title":"Book 10"}')}`);
    await page.getByLabel('Choose Book 10').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No documents.').waitFor();
    await page.getByLabel('Deleted documents').selectOption('only');
    await page.getByLabel('Choose Book 10').check();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('1 document restored.').waitFor();
    expect((await stored(ids[10]))['_deleted']).toBe(false);
    await server.as('root', 'DELETE', `/api/book/${ids[10]}`);
    await page.getByLabel('Choose Book 10').check();
    await page.getByRole('button', { name: 'Remove permanently' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove permanently' }).click();
    await page.getByText('1 document removed permanently.').waitFor();
    const { rows: left } = await server.as('root', 'GET', `/api/book?filter[_id]=${ids[10]}&showDeleted=true`);
    expect(left).toEqual([]);
  });

  test('change a field of many, and undo it', async () => {
    await go(`documents/book?filter=${encodeURIComponent('{"pages":{"$gte":21,"$lte":23}}')}`);
    await page.getByText('3 documents').waitFor();
    await page.getByLabel('Choose all documents of this page').check();
    await page.getByRole('button', { name: 'Change a field' }).click();
    await page.getByRole('dialog').getByLabel('Field').selectOption('kind');
    await page.getByRole('dialog').getByLabel('New value').selectOption('novel');
    await page.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click();
    await page.getByText('kind of 3 documents changed.').waitFor();
    const count = async (): Promise<unknown> =>
      (await server.as('root', 'GET', '/count/book?filter[kind]=novel')).body['count'];
    expect(await count()).toBe(3);
    await page.getByRole('alert').filter({ hasText: 'kind of 3' }).getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Undone.').last().waitFor();
    expect(await count()).toBe(0);
  });

  test('watch: changes of other callers appear, and are highlighted', async () => {
    await go(`documents/book?filter=${encodeURIComponent('{"title":"Seen live"}')}`);
    await page.getByText('No documents.').waitFor();
    const [id] = await fill(server, 'book', [{ title: 'Seen live', pages: 1 }]);
    await page.locator('tr.flash').getByRole('link', { name: 'Seen live' }).waitFor();
    await server.as('root', 'PUT', `/api/book/${id}`, { body: { pages: 777 } });
    await page.getByRole('cell', { name: '777' }).waitFor();
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
