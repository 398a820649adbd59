/** The pictures of the docs. `npm run pictures` writes them; other runs only take them. */
import { mkdir, writeFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { type Library, openLibrary } from '../support/fixtures/films.ts';
import { openPeople } from '../support/fixtures/people.ts';
import { sendSignIn, signIn } from './library.ts';
import { useBrowser } from './window.ts';

const isKept = process.env['PICTURES'] === 'true';
const folder = 'docs/pictures';
const viewport = { width: 1200, height: 700 };

inBrowser('pictures of the console', () => {
  const open = useBrowser();
  let library: Library;
  let page: Page;
  beforeAll(async () => {
    library = await openLibrary('models', { MAX_SESSIONS: '5' });
    page = await enter({ viewport });
  }, 180_000);

  /** Opens a window, and signs in. */
  const enter = async (options: BrowserContextOptions): Promise<Page> => {
    const { page: window } = await open(library.url, options);
    await window.goto(`${library.url}/console`);
    await sendSignIn(window, library.admin.email, library.admin.password);
    await window.getByRole('heading', { name: 'Models', level: 1 }).waitFor();
    return window;
  };

  const take = async (name: string, window = page): Promise<void> => {
    const picture = await window.screenshot();
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

  test('the home page, after two documents were opened', async () => {
    await page.goto(`${library.url}/console#/documents/film?sort=-rating`);
    await page.getByRole('link', { name: 'The Godfather', exact: true }).click();
    await page.getByRole('heading', { name: 'The Godfather' }).waitFor();
    await page.goto(`${library.url}/console#/`);
    await page.getByRole('main').getByRole('link', { name: 'The Godfather' }).waitFor();
    await page.getByText(/^3,\d+ documents$/).waitFor();
    await take('console-home');
  });

  test('a form as a page', async () => {
    await page.getByRole('main').getByRole('link', { name: 'The Godfather' }).click();
    await page.getByRole('combobox', { name: 'Director' }).waitFor();
    await page.getByText('Links to tag').first().waitFor();
    await take('console-form');
  });

  test('the preview of an import', async () => {
    await page.goto(`${library.url}/console#/import/film`);
    const rows = ['Title;Year;Rating;Country', 'Emma;2020;6.7;GB', 'Dune;2021;8.0;US', 'Nope;1022;6.8;US'];
    const buffer = Buffer.from(rows.join('\n'));
    await page.locator('input[type=file]').setInputFiles({ name: 'films.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    await take('console-import');
  });

  test('the reference of a model', async () => {
    await page.goto(`${library.url}/console#/reference/film`);
    await page.getByRole('region', { name: 'Fields' }).waitFor();
    await take('console-reference');
  });

  test('a table on a phone, in dark colours', async () => {
    const phone = await enter({ colorScheme: 'dark', viewport: { width: 390, height: 700 } });
    await phone.goto(`${library.url}/console#/documents/film?sort=-rating`);
    await phone.getByRole('link', { name: 'The Godfather', exact: true }).waitFor();
    await take('console-phone', phone);
  });

  test('a history', async () => {
    const server = await openPeople(['root', 'eve'], {
      models: {
        article: ({ Schema }) =>
          new Schema(
            { title: String, status: { type: String, enum: ['draft', 'published'] }, words: Number },
            { history: true, perms: { user: 'cru', admin: 'crud' } },
          ),
      },
    });
    const first = { title: 'On trees', status: 'draft', words: 800 };
    const id = String((await server.as('eve', 'POST', '/api/article', { body: first })).document['_id']);
    for (const [person, body] of [
      ['eve', { words: 1200 }],
      ['root', { title: 'On old trees', status: 'published' }],
    ] as const)
      expect((await server.as(person, 'PUT', `/api/article/${id}`, { body })).status).toBe(200);
    const { page: window } = await open(server.url, { viewport });
    await signIn(window, server.url, 'root');
    await window.goto(`${server.url}/console#/documents/article/${id}?tab=history`);
    await window.getByRole('button', { name: 'Revert to this' }).first().waitFor();
    await take('console-history', window);
  });
});
