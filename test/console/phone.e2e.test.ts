/** The console on a phone: nothing scrolls sideways, documents are cards, tables are lists, the navigation is a drawer, dialogs fill the screen. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { allViews, openView } from './all-views.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { closeNotices, noticed, undo } from './notices.ts';
import { useBrowser, type Window } from './window.ts';

inBrowser('the console on a phone', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let phone: Window;
  let page: Page;
  let ids: Record<string, string>;
  beforeAll(async () => {
    server = await openLibrary();
    const [author] = await fill(server, 'author', [{ name: 'Ursula' }]);
    const document = { title: 'A book', pages: 10, kind: 'novel', tags: ['x', 'y'], author_id: author };
    const [book = ''] = await fill(server, 'book', [
      document,
      { title: 'Second', pages: 20, parts: [{ label: 'p', length: 2 }] },
      { title: 'Third', released: new Date(0) },
    ]);
    ids = { book, eve: server.callers.eve.user_id };
    phone = await open(server.url, { viewport: { width: 390, height: 844 } });
    ({ page } = phone);
    await signIn(page, server.url, 'root');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const overflow = (): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
  const cards = () => page.getByRole('region', { name: 'Documents of book' }).getByRole('listitem');

  test.each(Object.entries(allViews))('nothing scrolls sideways: %s', async (_, view) => {
    await openView(page, `${server.url}/console`, view, ids);
    for (const viewport of [
      { width: 390, height: 844 },
      { width: 320, height: 640 },
    ]) {
      await page.setViewportSize(viewport);
      let over = 0;
      // the page is laid out again
      await until(
        async () => (over = await overflow()) === 0,
        () => `${over} pixels at ${viewport.width}`,
      );
    }
  });

  test('a card has a title, badges and a few values with their names, and opens its document', async () => {
    await go('documents/book');
    const card = cards().filter({ hasText: 'A book' });
    await card.getByText('novel').waitFor();
    const named = (name: string) => card.locator('dl > div').filter({ has: page.locator('dt', { hasText: name }) });
    expect(await named('Pages').locator('dd').textContent()).toBe('10');
    await named('Author').getByRole('link', { name: 'Ursula' }).waitFor();
    expect(await page.getByRole('columnheader').count()).toBe(0);
    await named('Pages').locator('dd').click();
    await page.getByRole('textbox', { name: 'Title' }).waitFor();
    await page.getByRole('button', { name: 'Close the document' }).click();
    await card.waitFor();
  });

  test('documents are chosen on their cards, one by one and all, and changed together', async () => {
    await go('documents/book');
    await page.getByRole('checkbox', { name: 'Choose Second' }).check();
    await page.getByText('1 document chosen').waitFor();
    await page.getByRole('checkbox', { name: 'Choose all documents of this page' }).check();
    await page.getByText('3 documents chosen').waitFor();
    await page.getByRole('button', { name: 'Change a field' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change a field of 3 documents' });
    await dialog.getByLabel('Field').selectOption('kind');
    await dialog.getByLabel('New value').selectOption('essay');
    await noticed(page, 'of 3 documents changed.', () =>
      dialog.getByRole('button', { name: 'Change', exact: true }).click(),
    );
    await undo(page);
  });

  test('a notice with an undo covers no button of the form', async () => {
    await go(`documents/book/${ids['book'] ?? ''}`);
    const title = page.getByRole('textbox', { name: 'Title', exact: true });
    const save = page.getByRole('button', { name: 'Save', exact: true });
    await title.fill('A book, again');
    await noticed(page, 'Saved.', () => save.click());
    await title.fill('A book');
    // it is pressed while the notice is there
    await save.click();
    const saved = page.locator('.mantine-Notification-root').filter({ hasText: 'Saved.' });
    await saved.nth(1).waitFor();
    await closeNotices(page);
    await until(() => page.evaluate<boolean>("document.documentElement.style.getPropertyValue('--notices') === ''"));
  });

  test('the order, the views and the columns are folded away until they are asked for', async () => {
    await go('documents/book');
    await cards().first().waitFor();
    expect(await page.getByRole('button', { name: 'Columns' }).count()).toBe(0);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('button', { name: 'Columns' }).waitFor();
    const widthOf = async (name: string) => (await page.getByRole('button', { name }).boundingBox())?.width ?? 0;
    await until(
      async () => (await widthOf('Columns')) > 240 && (await widthOf('Views')) === (await widthOf('Columns')),
    );
    await page.getByLabel('Order').selectOption({ label: 'Title, descending' });
    await cards().first().filter({ hasText: 'Third' }).waitFor();
    expect(page.url()).toContain('sort=-title');
    expect(await overflow()).toBe(0);
  });

  test('a dialog has the whole screen, and closing it gives the focus back', async () => {
    await go('documents/book');
    await cards().first().waitFor();
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('button', { name: 'Add a condition' }).click();
    const dialog = page.getByRole('dialog', { name: 'Filter Books' });
    const whole = { x: 0, y: 0, ...page.viewportSize() };
    await until(async () => isDeepStrictEqual(await dialog.boundingBox(), whole));
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: 'Filter' }).waitFor();
  });

  test('the navigation is a drawer, which a view that is chosen and Escape close', async () => {
    await go('');
    const button = page.getByRole('button', { name: 'Navigation' });
    const drawer = page.getByRole('dialog', { name: 'Navigation' });
    await button.click();
    await drawer.getByRole('link', { name: 'Books' }).click();
    await drawer.waitFor({ state: 'detached' });
    await cards().first().waitFor();
    await button.click();
    await drawer.waitFor();
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    await page.locator('button:focus').and(button).waitFor();
  });

  test('other tables are lists of values with the names of their columns', async () => {
    await go('users');
    const row = page.getByRole('region', { name: 'Users' }).getByRole('row', { name: /eve@x\.test/ });
    await row.waitFor();
    const names = await page.evaluate<string[]>(
      "[...document.querySelectorAll('main td')].map((cell) => getComputedStyle(cell, '::before').content)",
    );
    expect(names).toContain('"Email"');
    const [first, second] = await row.getByRole('cell').all();
    const [above, below] = [await first?.boundingBox(), await second?.boundingBox()];
    expect(above?.x).toBe(below?.x);
    expect(Number(below?.y)).toBeGreaterThan(Number(above?.y));
  });

  test('the page has no errors', () => {
    expect(phone.faults).toEqual([]);
  });
});
