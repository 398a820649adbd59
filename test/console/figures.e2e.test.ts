/** The figures of the home page: adding, ordering, sharing and removing them, and those that cannot be shown. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser, violationsInThemes } from './window.ts';

inBrowser('figures of the home page', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary();
    const [author] = await fill(server, 'author', [{ name: 'Ada <b>' }]);
    await fill(server, 'book', [
      { title: 'One', pages: 100, kind: 'novel', released: '2026-01-05T00:00:00Z', author_id: author },
      { title: 'Two', pages: 50, kind: 'novel', released: '2026-03-05T00:00:00Z', author_id: author },
      { title: 'Three', pages: 25, kind: 'essay', released: '2026-03-06T00:00:00Z' },
    ]);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const figures = (on = page) => on.getByRole('region', { name: 'Figures' });
  const figure = (name: string, on = page) => figures(on).getByRole('article', { name, exact: true });
  const form = () => page.getByRole('dialog', { name: 'Add a figure' });
  const add = async (values: Readonly<Record<string, string>>, title: string): Promise<void> => {
    await page.getByRole('button', { name: 'Add a figure' }).click();
    await form().getByLabel('Of', { exact: true }).selectOption({ label: 'Books' });
    for (const [label, value] of Object.entries(values))
      await form().getByLabel(label, { exact: true }).selectOption({ label: value });
    if (title !== '') await form().getByLabel('Title', { exact: true }).fill(title);
    await form().getByRole('button', { name: 'Add', exact: true }).click();
    await form().waitFor({ state: 'detached' });
  };

  test('a dialog adds a number, bars by value and by period', async () => {
    await page.getByRole('button', { name: 'Add a figure' }).click();
    await form().getByLabel('Show', { exact: true }).waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await add({ Show: 'Sum', 'Of the field': 'Pages' }, 'All pages');
    await figure('All pages').getByText('175', { exact: true }).waitFor();
    await add({ By: 'Author' }, 'By author <b>');
    const rows = figure('By author <b>').getByRole('row');
    await rows.filter({ hasText: 'Ada <b>' }).waitFor();
    expect(await rows.allTextContents()).toEqual(['Ada <b>2', 'None1']);
    await add({ By: 'Released', 'For each': 'month' }, '');
    const periods = figure('Books: number by Released, each month').getByRole('table').getByRole('row');
    await periods.first().waitFor({ state: 'attached' });
    const months = await periods.allTextContents();
    // the month without documents is there too
    expect(months.map((text) => text.at(-1))).toEqual(['1', '0', '2']);
    expect(await violationsInThemes(page)).toEqual([]);
  });

  test('they follow own writes', async () => {
    await page.goto(`${server.url}/console#/documents/book/new`);
    await page.getByLabel('Title').fill('Four');
    await page.getByLabel('Pages').fill('5');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'Four' }).waitFor();
    await page.goto(`${server.url}/console#/`);
    await figure('All pages').getByText('180', { exact: true }).waitFor();
  });

  test('a table is saved as a figure with its filter, and shared', async () => {
    const filter = encodeURIComponent(JSON.stringify({ kind: 'novel' }));
    await page.goto(`${server.url}/console#/documents/book?filter=${filter}`);
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as a figure' }).click();
    await form().getByLabel('Title', { exact: true }).fill('Novels');
    await form().getByLabel('Share with all who may read these documents').check();
    await form().getByRole('button', { name: 'Add', exact: true }).click();
    await form().waitFor({ state: 'detached' });
    // a figure is no view of a table
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as a new view' }).waitFor();
    expect(await page.getByRole('menuitem', { name: 'Novels' }).count()).toBe(0);
    await page.goto(`${server.url}/console#/`);
    await figure('Novels').getByText('2', { exact: true }).waitFor();
    await figure('Novels').getByRole('link', { name: 'Novels' }).click();
    await page.getByText('2 documents', { exact: true }).waitFor();
  });

  const titles = (on = page) => figures(on).getByRole('heading', { level: 3 }).allTextContents();
  const kept = () =>
    page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/views'));

  test('their order is kept for the account, in another browser too', async () => {
    await page.goto(`${server.url}/console#/`);
    let release = (): void => undefined;
    const shown = new Promise<void>((resolve) => (release = resolve));
    await page.route(/\/views$/, async (route) => {
      if (route.request().method() === 'PUT') await shown;
      await route.continue();
    });
    const sent = kept();
    await page.getByRole('button', { name: 'Move “Novels” up' }).click();
    const next = ['All pages', 'By author <b>', 'Novels', 'Books: number by Released, each month'];
    // before the server has it
    await until(async () => isDeepStrictEqual(await titles(), next)).finally(release);
    expect((await sent).status()).toBe(200);
    await page.unroute(/\/views$/);
    await page.reload();
    await figure('Novels').waitFor();
    expect(await titles()).toEqual(next);
    const { page: other } = await open(server.url);
    await signIn(other, server.url, 'root');
    await figure('Novels', other).waitFor();
    expect(await titles(other)).toEqual(next);
    await other.context().close();
  });

  test('an order that the server refuses is not shown any more', async () => {
    const before = await titles();
    await page.route(/\/views$/, (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({ status: 500, json: { status: 'fail', err: 'a fault' } })
        : route.continue(),
    );
    await page.getByRole('button', { name: 'Move “Novels” up' }).click();
    await page.locator('.mantine-Notification-root').getByText('This did not work').waitFor();
    await until(async () => isDeepStrictEqual(await titles(), before));
    await page.unroute(/\/views$/);
    // without the notice
    await page.reload();
    await figure('Novels').waitFor();
  });

  test('one is changed: what it shows, its filter and its title, and a derived title follows', async () => {
    const changing = (title: string) => page.getByRole('dialog', { name: `Change “${title}”` });
    const change = async (title: string): Promise<void> => {
      await page.getByRole('button', { name: `Change “${title}”` }).click();
      await changing(title).getByLabel('Show', { exact: true }).waitFor();
    };
    await change('Novels');
    expect(await changing('Novels').getByLabel('Value').inputValue()).toBe('novel');
    await changing('Novels').getByLabel('Show', { exact: true }).selectOption({ label: 'Sum' });
    await changing('Novels').getByLabel('Title', { exact: true }).fill('Pages of novels');
    await changing('Novels').getByRole('button', { name: 'Save', exact: true }).click();
    await figure('Pages of novels').getByText('150', { exact: true }).waitFor();
    const derived = 'Books: number by Released, each month';
    await change(derived);
    expect(await changing(derived).getByLabel('Title', { exact: true }).inputValue()).toBe('');
    expect(await violationsInThemes(page)).toEqual([]);
    await changing(derived).getByLabel('For each', { exact: true }).selectOption('day');
    await changing(derived).getByRole('button', { name: 'Save', exact: true }).click();
    const byDay = figure('Books: number by Released, each day');
    // 60 days are too many for bars
    await byDay.locator('polyline').waitFor();
    expect(await byDay.getByRole('row').count()).toBe(60);
    expect(await byDay.locator('.bar').count()).toBe(0);
    expect(await violationsInThemes(page)).toEqual([]);
  });

  test('others see the shared ones, on a phone too, and do not remove them', async () => {
    const { page: other, faults: others } = await open(server.url, { viewport: { width: 390, height: 800 } });
    await signIn(other, server.url, 'eve');
    await figure('Pages of novels', other).getByText('150', { exact: true }).waitFor();
    expect(await figures(other).getByRole('article').count()).toBe(1);
    expect(await other.getByRole('button', { name: 'Remove “Pages of novels”' }).count()).toBe(0);
    expect(await violationsInThemes(other)).toEqual([]);
    expect(others).toEqual([]);
  });

  test('one whose field or model has gone shows that, and can be removed', async () => {
    const rows = server.dossier.services.connection.collection('_dossier_views');
    const gone = JSON.stringify({ of: 'sum', path: 'gone', by: null, unit: null, zone: null });
    await rows.updateOne({ title: 'All pages' }, { $set: { figure: gone } });
    await rows.updateOne({ title: 'By author <b>' }, { $set: { model: 'no_more' } });
    await page.reload();
    await figure('All pages').getByRole('alert').getByText('gone').waitFor();
    await figure('By author <b>').getByText('You may no longer read what this figure is made of.').waitFor();
    for (const title of ['All pages', 'By author <b>']) {
      await page.getByRole('button', { name: `Remove “${title}”` }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await figure(title).waitFor({ state: 'detached' });
    }
    expect(await figures().getByRole('article').count()).toBe(2);
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
