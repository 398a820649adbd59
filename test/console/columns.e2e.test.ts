/** The columns of a table: moved and made wider by mouse and keyboard, kept in the browser, and taken back by its back button. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('columns in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary();
    await fill(server, 'ledger', [{ amount: 3 }]);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const header = (name: string) => page.getByRole('columnheader', { name, exact: true });
  const edge = (name: string) => header(name).locator('.edge');
  const visit = (view = 'documents/ledger'): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const names = async (): Promise<string[]> => {
    await edge('Amount').waitFor();
    return (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim()).slice(2);
  };
  /** The address changes before the table does. */
  const showsColumns = async (...expected: readonly string[]): Promise<void> => {
    let now: readonly string[] = [];
    await until(
      async () => (now = await names()).join() === expected.join(),
      () => now.join(),
    );
  };
  const widthOf = async (name: string): Promise<number> => (await header(name).boundingBox())?.width ?? 0;

  beforeEach(async () => {
    await visit('');
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await visit();
    await showsColumns('Amount', 'Updated');
  });

  test('the order is changed by keyboard, by dragging and by the menu, and is kept', async () => {
    await header('Amount').getByRole('button').focus();
    await page.keyboard.press('Shift+ArrowRight');
    await page.waitForURL(/fields=updatedAt%2Camount/);
    await showsColumns('Updated', 'Amount');
    // without columns in the address, also after a reload
    await visit('');
    await page.reload();
    await visit();
    await showsColumns('Updated', 'Amount');
    await header('Amount').dragTo(header('Updated'));
    await page.waitForURL(/fields=amount%2CupdatedAt/);
    await showsColumns('Amount', 'Updated');
    await page.goBack();
    await page.waitForURL(/fields=updatedAt%2Camount/);
    await showsColumns('Updated', 'Amount');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('button', { name: 'As at first' }).click();
    await page.waitForURL(/ledger$/);
    await showsColumns('Amount', 'Updated');
  });

  test('the width is changed by dragging and by keyboard, is kept, and is given back by a double click', async () => {
    const first = await widthOf('Amount');
    const box = (await edge('Amount').boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 60, y, { steps: 3 });
    await page.mouse.up();
    const isWiderThan = (width: number) => async (): Promise<boolean> => (await widthOf('Amount')) > width;
    await until(isWiderThan(first + 40));
    const dragged = await widthOf('Amount');
    await header('Amount').getByRole('button').focus();
    await page.keyboard.press('+');
    await page.keyboard.press('+');
    await until(isWiderThan(dragged + 20));
    const wide = await widthOf('Amount');
    await page.reload();
    await edge('Amount').waitFor();
    await until(async () => Math.round(await widthOf('Amount')) === Math.round(wide));
    expect(await violationsOf(page)).toEqual([]);
    await edge('Amount').dblclick();
    const keeps = (text: RegExp): Promise<void> =>
      until(async () => text.test(await page.evaluate<string>(`localStorage['dossier table ${server.url} ledger']`)));
    await keeps(/^\{"widths":\{\}\}$/);
    await header('Amount').getByRole('button').focus();
    await page.keyboard.press('-');
    await keeps(/"amount":\d+/);
    await page.keyboard.press('0');
    await keeps(/^\{"widths":\{\}\}$/);
  });

  test('what the browser has kept of another version does no harm', async () => {
    await page.evaluate(
      `localStorage.setItem('dossier table ${server.url} ledger', '{"columns":["nosuch","_id"],"widths":7}')`,
    );
    await page.reload();
    await showsColumns('Amount', 'Updated');
    expect(faults).toEqual([]);
  });
  test('pages, order and search of a table are in its address', async () => {
    const titles = Array.from({ length: 60 }, (_, at) => `Book ${String(at + 1).padStart(2, '0')}`);
    await fill(
      server,
      'book',
      titles.map((title, at) => ({ title, pages: at + 1 })),
    );
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const books = () => page.getByRole('region', { name: 'Documents of book' }).getByRole('link', { name: /^Book/ });
    await visit('documents/book?sort=title');
    await page.getByText('60 documents').waitFor();
    await link('Book 01').waitFor();
    expect(await books().count()).toBe(50);
    await page.keyboard.press('j');
    await link('Book 60').waitFor();
    expect(await books().count()).toBe(10);
    await header('Pages').getByRole('button').click();
    await page.locator('th[aria-sort="ascending"]').getByRole('button', { name: 'Pages' }).click();
    await page.locator('th[aria-sort="descending"]').filter({ hasText: 'Pages' }).waitFor();
    // the page before has it too, as its last one
    await until(async () => (await books().first().textContent()) === 'Book 60');
    await page.keyboard.press('s');
    await page.keyboard.type('Book 01');
    await page.getByText('1 document', { exact: true }).waitFor();
    await page.reload();
    await link('Book 01').waitFor();
    expect(page.url()).toContain('search=Book');
  });
});
