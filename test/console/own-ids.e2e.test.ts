/** The console over documents with ids of their own: lists, addresses, forms and links. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser } from './window.ts';

const id = ' a/b %2F?x=1&y#é 😀..';

inBrowser('documents with ids of their own', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openPeople(['root'], {
      max_sessions: 20,
      models: {
        word: ({ Schema }) => new Schema({ _id: String, title: String }, { perms: { admin: 'crud' } }),
        count: ({ Schema }) =>
          new Schema(
            {
              _id: Number,
              title: String,
              word_id: { type: String, link: 'word' },
              next_id: { type: Number, link: 'count' },
            },
            { perms: { admin: 'crud' } },
          ),
      },
    });
    const { root } = server.callers;
    await server.post('/api/word', { _id: id, title: 'Odd' }, root);
    await server.post('/api/word', { _id: 'new', title: 'Young' }, root);
    await server.post('/api/count', { _id: 7, title: 'Seven', word_id: id }, root);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const read = async (path: string): Promise<unknown> => (await server.get(path, server.callers.root)).document;

  test('a list leads to the document of any id, and it is saved', async () => {
    await go('documents/word');
    await page.getByRole('link', { name: /^Odd/ }).click();
    const title = page.getByRole('textbox', { name: 'title' });
    await title.waitFor();
    expect(new URLSearchParams(page.url().split('?')[1]).get('open')).toBe(id);
    await page.getByRole('link', { name: 'Open as page' }).click();
    await page.getByRole('link', { name: 'All word' }).waitFor();
    expect(decodeURIComponent(page.url().split('/').at(-1) ?? '')).toBe(id);
    await title.fill('Odder');
    await noticed(page, 'Saved.', () => page.getByRole('button', { name: 'Save' }).click());
    expect(await read(`/api/word/${encodeURIComponent(id)}`)).toMatchObject({ _id: id, title: 'Odder' });
  });
  test('a link leads from one document to another', async () => {
    await go('documents/count');
    await page.getByRole('link', { name: 'Odder', exact: true }).click();
    await page.getByRole('textbox', { name: 'title' }).waitFor();
    expect(decodeURIComponent(page.url().split('/').at(-1) ?? '')).toBe(id);
  });
  test('a document may have the id of the form for new ones', async () => {
    await go('documents/word');
    await page.getByRole('link', { name: /^Young/ }).click();
    await page.getByRole('button', { name: 'Save' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'title' }).inputValue()).toBe('Young');
  });
  test('a new document has its id in the form, and links to a number', async () => {
    await go('documents/count/new');
    await page.getByRole('textbox', { name: 'ID', exact: true }).fill('8');
    await page.getByRole('textbox', { name: 'title' }).fill('Eight');
    await page.getByRole('combobox', { name: 'Next' }).fill('Sev');
    await page.getByRole('option', { name: 'Seven' }).click();
    await noticed(page, 'Created.', () => page.getByRole('button', { name: 'Create' }).click());
    expect(await read('/api/count/8')).toMatchObject({ _id: 8, title: 'Eight', next_id: 7 });
    expect(faults).toEqual([]);
  });
});
