/** The pictures of the docs. `npm run pictures` writes them; other runs only take them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { type Library, openLibrary } from '../support/fixtures/films.ts';
import { useBrowser } from './window.ts';

const isKept = process.env['PICTURES'] === 'true';
const folder = 'docs/pictures';

inBrowser('pictures of the console', () => {
  const open = useBrowser();
  let library: Library;
  let page: Page;
  beforeAll(async () => {
    library = await openLibrary('models', { MAX_SESSIONS: '5' });
    ({ page } = await open(library.url, { viewport: { width: 1200, height: 700 } }));
    await page.goto(`${library.url}/console`);
    await page.getByLabel('Email').fill(library.admin.email);
    await page.getByLabel('Password', { exact: true }).fill(library.admin.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation').first().waitFor();
  }, 120_000);

  const take = async (name: string): Promise<void> => {
    const picture = await page.screenshot();
    // a PNG (RFC 2083, 3.1)
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    if (!isKept) return;
    await mkdir(folder, { recursive: true });
    await writeFile(`${folder}/${name}.png`, picture);
  };

  test('a table', async () => {
    const filter = encodeURIComponent('{"rating":{"$gte":8}}');
    await page.goto(`${library.url}/console#/documents/film?sort=-rating&filter=${filter}`);
    await page.getByRole('link', { name: 'Inception' }).waitFor();
    await take('console-table');
  });

  test('a document', async () => {
    await page.getByRole('link', { name: 'Inception' }).click();
    await page.getByRole('combobox', { name: 'Director' }).waitFor();
    await page.getByText('Links to tag').first().waitFor();
    await take('console-document');
  });

  test('a pipeline', async () => {
    const pipeline = [
      { $match: { rating: { $gte: 7 } } },
      { $group: { _id: '$certificate', films: { $sum: 1 }, rating: { $avg: '$rating' } } },
      { $sort: { films: -1 } },
    ];
    const text = encodeURIComponent(`[\n${pipeline.map((stage) => `  ${JSON.stringify(stage)}`).join(',\n')}\n]`);
    await page.goto(`${library.url}/console#/queries?model=film&mode=aggregate&text=${text}`);
    await page.getByRole('textbox', { name: 'Aggregation' }).waitFor();
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('region', { name: 'Results' }).waitFor();
    await take('console-query');
  });
});
