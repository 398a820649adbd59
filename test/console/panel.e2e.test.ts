/** A document beside its table: opened, left and stepped through by mouse and keyboard; unsaved work is not lost by leaving. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { setTheme, useBrowser, violationsOf } from './window.ts';

inBrowser('a document beside its table', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let ids: readonly string[];
  beforeAll(async () => {
    server = await openLibrary();
    ids = await fill(
      server,
      'book',
      ['One', 'Two', 'Three'].map((title) => ({ title })),
    );
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const panel = () => page.getByRole('region', { name: 'Document', exact: true });
  const heading = (title: string) => panel().getByRole('heading', { name: title, exact: true });
  const titleIn = () => panel().getByRole('textbox', { name: 'Title' });
  const question = () => page.getByRole('dialog', { name: 'Discard your changes?' });
  const idOf = (title: string): string => ids[['One', 'Two', 'Three'].indexOf(title)] ?? '';
  const isOpened = (title: string): boolean => page.url().includes(`open=${idOf(title)}`);
  /** The text of the focused element. */
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.textContent');

  // in an order that does not depend on ids
  const visit = (more = ''): Promise<unknown> => page.goto(`${server.url}/console#/documents/book?sort=-title${more}`);
  beforeEach(async () => {
    await visit();
    await page.getByRole('link', { name: 'Two', exact: true }).waitFor();
    await panel().waitFor({ state: 'detached' });
  });

  test('it opens by its row, its address is kept by a reload, and the back button closes it', async () => {
    await page.getByRole('row').filter({ hasText: 'Three' }).getByRole('cell').last().click();
    await heading('Three').waitFor();
    expect(isOpened('Three')).toBe(true);
    await page
      .getByRole('link', { name: 'Three', exact: true, disabled: false })
      .and(page.locator('[aria-current]'))
      .waitFor();
    await page.reload();
    await heading('Three').waitFor();
    await page.goBack();
    await panel().waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Three', exact: true }).waitFor();
  });

  test('by keyboard: Enter opens, j and k step, Escape closes, and the focus returns to the row', async () => {
    await page.getByRole('link', { name: 'Two', exact: true }).focus();
    await page.keyboard.press('Enter');
    await heading('Two').waitFor();
    await panel().getByText('1 of 3').waitFor();
    expect(await panel().getByRole('button', { name: 'Previous document' }).isDisabled()).toBe(true);
    await page.keyboard.press('j');
    await heading('Three').waitFor();
    await page.keyboard.press('j');
    await heading('One').waitFor();
    expect(await panel().getByRole('button', { name: 'Next document' }).isDisabled()).toBe(true);
    await page.keyboard.press('k');
    await heading('Three').waitFor();
    await page.keyboard.press('Escape');
    await panel().waitFor({ state: 'detached' });
    await until(async () => (await focused()) === 'Three');
  });

  test('Escape in a dialog closes that only', async () => {
    await page.getByRole('link', { name: 'Two', exact: true }).click();
    await heading('Two').waitFor();
    await page.keyboard.press('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await list.waitFor();
    await page.keyboard.press('Escape');
    await list.waitFor({ state: 'detached' });
    expect(await heading('Two').count()).toBe(1);
  });

  test('what is saved beside the table appears in it, and a deleted document can be restored', async () => {
    const [id = ''] = await fill(server, 'book', [{ title: 'Brief' }]);
    await page.getByRole('link', { name: 'Brief', exact: true }).click();
    await titleIn().fill('Brief and new');
    await page.keyboard.press('Control+s');
    await page.getByRole('link', { name: 'Brief and new', exact: true }).waitFor();
    await heading('Brief and new').waitFor();
    await panel().getByRole('button', { name: 'Delete' }).click();
    await panel().getByText('This document is deleted.').waitFor();
    await panel().getByRole('button', { name: 'Remove permanently' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove permanently' }).click();
    await panel().waitFor({ state: 'detached' });
    expect((await server.as('root', 'GET', `/api/book?filter[_id]=${id}&showDeleted=true`)).rows).toEqual([]);
  });

  test.each<[way: string, leave: () => Promise<unknown>, to: string]>([
    ['a shortcut', () => page.keyboard.press('h'), 'Models'],
    ['the next document', () => panel().getByRole('button', { name: 'Next document' }).click(), 'Three'],
    ['closing', () => panel().getByRole('button', { name: 'Close the document' }).click(), 'Books'],
    ['the back button', () => page.goBack(), 'Books'],
    ['another tab', () => panel().getByRole('tab', { name: 'Raw' }).click(), 'Two'],
    ['a link', () => page.getByRole('link', { name: 'Authors', exact: true }).click(), 'Authors'],
  ])('unsaved work asks before it is left by %s', async (_way, leave, to) => {
    await page.getByRole('link', { name: 'Two', exact: true }).click();
    await titleIn().fill('Unsaved');
    await panel().getByRole('button', { name: 'Open as page' }).or(panel()).first().focus();
    await leave();
    await question().getByRole('button', { name: 'Cancel' }).click();
    await question().waitFor({ state: 'detached' });
    expect([await titleIn().inputValue(), isOpened('Two')]).toEqual(['Unsaved', true]);
    // the order of the table keeps the form
    await page.locator('th[aria-sort="descending"]').filter({ hasText: 'Title' }).getByRole('button').click();
    await page.locator('th[aria-sort="none"]').filter({ hasText: 'Title' }).waitFor();
    expect(await titleIn().inputValue()).toBe('Unsaved');
    await page.goBack();
    await page.locator('th[aria-sort="descending"]').filter({ hasText: 'Title' }).waitFor();
    await panel().focus();
    await leave();
    await question().getByRole('button', { name: 'Discard' }).click();
    await titleIn().and(page.locator('[value="Unsaved"]')).waitFor({ state: 'detached' });
    await page.getByRole('heading', { name: to, exact: true }).first().waitFor();
    expect((await server.as('root', 'GET', `/api/book/${idOf('Two')}`)).document['title']).toBe('Two');
  });

  test('on a phone it is in the place of the table, and closing it leads back', async () => {
    await page.setViewportSize({ width: 360, height: 640 });
    try {
      await page.getByRole('link', { name: 'Two', exact: true }).click();
      await heading('Two').waitFor();
      expect(await page.getByRole('link', { name: 'Two', exact: true }).isVisible()).toBe(false);
      expect(await violationsOf(page)).toEqual([]);
      await panel().getByRole('button', { name: 'Close the document' }).click();
      await page.getByRole('link', { name: 'Two', exact: true }).waitFor();
      await until(async () => (await focused()) === 'Two');
    } finally {
      await page.setViewportSize({ width: 1280, height: 800 });
    }
  });

  test.each(['light', 'dark'] as const)('it is accessible in %s, also with its question', async (colorScheme) => {
    await setTheme(page, colorScheme);
    await page.getByRole('link', { name: 'Two', exact: true }).click();
    await titleIn().fill('Unsaved');
    expect(await violationsOf(page)).toEqual([]);
    await panel().getByRole('button', { name: 'Close the document' }).click();
    await question().waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await question().getByRole('button', { name: 'Discard' }).click();
  });

  test('a new document asks too, and leads to itself without a question', async () => {
    await page.getByRole('link', { name: 'New', exact: true }).click();
    const title = page.getByRole('textbox', { name: 'Title' });
    await title.fill('Made');
    await page.goBack();
    await question().getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Made' }).waitFor();
    expect(await question().count()).toBe(0);
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
