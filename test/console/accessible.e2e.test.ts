/** axe-core finds no violation in any view of the console, in light and dark, on a desktop and on a phone. */
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser, violationsOf, type Window } from './window.ts';

inBrowser('accessible views', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let light: Window;
  let dark: Window;
  let book: string;
  beforeAll(async () => {
    server = await openLibrary();
    const [author] = await fill(server, 'author', [{ name: 'Ursula' }]);
    const document = { title: 'A book', pages: 10, tags: ['x', 'y'], parts: [{ label: 'p' }], author_id: author };
    [book = ''] = await fill(server, 'book', [document, { title: 'Another', extra: { a: [1] } }]);
    light = await open(server.url, { colorScheme: 'light' });
    dark = await open(server.url, { colorScheme: 'dark', viewport: { width: 360, height: 640 } });
  });

  /** Does the same in both windows. @returns the violations that axe finds */
  const inBoth = async (act: (window: Window) => Promise<unknown>): Promise<string[]> => {
    const windows = [
      ['light', light],
      ['dark', dark],
    ] as const;
    const found = await Promise.all(
      windows.map(async ([name, window]) => {
        await act(window);
        return (await violationsOf(window.page)).map((fault) => `${name}: ${fault}`);
      }),
    );
    return found.flat();
  };

  test('signing in', async () => {
    const found = await inBoth(async ({ page }) => {
      await page.goto(`${server.url}/console`);
      await page.getByLabel('Email').waitFor();
    });
    expect(found).toEqual([]);
    for (const { page } of [light, dark]) await signIn(page, server.url, 'root');
  });

  test.each([
    ['home', '', '3 documents'],
    ['documents', 'documents/book', 'A book'],
    ['no documents', 'documents/ledger', 'No documents.'],
    ['a new document', 'documents/book/new', 'Create'],
    ['an import', 'import/book', 'Choose a file'],
    ['functions', 'functions', 'Call'],
    ['queries', 'queries', 'Run'],
    ['live events', 'live', 'Nothing has happened'],
    ['rights', 'rights', 'Roles'],
    ['users', 'users', 'eve@x.test'],
    ['audit', 'audit', 'When'],
    ['schedules', 'schedules', 'No schedules.'],
    ['server', 'server', 'The cache is off.'],
    ['the models', 'reference', 'You may create'],
    ['the reference of a model', 'reference/book', 'essay'],
    ['account', 'account', 'this one'],
    ['no such view', 'nosuch', 'There is nothing'],
    ['no such model', 'documents/nosuch', 'There is no model'],
  ])('%s', async (_, view, shown) => {
    const found = await inBoth(async ({ page }) => {
      await page.goto(`${server.url}/console#/${view}`);
      if (shown === 'A book') await page.getByRole('link', { name: shown }).waitFor();
      else if (view !== '') await page.getByRole('main').getByText(shown).first().waitFor();
    });
    expect(found).toEqual([]);
  });

  test('a document, its raw text and its reverse links', async () => {
    for (const [tab, shown] of [
      ['form', 'Add to parts'],
      ['raw', 'As curl'],
      ['links', 'No model links'],
    ]) {
      const found = await inBoth(async ({ page }) => {
        await page.goto(`${server.url}/console#/documents/book/${book}?tab=${tab}`);
        await page.getByText(shown ?? '').waitFor();
      });
      expect([tab, found]).toEqual([tab, []]);
    }
  });

  test('the filter, and the list of shortcuts', async () => {
    const dialogs: [key: string, name: string][] = [
      ['f', 'Filter book'],
      ['?', 'Keyboard shortcuts'],
    ];
    for (const [key, name] of dialogs) {
      const found = await inBoth(async ({ page }) => {
        await page.goto(`${server.url}/console#/documents/book`);
        await page.getByRole('link', { name: 'A book' }).waitFor();
        await page.keyboard.press(key);
        await page.getByRole('dialog', { name }).waitFor();
        if (key === 'f') await page.getByRole('button', { name: 'Add a condition' }).click();
      });
      expect([name, found]).toEqual([name, []]);
      for (const { page } of [light, dark]) await page.keyboard.press('Escape');
    }
  });
});
