/** Importing files in the console: columns, faults, refused rows, changes by a unique field, and connections that break. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('importing in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 5,
      models: {
        book: ({ Schema }) =>
          new Schema(
            {
              title: { type: String, required: true },
              isbn: { type: String, index: { unique: true, sparse: true } },
              pages: { type: Number, min: 1 },
              kind: { type: String, enum: ['novel', 'essay'] },
              tags: [String],
              address: { city: String },
            },
            { perms: { user: 'r', admin: 'crud' } },
          ),
        note: ({ Schema }) => new Schema({ text: String }, { perms: { admin: 'crud' } }),
      },
    });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root', '#/documents/book');
  });

  const choose = async (name: string, text: string): Promise<void> => {
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await page.getByRole('heading', { name: 'Preview' }).waitFor();
  };
  const stored = async (model: string): Promise<readonly Readonly<Record<string, unknown>>[]> =>
    (await server.as('root', 'GET', `/api/${model}?sort=_id&limit=1000`)).rows;
  const start = (): Promise<void> => page.getByRole('button', { name: 'Import' }).click();

  test('a CSV: its columns are matched, faults are shown before, and what the server refuses is a file to correct', async () => {
    await page.getByRole('link', { name: 'Import' }).click();
    await page.getByRole('heading', { name: 'Import into Books' }).waitFor();
    await choose(
      'books.csv',
      '\uFEFFTitle;ISBN;Seiten;kind;Address: City;Tags;Shelf\r\nEmma;1;300;novel;Bath;"[""a"",""b""]";x\r\n"Say ""hi""";2;0;novel;;;\r\nTwice;1;5;essay;;;\r\n$5;4;7;essay;;;\r\n',
    );
    await page.getByLabel('Field of Seiten').selectOption({ label: 'Pages' });
    expect(await page.getByLabel('Field of Shelf').inputValue()).toBe('');
    await page.getByText('1 of 4 rows has faults').waitFor();
    await page.getByRole('region', { name: 'Preview' }).getByText('Pages must be at least 1, got 0').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await start();
    await page.getByText('Done: 2 created, 0 changed, 2 refused.').waitFor();
    expect(await stored('book')).toMatchObject([
      { title: 'Emma', isbn: '1', pages: 300, kind: 'novel', tags: ['a', 'b'], address: { city: 'Bath' } },
      { title: '$5', isbn: '4' },
    ]);
    expect(await violationsOf(page)).toEqual([]);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download as CSV' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).split('\r\n');
    expect(lines[0]).toBe('\uFEFFTitle,ISBN,Seiten,kind,Address: City,Tags,Shelf,Reason of the refusal');
    expect(lines[1]).toBe('"Say ""hi""",2,0,novel,,,,"Pages must be at least 1, got 0"');
    expect(lines[2]).toMatch(/^Twice,1,5,essay,,,,.*isbn must be unique/);
  });

  test('JSON: documents are created, or changed by a unique field', async () => {
    await page.goto(`${server.url}/console#/import/note`);
    await page.getByRole('heading', { name: 'Import into Notes' }).waitFor();
    await page.goto(`${server.url}/console#/import/book`);
    await page.getByRole('heading', { name: 'Import into Books' }).waitFor();
    await choose(
      'books.json',
      '[{"isbn":"1","title":"Emma, revised"},\n{"isbn":"9","title":"New"},\n{"title":"None"}]',
    );
    await page.getByLabel('Documents', { exact: true }).selectOption({ label: 'Create, or change by ISBN' });
    await page.getByText('1 of 3 rows has faults').waitFor();
    await start();
    await page.getByText('Done: 1 created, 1 changed, 1 refused.').waitFor();
    expect((await stored('book')).map(({ title, pages }) => [title, pages])).toEqual([
      ['Emma, revised', 300],
      ['$5', 7],
      ['New', undefined],
    ]);
  });

  test('lost answers: chunks are sent again, and nothing is stored twice', async () => {
    await page.goto(`${server.url}/console#/import/note`);
    await choose('notes.csv', `text\n${Array.from({ length: 250 }, (_, at) => `note ${at}`).join('\n')}`);
    let lost = 0;
    await page.route('**/batch', async (route) => {
      if (lost === 2) return route.continue();
      lost++;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await start();
    await page.getByText('Done: 250 created, 0 changed, 0 refused.').waitFor();
    expect(lost).toBe(2);
    expect(await stored('note')).toHaveLength(250);
    await page.unroute('**/batch');
  });

  test('stopped: what is left is sent after Continue', async () => {
    await page.getByRole('button', { name: 'Another file' }).click();
    await choose('more.ndjson', Array.from({ length: 350 }, (_, at) => `{"text":"more ${at}"}`).join('\n'));
    let release = (): void => undefined;
    const released = new Promise<void>((done) => (release = done));
    await page.route('**/batch', async (route) => {
      await released;
      return route.continue();
    });
    await Promise.all([page.waitForRequest('**/batch'), start()]);
    await page.getByRole('button', { name: 'Stop' }).click();
    release();
    await page.getByText('Stopped: 100 created, 0 changed, 0 refused.').waitFor();
    await page.unroute('**/batch');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('Done: 350 created, 0 changed, 0 refused.').waitFor();
    expect(await stored('note')).toHaveLength(600);
    expect(faults).toEqual([]);
  });

  test('a file that cannot be read, and a caller who may not create, are answered in words', async () => {
    await page.getByRole('button', { name: 'Another file' }).click();
    const buffer = Buffer.from([0x61, 0x0a, 0xe4]);
    await page.locator('input[type=file]').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer });
    await page.getByRole('alert').getByText('The file is not UTF-8').waitFor();
    const other = await open(server.url);
    await signIn(other.page, server.url, 'eve', '#/import/book');
    await other.page.getByText('You may not create documents of Books.').waitFor();
  });
});
