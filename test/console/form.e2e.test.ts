/** The form of a document: what it checks, how it is read, and what a reload leaves of it. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('the form of a document', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: readonly string[];
  let sent: string[];
  let id = '';

  beforeAll(async () => {
    server = await openLibrary();
    const [author = ''] = await fill(server, 'author', [{ name: 'Ada <b>' }]);
    [id = ''] = await fill(server, 'book', [
      { title: 'First', lent: true, author_id: author, tags: ['a', 'b,c'], extra: { free: ['form'] }, pages: 3 },
    ]);
    ({ page, faults } = await open(server.url, { viewport: { width: 1280, height: 420 } }));
    page.on('dialog', (dialog) => void dialog.accept());
    page.on('request', (request) => {
      if (['POST', 'PATCH'].includes(request.method()) && request.url().includes('/api/')) sent.push(request.method());
    });
    await signIn(page, server.url, 'root', '#/documents/book');
  });
  afterAll(async () => {
    expect(faults).toEqual([]);
    await server.close();
  });

  const go = async (view: string): Promise<void> => {
    // the address behind # alone would keep the page
    await page.goto('about:blank');
    sent = [];
    await page.goto(`${server.url}/console#/${view}`);
  };
  const stored = async (): Promise<Readonly<Record<string, unknown>>> =>
    (await server.as('root', 'GET', `/api/book/${id}`)).document;
  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const isInSight = async (one: Locator): Promise<boolean> => {
    const box = await one.boundingBox();
    return box !== null && box.y >= 0 && box.y + box.height <= 420;
  };
  const hasFocus = (one: Locator): Promise<boolean> => one.evaluate((element) => element.matches(':focus'));

  test('it asks for what is required before the server is asked, and has the first fault in focus', async () => {
    await go('documents/book/new');
    await page.getByLabel('pages').fill('0');
    await button('Create').click();
    const title = page.getByRole('textbox', { name: 'Title', description: /Title is required/ });
    await title.waitFor();
    await until(() => hasFocus(title));
    expect(await isInSight(title)).toBe(true);
    await page.getByText('Some values are not accepted.').waitFor();
    await page.getByLabel('pages').fill('1');
    await button('Create').click();
    expect(sent).toEqual([]);
    await page.getByText('Required values are missing.').waitFor();
    // hooks of a model may set it: the server has the last word
    await button('Create').click();
    await page.getByRole('textbox', { name: 'Title', description: /required/i }).waitFor();
    await until(() => sent.length === 1);
    expect(await violationsOf(page)).toEqual([]);
    await title.fill('Made');
    await button('Create').click();
    await page.getByRole('heading', { name: 'Made' }).waitFor();
  });

  test('it has its title and its button in sight, wherever it is scrolled', async () => {
    await go(`documents/book/${id}`);
    const heading = page.getByRole('heading', { level: 1 });
    for (const field of ['Street', 'Title']) {
      await page.getByRole('textbox', { name: field }).focus();
      expect([await isInSight(heading), await isInSight(button('Save'))]).toEqual([true, true]);
    }
    expect(await violationsOf(page)).toEqual([]);
  });

  test('it switches between yes and no, and clears; chips are added, removed and moved', async () => {
    await go(`documents/book/${id}`);
    const lent = page.getByRole('switch', { name: 'Lent' });
    await lent.waitFor();
    expect(await lent.isChecked()).toBe(true);
    await lent.press('Space');
    const tags = page.getByRole('combobox', { name: 'Tags' });
    await tags.fill('<i>x</i>');
    await tags.press('Enter');
    await button('Change the order of Tags').click();
    await button('Move Tags 3 up').click();
    await button('Done').click();
    await tags.press('Backspace');
    await noticed(page, 'Saved.', () => button('Save').click());
    expect(await stored()).toMatchObject({ lent: false, tags: ['a', '<i>x</i>'] });
    await button('Clear Lent').click();
    await page.getByText('Not set').waitFor();
    await button('Save').click();
    await until(async () => (await stored())['lent'] === undefined);
  });

  test('it is text for callers who change nothing, with links and in full', async () => {
    const { page: plain, faults: other } = await open(server.url);
    await signIn(plain, server.url, 'eve', `#/documents/book/${id}`);
    const value = (name: string) => plain.getByRole('group', { name, exact: true });
    await value('Title').getByText('First').waitFor();
    await value('Author').getByRole('link', { name: 'Ada <b>' }).waitFor();
    await value('Extra').getByText('"form"').waitFor();
    expect(await plain.getByRole('main').locator('input, textarea, select').count()).toBe(0);
    expect(await violationsOf(plain)).toEqual([]);
    expect(other).toEqual([]);
  });

  const reload = async (): Promise<void> => {
    await page.reload();
    await page.getByText('Your changes that are not saved yet are here again.').waitFor();
  };
  const kept = (): Promise<string> => page.evaluate<string>('JSON.stringify(Object.keys(sessionStorage))');

  test('edits that are not saved survive a reload, and are gone when they are saved or discarded', async () => {
    await go(`documents/book/${id}`);
    await page.getByLabel('title').fill('Kept');
    await page.getByLabel('city').fill('Oslo');
    await reload();
    expect(await violationsOf(page)).toEqual([]);
    await button('Discard them').click();
    expect(await page.getByLabel('title').inputValue()).toBe('First');
    expect(await kept()).not.toContain('dossier.draft');
    await page.getByLabel('title').fill('Second');
    await reload();
    await noticed(page, 'Saved.', () => button('Save').click());
    expect((await stored())['title']).toBe('Second');
    await until(async () => !(await kept()).includes('dossier.draft'));
  });

  test('edits of a new document survive a reload', async () => {
    await go('documents/book/new');
    await page.getByLabel('title').fill('New one');
    await reload();
    expect(await page.getByLabel('title').inputValue()).toBe('New one');
    await button('Discard them').click();
    expect(await page.getByLabel('title').inputValue()).toBe('');
  });

  test('what is typed while other edits are saved stays, and is saved after them', async () => {
    await go(`documents/book/${id}`);
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    await page.route(/\/api\/book\//, async (route) => {
      if (route.request().method() === 'PATCH') await released;
      await route.continue();
    });
    await page.getByLabel('title').fill('Sent');
    const sending = page.waitForRequest((request) => request.method() === 'PATCH');
    await button('Save').click();
    await sending;
    await page.getByLabel('city').fill('Bergen');
    await noticed(page, 'Saved.', () => Promise.resolve(release()));
    expect([await page.getByLabel('title').inputValue(), (await stored())['title']]).toEqual(['Sent', 'Sent']);
    expect(await page.getByLabel('city').inputValue()).toBe('Bergen');
    await page.unroute(/\/api\/book\//);
    await noticed(page, 'Saved.', () => button('Save').click());
    expect(await stored()).toMatchObject({ title: 'Sent', address: { city: 'Bergen' } });
  });

  test('edits from before a reload are shown beside a change that another user has made meanwhile', async () => {
    const before = String((await stored())['title']);
    await go(`documents/book/${id}`);
    await page.getByLabel('title').fill('Mine');
    await page.getByLabel('Title').press('Tab');
    await until(async () => (await kept()).includes('dossier.draft'));
    await page.goto('about:blank');
    await server.as('root', 'PUT', `/api/book/${id}`, { body: { title: 'Theirs' } });
    await page.goto(`${server.url}/console#/documents/book/${id}`);
    const versions = page.getByRole('region', { name: 'root has changed this document' });
    await versions.getByText(`from “${before}” to “Theirs”`).waitFor();
    await page.reload();
    await versions.getByText(`from “${before}” to “Mine”`).waitFor();
    expect((await stored())['title']).toBe('Theirs');
    await button('Merge and save').click();
    await until(async () => (await stored())['title'] === 'Mine');
  });
});
