/** axe-core finds no violation in any view of the console, in light and dark, on a desktop and on a phone. */
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { allViews, openView } from './all-views.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser, violationsInThemes, type Window } from './window.ts';

inBrowser('accessible views', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let windows: readonly Window[];
  let ids: Record<string, string>;
  beforeAll(async () => {
    server = await openLibrary();
    const [author] = await fill(server, 'author', [{ name: 'Ursula' }]);
    const document = { title: 'A book', pages: 10, tags: ['x', 'y'], parts: [{ label: 'p' }], author_id: author };
    const [book = ''] = await fill(server, 'book', [document, { title: 'Another', extra: { a: [1] } }]);
    ids = { book, eve: server.callers.eve.user_id };
    windows = [await open(server.url), await open(server.url, { viewport: { width: 360, height: 640 } })];
  });

  test('signing in', async () => {
    for (const { page } of windows) {
      await page.goto(`${server.url}/console`);
      await page.getByLabel('Email').waitFor();
      expect(await violationsInThemes(page)).toEqual([]);
      await signIn(page, server.url, 'root');
    }
  });

  test.each(Object.entries(allViews))('%s', async (_, view) => {
    const found = await Promise.all(
      windows.map(async ({ page }) => {
        await openView(page, `${server.url}/console`, view, ids);
        return violationsInThemes(page);
      }),
    );
    expect(found).toEqual([[], []]);
  });

  test('the pages have no errors', () => {
    expect(windows.flatMap(({ faults }) => faults)).toEqual([]);
  });
});
