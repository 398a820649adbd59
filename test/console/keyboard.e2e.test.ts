/** The console by the keyboard alone: rows, choices and ranges, the list of shortcuts, the skip link, and where the focus returns to. */
import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { setTheme, useBrowser } from './window.ts';

const titles = ['One', 'Two', 'Three', 'Four', 'Five'];

inBrowser('the console by keyboard', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary();
    for (const title of titles) await fill(server, 'book', [{ title, pages: 1 }]);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  beforeEach(async () => {
    await page.goto(`${server.url}/console#/account`);
    await link('Five').waitFor({ state: 'detached' });
    await page.goto(`${server.url}/console#/documents/book`);
    await link('Five').waitFor();
  });

  const link = (title: string) => page.getByRole('main').getByRole('link', { name: title, exact: true });
  const focused = (): Promise<string> => page.evaluate<string>('document.activeElement.textContent');
  const chosen = async (): Promise<string[]> => {
    const boxes = page.getByRole('region', { name: 'Documents of Books' }).getByRole('checkbox', { checked: true });
    const names = await boxes.evaluateAll((all) => all.map((box) => box.getAttribute('aria-label') ?? ''));
    return names.filter((name) => name.startsWith('Choose ') && !name.includes('all')).map((name) => name.slice(7));
  };
  const keys = async (...pressed: readonly string[]): Promise<void> => {
    for (const key of pressed) await page.keyboard.press(key);
  };

  test.each<[keys: string[], focus: string]>([
    [['ArrowDown'], 'Two'],
    [['ArrowDown', 'ArrowDown', 'ArrowUp'], 'Two'],
    [['ArrowUp'], 'One'],
    [['End'], 'Five'],
    [['End', 'ArrowDown'], 'Five'],
    [['End', 'Home'], 'One'],
  ])('from the first row, %j lead to %s', async (pressed, focus) => {
    await link('One').focus();
    await keys(...pressed);
    await until(async () => (await focused()) === focus);
  });

  test.each<[keys: string[], chosen: string[]]>([
    [[' '], ['One']],
    [[' ', ' '], []],
    [
      ['Shift+ArrowDown', 'Shift+ArrowDown'],
      ['One', 'Two', 'Three'],
    ],
    [
      ['Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp'],
      ['One', 'Two'],
    ],
    [
      [' ', 'ArrowDown', 'ArrowDown', 'Shift+ ', 'End', ' '],
      ['One', 'Two', 'Three', 'Five'],
    ],
    [
      ['ArrowDown', ' ', 'ArrowDown', 'ArrowDown', ' ', 'Shift+ArrowDown'],
      ['Two', 'Four', 'Five'],
    ],
    [['End', ' ', 'Shift+Home'], titles],
    [['Control+a'], titles],
    [['Control+a', 'Control+a'], titles],
    [['Control+a', 'Escape'], []],
  ])('from the first row, %j choose %j', async (pressed, expected) => {
    await link('One').focus();
    await keys(...pressed);
    expect(await chosen()).toEqual(expected);
  });

  test('Shift and a click on a box choose a range', async () => {
    await page.getByRole('checkbox', { name: 'Choose Two' }).click();
    await page.getByRole('checkbox', { name: 'Choose Four' }).click({ modifiers: ['Shift'] });
    expect(await chosen()).toEqual(['Two', 'Three', 'Four']);
  });

  test('the arrows lead from the table into its rows, Enter opens one, Escape leads back to it', async () => {
    await page.getByRole('region', { name: 'Documents of Books' }).focus();
    await keys('ArrowDown', 'ArrowDown', 'Enter');
    await page.getByRole('region', { name: 'Document', exact: true }).getByLabel('Title').waitFor();
    await keys('Escape');
    await page.getByRole('region', { name: 'Document', exact: true }).waitFor({ state: 'detached' });
    await until(async () => (await focused()) === 'Two');
  });

  test('the focus does not get lost with the buttons of what was chosen', async () => {
    await link('One').focus();
    await keys(' ');
    await page.getByRole('button', { name: 'Choose none' }).focus();
    await keys('Enter');
    await page.locator('[data-rows]:focus').waitFor();
  });

  test('an undo gives the focus back to the rows', async () => {
    await link('One').focus();
    await keys(' ');
    await page.getByRole('button', { name: 'Delete' }).focus();
    await keys('Enter');
    await page.getByRole('button', { name: 'Undo' }).focus();
    await keys('Enter');
    await page.locator('[data-rows]:focus').waitFor();
    await link('One').waitFor();
  });

  test.each([
    ['Filter', 'Filter Books'],
    ['Keyboard shortcuts', 'Keyboard shortcuts'],
    ['Search all models', 'Search all models'],
    ['Export', 'Export Books'],
  ])('%s: the focus is kept in the dialog, and returns to the button', async (button, dialog) => {
    await page.getByRole('button', { name: button, exact: true }).focus();
    await keys('Enter');
    const shown = page.getByRole('dialog', { name: dialog });
    await shown.waitFor();
    await keys(...Array.from({ length: 12 }, () => 'Tab'));
    await shown.locator(':focus').waitFor();
    await keys('Escape');
    await shown.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: button, exact: true }).and(page.locator(':focus')).waitFor();
  });

  test.each(['Columns', 'Views', 'Account of root@x.test'])(
    'the menu %s opens by Enter, and Escape returns to its button',
    async (name) => {
      const button = page.getByRole('button', { name, exact: false }).first();
      await button.focus();
      await keys('Enter');
      await page.locator('[aria-expanded="true"]').first().waitFor();
      // the menu takes the keys once it has the focus
      await until(() => button.evaluate((one) => !one.matches(':focus')));
      await keys('Escape');
      await page.locator('[aria-expanded="true"]').waitFor({ state: 'detached' });
      await button.and(page.locator(':focus')).waitFor();
    },
  );

  test.each(['Columns', 'Views', 'Account of root@x.test'])(
    'Escape closes the menu %s before the focus has moved into it',
    async (name) => {
      const button = page.getByRole('button', { name, exact: false }).first();
      await button.focus();
      // in the turn of the event loop in which the menu appears
      await page.evaluate(`new Promise((done) => {
        const button = document.activeElement;
        const observer = new MutationObserver(() => {
          if (button.getAttribute('aria-expanded') !== 'true') return;
          observer.disconnect();
          button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true }));
          done();
        });
        observer.observe(button, { attributes: true });
        button.click();
      })`);
      await page.locator('[aria-expanded="true"]').waitFor({ state: 'detached' });
      await button.and(page.locator(':focus')).waitFor();
    },
  );

  test('a dialog of a menu gives the focus back to the button of the menu', async () => {
    const views = page.getByRole('button', { name: 'Views' });
    await views.focus();
    await keys('Enter');
    await page.getByRole('menuitem', { name: 'Save as a new view' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Save as a view' });
    await dialog.locator(':focus').waitFor();
    await keys('Escape');
    await dialog.waitFor({ state: 'detached' });
    await views.and(page.locator(':focus')).waitFor();
  });

  test('? lists the keys of all views, and no shortcut acts behind it', async () => {
    await keys('?');
    const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    for (const group of ['Everywhere', 'In the documents of a table', 'In a document', 'In an editor'])
      await list.getByRole('region', { name: group }).waitFor();
    await keys('h', 'l');
    expect(page.url()).toContain('#/documents/book');
  });

  test('the first stop of Tab skips the navigation', async () => {
    await page.reload();
    await link('One').waitFor();
    await keys('Tab');
    const skip = page.getByRole('link', { name: 'Skip to the content' });
    await skip.and(page.locator(':focus')).waitFor();
    const box = await skip.boundingBox();
    expect(box?.width).toBeGreaterThan(20);
    await keys('Enter');
    await page.locator('main:focus').waitFor();
    expect(page.url()).toContain('#/documents/book');
  });

  test('what has the focus by the keyboard is outlined, in light and dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      await setTheme(page, colorScheme);
      await link('One').focus();
      const seen = new Set<string>();
      for (let stop = 0; stop < 25; stop++) {
        await keys('Tab');
        seen.add(
          await page.evaluate<string>(`(() => {
            const of = (element) => getComputedStyle(element);
            const { activeElement: at } = document;
            if (at === document.body) return '';
            const isShown = [at, at.parentElement].some((one) => of(one).outlineStyle !== 'none' || of(one).boxShadow !== 'none' || of(one).borderTopColor !== of(document.body).borderTopColor);
            return isShown ? '' : at.outerHTML.slice(0, 200);
          })()`),
        );
      }
      expect([...seen].filter(Boolean)).toEqual([]);
    }
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
