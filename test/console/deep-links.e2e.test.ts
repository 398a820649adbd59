/** Every view of the console is opened by its address, and its tab has the view's title, behind a proxy that removes a path. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { openPrefixProxy, type PrefixProxy } from '../support/prefix-proxy.ts';
import { until } from '../support/waiting.ts';
import { allViews, openView } from './all-views.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser } from './window.ts';

inBrowser('views by their addresses', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let proxy: PrefixProxy;
  let page: Page;
  let faults: string[];
  let ids: Record<string, string>;
  beforeAll(async () => {
    server = await openLibrary();
    proxy = await openPrefixProxy('/films', () => server.url);
    const [book = ''] = await fill(server, 'book', [{ title: 'A book' }, { title: 'Another' }]);
    ids = { book, eve: server.callers.eve.user_id };
    ({ page, faults } = await open(proxy.url));
    await signIn(page, proxy.url, 'root');
  });
  afterAll(() => proxy.close());

  test.each(Object.entries(allViews))('%s is opened by its address below a path', async (_, view) => {
    // as a link from elsewhere
    await page.goto('about:blank');
    await openView(page, `${proxy.url}/console`, view, ids);
    await until(
      async () => (await page.title()) === `${view.title} · Dossier`,
      () => `the title is not ${view.title}`,
    );
  });

  test('no request has left the path', () => {
    // sockets are refused by this proxy, which browsers report
    expect(faults.filter((fault) => !fault.includes('WebSocket'))).toEqual([]);
  });
});
