/** The title of the browser's tab, as views change: that of each view by its address is in `deep-links.e2e.test.ts`. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser } from './window.ts';

const hostile = '</title><script>window.broken = true</script>\u202e\u2066\n&lt;';

inBrowser('the title of the tab', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let ids: readonly string[];
  beforeAll(async () => {
    server = await openLibrary();
    ids = await fill(server, 'book', [{ title: 'Dune' }, { title: hostile }, { title: 'Emma' }]);
    ({ page, faults } = await open(server.url));
  });

  const titled = async (expected: string): Promise<void> => {
    let title = '';
    await until(
      async () => (title = await page.title()) === `${expected} · Dossier`,
      () => title,
    );
  };

  test('before and after signing in', async () => {
    await page.goto(`${server.url}/console`);
    await titled('Sign in');
    await signIn(page, server.url, 'root', '#/documents/book');
    await titled('Books');
  });

  test('follows a document beside its table, its tabs, and the way back', async () => {
    await page.getByRole('link', { name: 'Dune', exact: true }).click();
    await titled('Dune · Books');
    await page.getByRole('tab', { name: 'Raw' }).click();
    await titled('Dune · Raw · Books');
    await page.goBack();
    await titled('Dune · Books');
    await page.goBack();
    await titled('Books');
    await page.goForward();
    await titled('Dune · Books');
    await page.getByRole('button', { name: 'Close the document' }).click();
    await titled('Books');
  });

  test('follows a change of the document', async () => {
    await page.goto(`${server.url}/console#/documents/book/${ids[2] ?? ''}`);
    await titled('Emma · Books');
    await page.getByLabel('Title').fill('Persuasion');
    await titled('Emma · Books');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await titled('Persuasion · Books');
  });

  test('names the saved view, and the trash', async () => {
    const body = { model: 'book', title: 'Long ones', filter: { pages: { $gt: 500 } } };
    const { document } = await server.as('root', 'POST', '/views', { body });
    await page.goto('about:blank');
    await page.goto(`${server.url}/console#/documents/book?view=${String(document['id'])}`);
    await titled('Long ones · Books');
    await page.goto(`${server.url}/console#/documents/book?deleted=only`);
    await titled('Trash of Books');
  });

  test('is announced when another view is shown', async () => {
    await page.getByRole('navigation').getByRole('link', { name: 'Jobs' }).click();
    await titled('Jobs');
    await until(async () => (await page.locator('.announced').textContent()) === 'Jobs');
    expect(await page.locator('.announced').getAttribute('aria-live')).toBe('polite');
  });

  test('a hostile title is text, on one line, and leaves the name of the project last', async () => {
    await page.goto(`${server.url}/console#/documents/book/${ids[1] ?? ''}`);
    await titled('</title><script>window.broken = true</script> &lt; · Books');
    expect(await page.evaluate('window.broken')).toBeUndefined();
  });

  test('a document that is absent, and a view that cannot be loaded', async () => {
    await page.goto(`${server.url}/console#/documents/book/nosuch`);
    await titled('No such document · Books');
    await page.route(/\/jobs/, (route) => route.fulfill({ status: 500, json: { status: 'fail', err: 'a fault' } }));
    await page.goto(`${server.url}/console#/jobs`);
    await titled('Jobs');
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
