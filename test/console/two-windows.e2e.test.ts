/** Two users of the same documents: each sees the changes of the other, and neither overwrites them, not even by an undo. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn, watching } from './library.ts';
import { noticed, undo } from './notices.ts';
import { useBrowser, violationsInThemes } from './window.ts';

inBrowser('two windows of the console (needs /usr/bin/chromium)', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let root: Page;
  let eve: Page;
  const faults: string[][] = [];
  beforeAll(async () => {
    server = await openLibrary();
    await server.as('root', 'PUT', `/api/user/${server.callers.eve.user_id}`, { body: { admin: true } });
    const window = async (person: 'root' | 'eve'): Promise<Page> => {
      const opened = await open(server.url);
      faults.push(opened.faults);
      await signIn(opened.page, server.url, person);
      return opened.page;
    };
    [root, eve] = await Promise.all([window('root'), window('eve')]);
  });

  const book = async (title: string): Promise<string> => String((await fill(server, 'book', [{ title, pages: 1 }]))[0]);
  const stored = async (id: string) => (await server.as('root', 'GET', `/api/book/${id}`)).document;
  const visit = async (page: Page, view: string): Promise<void> => {
    // a change of the hash alone would keep the notices of the test before, with their undo
    await page.goto('about:blank');
    await page.goto(`${server.url}/console#/${view}`);
  };
  const set = async (page: Page, field: string, value: string): Promise<void> => {
    await page.getByLabel(field).fill(value);
    await noticed(page, 'Saved.', () => page.getByRole('button', { name: 'Save', exact: true }).click());
  };
  const versions = () => root.getByRole('region', { name: 'eve has changed this document' });
  const choice = (field: string) => versions().getByRole('radiogroup', { name: field });

  test('a change of one user appears in the table of the other, and flashes', async () => {
    const id = await book('Shared');
    await visit(root, `documents/book?filter=${encodeURIComponent('{"title":{"$regex":"^Shared"}}')}`);
    await root.getByRole('link', { name: 'Shared', exact: true }).waitFor();
    // earlier flashes have ended by then
    await root.locator('tr.flash').first().waitFor({ state: 'detached' });
    await visit(eve, `documents/book/${id}`);
    // what flashes for a moment may have ended before this process looks
    await root.evaluate(`{
      window.flashed = [];
      const look = () => document.querySelectorAll('tr.flash').forEach((row) => window.flashed.push(row.textContent));
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    }`);
    await set(eve, 'title', 'Shared and changed');
    await until(() => root.evaluate<boolean>("window.flashed.some((text) => text.includes('Shared and changed'))"));
  });

  test('a user without unsaved changes sees the new version at once', async () => {
    const id = await book('Fresh');
    await Promise.all([root, eve].map((page) => visit(page, `documents/book/${id}`)));
    await root.getByLabel('title').waitFor();
    await set(eve, 'pages', '77');
    await root.getByRole('textbox', { name: 'pages' }).and(root.locator('[value="77"]')).waitFor();
  });

  test('of two users who save, the second is shown both versions in words, and takes the other one', async () => {
    const id = await book('Fought over');
    const watched = watching(root, id);
    await Promise.all([root, eve].map((page) => visit(page, `documents/book/${id}`)));
    await root.getByLabel('title').fill('Mine');
    await watched;
    await set(eve, 'title', 'Theirs');
    await root.getByText('eve changed this document while you were editing it.').waitFor();
    await root.getByRole('button', { name: 'Save', exact: true }).click();
    await choice('Title').waitFor();
    expect(await choice('Title').getByRole('listitem').allTextContents()).toEqual([
      'changed Title from “Fought over” to “Mine”',
      'changed Title from “Fought over” to “Theirs”',
    ]);
    expect((await stored(id))['title']).toBe('Theirs');
    await root.getByRole('button', { name: 'Take theirs' }).click();
    await root.getByRole('textbox', { name: 'title' }).and(root.locator('[value="Theirs"]')).waitFor();
  });

  test('of each field that both have changed, one version is chosen by keys; what one of them has changed stays', async () => {
    const [ada, bob, cid] = await fill(
      server,
      'author',
      ['Ada', 'Bob', '<i>Cid'].map((name) => ({ name })),
    );
    const released = '1926-05-01T00:00:00.000Z';
    const values = { title: 'Merged', pages: 1, kind: 'novel', author_id: ada, released, tags: ['a', 'b'], lent: true };
    const [id = ''] = await fill(server, 'book', [values]);
    const watched = watching(root, id);
    await visit(root, `documents/book/${id}`);
    await watched;
    await root.getByLabel('title').fill('Mine');
    await root.getByLabel('pages').fill('2');
    await root.getByLabel('Kind').selectOption('essay');
    await root.getByRole('combobox', { name: 'Author' }).fill('Bob');
    await root.getByRole('option', { name: 'Bob' }).click();
    const theirs = {
      title: 'Theirs',
      kind: null,
      author_id: cid,
      released: '1927-05-01T00:00:00.000Z',
      tags: ['b', 'c'],
    };
    await server.as('eve', 'PUT', `/api/book/${id}`, { body: theirs });
    await root.getByText('eve changed this document while you were editing it.').waitFor();
    await root.keyboard.press('Control+s');
    await choice('Author').getByText('<i>Cid').waitFor();
    const lines = (part: Locator): Promise<string[]> => part.getByRole('listitem').allTextContents();
    expect(await lines(choice('Kind'))).toEqual(['changed Kind from novel to essay', 'removed Kind, which was novel']);
    expect(await lines(choice('Author'))).toEqual([
      'changed Author from Ada to Bob',
      'changed Author from Ada to <i>Cid',
    ]);
    expect(await lines(versions().getByRole('region', { name: 'Changed by you alone' }))).toEqual([
      'changed Pages from 1 to 2',
    ]);
    expect(await lines(versions().getByRole('region', { name: 'Changed by them alone, and kept' }))).toEqual([
      'changed Released from May 1, 1926 to May 1, 1927',
      'Tags: added “c”; removed “a”',
    ]);
    expect(await violationsInThemes(root)).toEqual([]);
    // the versions have the focus, and the choice of the first field is next
    expect(await versions().evaluate((one) => one.matches(':focus'))).toBe(true);
    await root.keyboard.press('Tab');
    await root.keyboard.press('ArrowDown');
    expect(await choice('Title').getByRole('radio', { name: 'Theirs' }).isChecked()).toBe(true);
    await noticed(root, 'Saved.', () => root.keyboard.press('Control+s'));
    await versions().waitFor({ state: 'detached' });
    expect(await stored(id)).toMatchObject({ ...theirs, pages: 2, kind: 'essay', author_id: bob });
  });

  test('an undo keeps what another user has changed since', async () => {
    const id = await book('Undone');
    await visit(root, `documents/book/${id}`);
    await root.getByLabel('title').fill('First');
    await set(root, 'pages', '2');
    await server.as('eve', 'PUT', `/api/book/${id}`, { body: { title: 'Second' } });
    await undo(root, '1 of 1 documents were changed since, and stay as they are.');
    expect(await stored(id)).toMatchObject({ title: 'Second', pages: 2 });
  });

  test('an undo keeps changes of other fields', async () => {
    const id = await book('Half undone');
    await visit(root, `documents/book/${id}`);
    await set(root, 'pages', '3');
    await server.as('eve', 'PUT', `/api/book/${id}`, { body: { title: 'Others' } });
    await undo(root);
    expect(await stored(id)).toMatchObject({ title: 'Others', pages: 1 });
  });

  test('the undo of a creation deletes the document, unless another user has changed it', async () => {
    for (const isChanged of [false, true]) {
      await visit(root, 'documents/book/new');
      await root.getByLabel('title').fill(`New ${isChanged}`);
      await noticed(root, 'Created.', () => root.getByRole('button', { name: 'Create' }).click());
      await root.getByRole('heading', { name: `New ${isChanged}` }).waitFor();
      const id = root.url().split('/').at(-1) ?? '';
      if (isChanged) await server.as('eve', 'PUT', `/api/book/${id}`, { body: { pages: 9 } });
      await undo(root, isChanged ? 'This did not work' : 'Undone.');
      expect((await server.as('root', 'GET', `/api/book/${id}`)).status).toBe(isChanged ? 200 : 404);
    }
  });

  test('the undo of a restore deletes the documents again', async () => {
    const id = await book('Back and forth');
    await server.as('root', 'DELETE', `/api/book/${id}`);
    await visit(root, `documents/book/${id}`);
    await noticed(root, 'The document is restored.', () => root.getByRole('button', { name: 'Restore' }).click());
    await undo(root);
    await root.getByText('This document is deleted.').waitFor();
    expect((await server.as('root', 'GET', `/api/book/${id}`)).status).toBe(404);
  });

  test('the undo of a bulk change skips documents whose field has changed since', async () => {
    const ids = [await book('Many 1'), await book('Many 2'), await book('Many 3')];
    await visit(root, `documents/book?filter=${encodeURIComponent('{"title":{"$regex":"^Many"}}')}`);
    await root.getByText('3 documents').waitFor();
    await root.getByLabel('Choose all documents of this page').check();
    await root.getByRole('button', { name: 'Change a field' }).click();
    await root.getByRole('dialog').getByLabel('Field').selectOption('pages');
    await root.getByRole('dialog').getByLabel('New value').fill('50');
    await noticed(root, 'pages of 3 documents changed.', () =>
      root.getByRole('dialog').getByRole('button', { name: 'Change', exact: true }).click(),
    );
    await server.as('eve', 'PUT', `/api/book/${ids[1]}`, { body: { pages: 60 } });
    await undo(root, '1 of 3 documents were changed since, and stay as they are.');
    expect(await Promise.all(ids.map(async (id) => (await stored(id))['pages']))).toEqual([1, 60, 1]);
  });

  test('the pages have no errors', () => {
    expect(faults).toEqual([[], []]);
  });
});
