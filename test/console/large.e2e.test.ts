/** A table over a large collection: its pages, its order, and a count that shows where it is capped. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { useBrowser } from './window.ts';

/** More than the limit of a capped count. `CONSOLE_DOCUMENTS=100000` makes the run longer. */
const documents = Number(process.env['CONSOLE_DOCUMENTS'] ?? 10_100);
const batch = 5000;

inBrowser('large collections in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  beforeAll(async () => {
    server = await openPeople(['root'], {
      max_sessions: 5,
      models: {
        item: ({ Schema }) =>
          new Schema({ name: String, n: { type: Number, index: true } }, { perms: { admin: 'crud' } }),
      },
    });
    const items = server.dossier.services.connection.collection('items');
    for (let from = 0; from < documents; from += batch)
      await items.insertMany(
        Array.from({ length: Math.min(batch, documents - from) }, (_, at) => ({
          name: `Item ${from + at}`,
          n: from + at,
          _deleted: false,
        })),
      );
    ({ page } = await open(server.url));
    await signIn(page, server.url, 'root', '#/documents/item?sort=-n');
  }, 300_000);

  const first = (): Promise<string | null> =>
    page
      .getByRole('link', { name: /^Item / })
      .first()
      .textContent();

  test('the count shows that there are more', async () => {
    await page.getByText('at least 10,000 documents').waitFor();
    expect(await first()).toBe(`Item ${documents - 1}`);
    expect(await page.getByRole('link', { name: /^Item / }).count()).toBe(50);
  });

  test('pages follow each other by cursors', async () => {
    await page.keyboard.press('j');
    await page.getByRole('link', { name: `Item ${documents - 51}`, exact: true }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('link', { name: `Item ${documents - 101}`, exact: true }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('link', { name: `Item ${documents - 51}`, exact: true }).waitFor();
    expect(page.url()).toMatch(/(after|before)=/);
  });

  test('a filter finds one of them', async () => {
    await page.goto(`${server.url}/console#/documents/item?filter=${encodeURIComponent('{"n":4711}')}`);
    await page.getByRole('link', { name: 'Item 4711', exact: true }).waitFor();
    await page.getByText('1 document', { exact: true }).waitFor();
  });
});
