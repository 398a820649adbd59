/** Finding in the console: the search over all models, filters as sentences, and the documents that were opened last. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('finding in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let books: readonly string[];
  beforeAll(async () => {
    server = await openLibrary();
    await fill(server, 'author', [{ name: 'Dune Herbert' }]);
    books = await fill(server, 'book', [
      ...['Dune', 'Dune Messiah', 'Children of Dune', 'God Emperor of Dune', 'Heretics of Dune'].map((title, at) => ({
        ...{ title, pages: 100 + at, lent: at === 0 },
      })),
      ...[{ title: 'Chapterhouse: Dune' }, { title: 'Emma <b>' }],
    ]);
    await fill(server, 'letter', [{ subject: 'Dune, a secret' }]);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const box = () => page.getByRole('combobox', { name: 'Search all models' });

  test('one box finds documents of all models by the keyboard', async () => {
    await go('');
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    // the last part of the page that is loaded
    await page.getByRole('button', { name: 'Add a figure' }).waitFor();
    // nothing is loaded before the box is there: what is typed meanwhile would be taken for shortcuts
    const scripts = '**/console/*.js';
    await page.route(scripts, (route) => route.abort());
    await page.keyboard.press('/');
    await box().and(page.locator(':focus')).waitFor();
    await page.keyboard.type('dune');
    await page.unroute(scripts);
    await page.getByRole('status').getByText('8 results', { exact: true }).waitFor();
    const groups = page.getByRole('listbox').getByRole('group');
    expect(await groups.first().getByRole('option').first().textContent()).toMatch(/^Dune Herbert/);
    await page.getByRole('option', { name: 'All results in Books' }).waitFor();
    await page.getByRole('option', { name: 'Dune, a secret' }).waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press('ArrowDown');
    await page.getByRole('option', { name: /^Dune \d/, selected: true }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Dune', exact: true }).waitFor();
    expect(page.url()).toContain(`/documents/book/${books[0]}`);
  });

  test('models are found by their names, and what is not there is reported', async () => {
    await page.keyboard.press('/');
    await box().fill('lette');
    await page.getByRole('option', { name: 'Letters' }).click();
    await page.getByRole('heading', { name: 'Letters' }).waitFor();
    await page.keyboard.press('/');
    await box().fill('zzzz');
    await page.getByText('Nothing found.').waitFor();
    await page.keyboard.press('Escape');
    await box().waitFor({ state: 'detached' });
  });

  test('all results of a model are a table', async () => {
    await page.keyboard.press('/');
    await box().fill('dune');
    await page.getByRole('option', { name: 'All results in Books' }).click();
    await page.getByText('6 documents').waitFor();
    expect(page.url()).toContain('search=dune');
  });

  test('conditions are sentences, each of which can be removed', async () => {
    const filter = JSON.stringify({ pages: { $gte: 101 }, lent: false });
    await go(`documents/book?filter=${encodeURIComponent(filter)}`);
    await page.getByText('4 documents').waitFor();
    const conditions = page.getByRole('list', { name: 'Conditions of the filter' }).getByRole('listitem');
    expect(await conditions.allTextContents()).toEqual(['Pages is at least 101', 'Lent is no']);
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('button', { name: 'Pages is at least 101', exact: true }).click();
    await page.getByRole('dialog').getByLabel('Value').first().fill('103');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('2 documents').waitFor();
    await page.getByRole('button', { name: 'Remove: Pages is at least 103' }).click();
    await page.getByText('4 documents').waitFor();
    await page.getByRole('button', { name: 'Remove: Lent is no' }).click();
    await page.getByText('7 documents').waitFor();
    expect(await conditions.count()).toBe(0);
  });

  test('a filter that has no form is one condition as text', async () => {
    await go(`documents/book?filter=${encodeURIComponent('{"$or":[{"title":"Dune"}]}')}`);
    await page.getByText('1 document', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove: {"$or":[{"title":"Dune"}]}' }).click();
    await page.getByText('7 documents').waitFor();
  });

  test('the documents that were opened last are on the home page, by their titles of now', async () => {
    await go(`documents/book/${books[6]}`);
    await page.getByRole('heading', { name: 'Emma <b>' }).waitFor();
    await go('');
    const recent = page.getByRole('region', { name: 'Recent documents' });
    await recent.getByRole('link', { name: 'Emma <b>' }).waitFor();
    expect(await recent.getByRole('link').allTextContents()).toEqual(['Emma <b>', 'Dune']);
    await server.as('root', 'PUT', `/api/book/${books[6]}`, { body: { title: 'Emma' } });
    await server.as('root', 'DELETE', `/api/book/${books[0]}`);
    await page.reload();
    await recent.getByRole('link', { name: 'Emma', exact: true }).waitFor();
    expect(await recent.getByRole('link').allTextContents()).toEqual(['Emma']);
    expect(await page.evaluate('JSON.stringify(localStorage)')).not.toContain('Emma');
  });

  test('another user sees neither those, nor what they may not read', async () => {
    await page.getByRole('button', { name: /^Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    await signIn(page, server.url, 'eve', '#/');
    await page.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    expect(await page.getByRole('region', { name: 'Recent documents' }).count()).toBe(0);
    await page.keyboard.press('/');
    await box().fill('secret');
    await page.getByText('Nothing found.').waitFor();
  });

  test('Enter opens the first result of what is typed, and none of an earlier text', async () => {
    await go('');
    await page.keyboard.press('/');
    await box().fill('dune');
    await page.getByRole('option', { name: /^Dune Herbert/, selected: true }).waitFor();
    await box().fill('messiah');
    await box().press('Enter');
    await page.getByRole('heading', { name: 'Dune Messiah', exact: true }).waitFor();
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
