/** The reference of models in the console, and the old addresses of their pages, which lead to it. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { openPrefixProxy } from '../support/prefix-proxy.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser } from './window.ts';

inBrowser('the reference of models', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary();
    await fill(server, 'book', [{ title: 'Emma', pages: 1 }]);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'eve');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const row = (table: string, name: string | RegExp) =>
    page.getByRole('region', { name: table, exact: true }).getByRole('row', { name });

  test('the menu leads to the list, which has the models that the caller may see, and their rights in words', async () => {
    await page.getByRole('link', { name: 'Model reference' }).click();
    await page.getByRole('heading', { name: 'Model reference' }).waitFor();
    await row('Models', 'Books')
      .getByText('You may read all documents. You may not create, change, or delete')
      .waitFor();
    expect(await page.getByRole('main').getByText('ledger').count()).toBe(0);
    await row('Models', 'Books').getByRole('link', { name: 'Books' }).click();
    await page.getByRole('heading', { name: 'Books', level: 1 }).waitFor();
  });

  test('fields have their label, path, type, rules and links, and the rights of the caller', async () => {
    await go('reference/book');
    await row('Fields', /Pages pages Number .*at least 1 read$/).waitFor();
    await row('Fields', /Title title String required read$/).waitFor();
    await row('Fields', /Tags tags list of String/).waitFor();
    await row('Fields', /Kind kind String one of novel, essay read$/).waitFor();
    await row('Fields', /Author author_id ObjectId Authors/)
      .getByRole('link', { name: 'Authors' })
      .click();
    await row('Links here', 'Books Author author_id').getByRole('link', { name: 'Books' }).click();
    await page.getByRole('heading', { name: 'Books', level: 1 }).waitFor();
  });

  test('functions, events, and ways to the table, the rights and OpenAPI', async () => {
    await row('Functions', 'titled a document read').getByRole('link', { name: 'titled' }).waitFor();
    await row('Events', /^post /).waitFor();
    const href = (name: string): Promise<string | null> =>
      page.getByRole('main').getByRole('link', { name, exact: true }).getAttribute('href');
    expect(await href('Open the table')).toBe('#/documents/book');
    expect(await href('Rights')).toBe('#/rights?model=book');
    expect(await href('OpenAPI')).toBe(`${server.url}/docs/api#/book`);
  });

  test('the examples are those that the caller may send, and have the address of the server', async () => {
    const list = page.getByRole('region', { name: 'List', exact: true });
    const [address = ''] = /http[^']+/.exec((await list.textContent()) ?? '') ?? [];
    expect(address).toMatch(`${server.url}/api/book?limit=10&filter[title]=`);
    expect((await server.as('eve', 'GET', address.slice(server.url.length))).status).toBe(200);
    expect(await page.getByRole('region', { name: 'Create', exact: true }).count()).toBe(0);
    await page.getByText('Client', { exact: true }).click();
    await list.getByText('client.model("book").list({ filter: {"title":"text"}, limit: 10 })').waitFor();
  });

  test('an admin sees how documents are created, and the example works', async () => {
    const { page: own } = await open(server.url);
    await signIn(own, server.url, 'root', '#/reference/book');
    const text = await own.getByRole('region', { name: 'Create', exact: true }).textContent();
    const [, body = ''] = /-d '([^']+)'/.exec(text ?? '') ?? [];
    const made = await server.as('root', 'POST', '/api/book', { body: JSON.parse(body) });
    expect(made.status).toBe(201);
  });

  test('a model that the caller may not see does not exist', async () => {
    await go('reference/ledger');
    await page.getByText('There is no model “ledger” for you.').waitFor();
  });

  test('the old address of a model leads to its reference, below a path that a proxy removes too', async () => {
    const proxy = await openPrefixProxy('/inner/v4', () => server.url);
    const { page: other } = await open(proxy.url);
    await signIn(other, proxy.url, 'eve');
    await other.goto(`${proxy.url}/docs/models/book`);
    await other.getByRole('heading', { name: 'Books', level: 1 }).waitFor();
    expect(other.url()).toBe(`${proxy.url}/console#/reference/book`);
    await other.getByRole('link', { name: 'Guides' }).click();
    await other.getByRole('heading', { name: 'Guides and reference' }).waitFor();
    expect(other.url()).toBe(`${proxy.url}/docs`);
    proxy.close();
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
