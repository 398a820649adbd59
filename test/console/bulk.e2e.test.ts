/** Changes of many documents in the console: all that match, those that are refused, and emptying a field. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { noticed, undo } from './notices.ts';
import { useBrowser, violationsInThemes } from './window.ts';

inBrowser('many documents of the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      models: {
        item: ({ Schema }) =>
          new Schema(
            {
              name: { type: String, required: true },
              state: { type: String, enum: ['in stock', 'on loan'] },
              note: String,
            },
            {
              perms: { admin: 'crud', all: 'crd', user: { u: { where: { state: 'in stock' } } } },
            },
          ),
      },
    });
    const items = Array.from({ length: 230 }, (_, at) => ({
      name: `Item ${String(at).padStart(3, '0')}`,
      state: at === 1 ? 'on loan' : 'in stock',
      note: at < 3 ? 'three' : 'other',
    }));
    await server.as('root', 'POST', '/setup/data', { body: { item: items } });
    const opened = await open(server.url);
    ({ page, faults } = opened);
    await signIn(page, server.url, 'eve');
  });

  const visit = async (filter?: object): Promise<void> => {
    await page.goto('about:blank');
    const query = filter === undefined ? '' : `?filter=${encodeURIComponent(JSON.stringify(filter))}`;
    await page.goto(`${server.url}/console#/documents/item${query}`);
    await page.getByLabel('Choose all documents of this page').check();
  };
  const count = async (filter: object) =>
    Number(
      (await server.as('root', 'POST', '/query/item?count=exact&limit=1', { body: { query: filter } })).body['count'],
    );
  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const dialog = (name: string | RegExp) => page.getByRole('dialog', { name });
  const change = async (field: string, value?: string): Promise<void> => {
    await button('Change a field').click();
    const form = dialog(/^Change a field of/);
    await form.getByLabel('Field').selectOption(field);
    if (value !== undefined) await form.getByLabel('New value').fill(value);
    await form.getByRole('button', { name: 'Change', exact: true }).click();
  };

  test('a document that is refused is named, and the others are changed on request', async () => {
    await visit({ note: 'three' });
    await change('note', 'changed');
    const asked = dialog('One is refused');
    await asked.getByText('Item 001').waitFor();
    await asked.getByText('Nothing has been written.').waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await asked.getByRole('button', { name: 'Cancel' }).click();
    // the form still has its value
    expect(
      await dialog(/^Change a field of/)
        .getByLabel('New value')
        .inputValue(),
    ).toBe('changed');
    expect(await count({ note: 'changed' })).toBe(0);
    await dialog(/^Change a field of/)
      .getByRole('button', { name: 'Change', exact: true })
      .click();
    await noticed(page, 'Note of 2 documents changed.', () => button('Go on with the others').click());
    await dialog('Not all are written').getByText('Item 001').waitFor();
    await dialog('Not all are written').getByRole('button', { name: 'Close' }).click();
    expect([await count({ note: 'changed' }), await count({ note: 'three' })]).toEqual([2, 1]);
    await undo(page);
    expect(await count({ note: 'three' })).toBe(3);
  });

  test('an empty value is asked about', async () => {
    await visit({ note: 'three', state: 'in stock' });
    await change('note');
    const form = dialog(/^Change a field of 2 documents/);
    await form.getByText('Note of 2 documents will be emptied.').waitFor();
    expect(await count({ note: 'three' })).toBe(3);
    await noticed(page, 'Note of 2 documents changed.', () => form.getByRole('button', { name: 'Empty' }).click());
    expect(await count({ note: 'three' })).toBe(1);
    await undo(page);
    expect(await count({ note: 'three' })).toBe(3);
  });

  test('all that match are chosen, changed and restored, not only those of the page', async () => {
    await visit({ state: 'in stock' });
    await page.getByText('50 documents chosen').waitFor();
    await button('Choose all 229 that match').click();
    await page.getByText('All 229 documents chosen').waitFor();
    await change('note', 'of all');
    await page.getByText('Note of 229 documents changed.').waitFor();
    expect(await count({ note: 'of all' })).toBe(229);
    await undo(page);
    expect([await count({ note: 'of all' }), await count({ note: 'three' })]).toEqual([0, 3]);
  });

  test('another filter begins without a choice, and the page stays where it is after a bulk action', async () => {
    await visit({ state: 'in stock' });
    await page.getByRole('textbox', { name: 'Search' }).fill('Item 00');
    await page.getByText('9 documents', { exact: true }).waitFor();
    expect(await page.getByText('chosen').count()).toBe(0);
    await page.getByRole('textbox', { name: 'Search' }).fill('');
    await page.getByText('229 documents', { exact: true }).waitFor();
    await page.getByLabel('Choose Item 000').check();
    await noticed(page, '1 document deleted.', () => button('Delete').click());
    await undo(page);
    await expect(page.evaluate('window.scrollY')).resolves.toBe(0);
  });

  test('the trash shows when a document was deleted and by whom, and has neither a new document nor an import', async () => {
    const { rows } = await server.as('root', 'GET', '/api/item?filter[name]=Item 229');
    await server.as('root', 'DELETE', `/api/item/${String(rows[0]?.['_id'])}`);
    await page.goto(`${server.url}/console#/documents/item?deleted=only`);
    await page.getByRole('heading', { name: 'Trash of Items' }).waitFor();
    const table = page.getByRole('region', { name: 'Documents of Items' });
    const row = table.getByRole('row', { name: /Item 229/ });
    await row.getByText('root', { exact: true }).waitFor();
    expect((await table.getByRole('columnheader').allTextContents()).slice(0, 4)).toEqual([
      '',
      'Name',
      'Deleted',
      'Deleted by',
    ]);
    await row.locator('time').first().waitFor();
    expect(await page.getByRole('link', { name: /^(New|Import)$/ }).count()).toBe(0);
    expect(await violationsInThemes(page)).toEqual([]);
    const size = page.viewportSize();
    // as a row and as a card
    for (const shown of [row, page.getByRole('listitem').filter({ hasText: 'Item 229' })]) {
      await shown.locator('time').first().waitFor();
      expect([await isStruck(shown.getByText('Item 229')), await isStruck(shown.locator('time').first())]).toEqual([
        true,
        false,
      ]);
      await page.setViewportSize({ width: 360, height: 740 });
    }
    if (size !== null) await page.setViewportSize(size);
  });

  /** Whether a text is struck through, by what contains it too. */
  const isStruck = async (one: Locator): Promise<boolean> => {
    const lines = await one
      .locator('xpath=ancestor-or-self::*')
      .evaluateAll((all) =>
        all.map((each) => each.ownerDocument.defaultView?.getComputedStyle(each).textDecorationLine),
      );
    return lines.includes('line-through');
  };

  test('the pages have no errors', () => {
    expect(faults).toEqual([]);
  });
});
