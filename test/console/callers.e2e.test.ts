/** What the console shows to a plain user, values that look like markup, missing files, and a server below a path. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { openPrefixProxy, type PrefixProxy } from '../support/prefix-proxy.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser } from './window.ts';

const hostile: readonly string[] = [
  '<script>window.hit = 1</script>',
  '<img src=x onerror="window.hit = 1">',
  '"><svg onload=window.hit=1>',
  'javascript:window.hit=1',
  '{{constructor.constructor("window.hit = 1")()}}',
  '\u202egnp.exe right to left',
  'مرحبا بالعالم',
  'a'.repeat(20_000),
  '../../setup?x=1#/users',
];

inBrowser('callers of the console', () => {
  const open = useBrowser();
  let proxy: PrefixProxy;
  let server: PeopledServer<'root' | 'eve'>;
  let ids: readonly string[];
  beforeAll(async () => {
    server = await openLibrary();
    ids = await fill(
      server,
      'book',
      hostile.map((text) => ({ title: text, tags: [text], extra: { [text.slice(0, 9).replace(/[.$]/g, '')]: text } })),
    );
    proxy = await openPrefixProxy('/films/api', () => server.url);
  });
  afterAll(() => proxy.close());

  test('a plain user sees no unreadable models and no actions that would be refused', async () => {
    const { page, faults } = await open(server.url);
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() === 403 || answer.status() === 404) refused.push(answer.url());
    });
    await signIn(page, server.url, 'eve');
    const views = page.getByRole('navigation', { name: 'Models and tools' });
    await views.getByRole('link', { name: 'Live' }).waitFor();
    // the names, without the counts
    expect(await views.getByRole('link').locator('.mantine-NavLink-label').allTextContents()).toEqual([
      ...['Authors', 'Books', 'Users'],
      ...['Live', 'Queries', 'Functions', 'Rights'],
      ...['Model reference', 'Guides', 'OpenAPI'],
    ]);
    await views.getByRole('link', { name: 'book' }).click();
    await page.getByText(`${hostile.length} documents`).waitFor();
    await page.getByLabel('Choose all documents of this page').check();
    expect(await page.getByRole('link', { name: 'New', exact: true }).count()).toBe(0);
    const chosen = page.getByRole('group', { name: 'Chosen documents' });
    expect(await chosen.getByRole('button').allTextContents()).toEqual(['Export', 'Choose none']);
    await page.goto(`${server.url}/console#/documents/book/${ids[0]}`);
    // what they may not change is text
    await page.getByRole('group', { name: 'Title' }).getByText('Title', { exact: true }).waitFor();
    expect(await page.getByRole('main').locator('input, textarea, select').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
    expect(refused).toEqual([]);
    await page.goto(`${server.url}/console#/documents/ledger`);
    await page.getByText('There is no model “ledger” for you.').waitFor();
    expect(faults).toEqual([]);
  });

  test('all values are shown as text', async () => {
    const { page, faults } = await open(server.url);
    await signIn(page, server.url, 'root', '#/documents/book?fields=title,tags,extra');
    await page.getByText('<script>window.hit = 1</script>').first().waitFor();
    for (const [at, id] of ids.entries())
      for (const tab of ['form', 'raw']) {
        // nothing of the document before is left to be looked at
        await page.goto(`${server.url}/console#/account`);
        await page.getByRole('cell', { name: 'this one' }).waitFor();
        await page.goto(`${server.url}/console#/documents/book/${id}?tab=${tab}`);
        await page.getByRole('tab', { name: 'Raw' }).waitFor();
        if (tab === 'form') expect([at, await page.getByLabel('title').inputValue()]).toEqual([at, hostile[at]]);
        else await page.getByRole('region', { name: 'The document' }).waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
    // the values of an address are text, too
    await page.goto(`${server.url}/console#/documents/${encodeURIComponent('<img src=x onerror="window.hit=1">')}`);
    await page.getByText('There is no model').waitFor();
    await page.goto(
      `${server.url}/console#/documents/book?filter=${encodeURIComponent('{"title":"<b>')}&sort=-nosuch&fields=x`,
    );
    await page.getByRole('alert').waitFor();
    expect(await page.evaluate('window.hit')).toBeUndefined();
    expect(faults).toEqual([]);
  });

  test('a view whose file cannot be loaded reports it, and the others work', async () => {
    const { page } = await open(server.url);
    await signIn(page, server.url, 'eve', '#/documents/book');
    await page.getByText(`${hostile.length} documents`).waitFor();
    await page.route(/\.js$/, (route) => route.abort());
    const views = page.getByRole('navigation', { name: 'Models and tools' });
    await views.getByRole('link', { name: 'Rights' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).waitFor();
    await views.getByRole('link', { name: 'book' }).click();
    await page.getByText(`${hostile.length} documents`).waitFor();
    await page.unrouteAll();
    await views.getByRole('link', { name: 'Rights' }).click();
    await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Rights' }).waitFor();
  });

  test('the console works behind a proxy that removes a path', async () => {
    const { url } = proxy;
    const { page, faults } = await open(url);
    await signIn(page, url, 'eve', '#/documents/book');
    await page.getByText(`${hostile.length} documents`).waitFor();
    expect(faults).toEqual([]);
  });
});
