/** Importing files in the console: columns, faults, refused rows, changes by a unique field, and connections that break. */
import { readFile } from 'node:fs/promises';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { focusOn, useBrowser, violationsOf } from './window.ts';

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
              address: { city: String, street: String },
            },
            { perms: { user: 'r', admin: 'crud' } },
          ),
        note: ({ Schema }) => new Schema({ text: String }, { perms: { admin: 'crud' } }),
        sum: ({ Schema, Mixed }) =>
          new Schema(
            {
              ...{ name: String, long: BigInt, longs: [BigInt], exact: Schema.Types.Decimal128 },
              ...{ double: Number, text: String, any: Mixed },
            },
            { perms: { admin: 'crud' } },
          ),
        author: ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } }),
        visit: ({ Schema }) => new Schema({ name: String, began: Date }, { perms: { admin: 'crud' } }),
        part: ({ Schema }) =>
          new Schema(
            {
              code: { type: String, index: { unique: true, sparse: true } },
              author_id: { type: Schema.Types.ObjectId, link: 'author' },
              others: [{ type: Schema.Types.ObjectId, link: 'author' }],
            },
            { perms: { admin: 'crud' }, history: true },
          ),
      },
    });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root', '#/documents/book');
  });

  const choose = async (name: string, text: string, within = page): Promise<void> => {
    // the picker of the system, which the browser asks the test in place of a person
    const picker = within.waitForEvent('filechooser');
    await within.getByRole('button', { name: 'Choose a file' }).click();
    expect((await picker).isMultiple()).toBe(false);
    await (await picker).setFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await within.getByRole('heading', { name: 'Preview' }).waitFor();
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
    expect(lines[2]).toMatch(/^Twice,1,5,essay,,,,.*ISBN must be unique/);
  });

  test('JSON: documents are created, or changed by a unique field: what the file lacks stays', async () => {
    const [emma] = await stored('book');
    await server.as('root', 'PUT', `/api/book/${String(emma?.['_id'])}`, {
      body: { 'address.street': 'Milsom Street' },
    });
    await page.goto(`${server.url}/console#/import/note`);
    await page.getByRole('heading', { name: 'Import into Notes' }).waitFor();
    await page.goto(`${server.url}/console#/import/book`);
    await page.getByRole('heading', { name: 'Import into Books' }).waitFor();
    await choose(
      'books.json',
      '[{"isbn":"1","title":"Emma, revised","address":{"city":"Ely"}},\n{"isbn":"9","title":"New","address":{"city":"Ely"}},\n{"title":"None"}]',
    );
    await page.getByLabel('Documents', { exact: true }).selectOption({ label: 'Create, or change by ISBN' });
    await page.getByText('1 of 3 rows has faults').waitFor();
    await start();
    await page.getByText('Done: 1 created, 1 changed, 1 refused.').waitFor();
    expect((await stored('book')).map(({ title, pages, address }) => [title, pages, address])).toEqual([
      ['Emma, revised', 300, { city: 'Ely', street: 'Milsom Street' }],
      ['$5', 7, undefined],
      ['New', undefined, { city: 'Ely' }],
    ]);
  });

  test('JSON: null empties what is changed, and is stored in what is created', async () => {
    const [emma] = await stored('book');
    expect(emma?.['pages']).toBe(300);
    await page.goto(`${server.url}/console#/import/note`);
    await page.getByRole('heading', { name: 'Import into Notes' }).waitFor();
    await page.goto(`${server.url}/console#/import/book`);
    await page.getByRole('heading', { name: 'Import into Books' }).waitFor();
    await choose(
      'nulls.json',
      '[{"isbn":"1","title":"Emma, revised","pages":null},{"isbn":"77","title":"Null","pages":null}]',
    );
    await page.getByLabel('Documents', { exact: true }).selectOption({ label: 'Create, or change by ISBN' });
    await start();
    await page.getByText('Done: 1 created, 1 changed, 0 refused.').waitFor();
    const books = await stored('book');
    expect(books.filter(({ pages }) => pages === null).map(({ title }) => title)).toEqual(['Emma, revised', 'Null']);
    const made = String(books.at(-1)?.['_id']);
    await server.as('root', 'DELETE', `/api/book/${made}?_permaDelete=1`);
    await server.as('root', 'PUT', `/api/book/${String(emma?.['_id'])}`, { body: { pages: 300 } });
  });

  const long = '9007199254740993';
  test.each([
    [
      'sums.json',
      `[{"name":"kept","long":${long},"longs":[${long},1],"exact":1234567890123456.789,"text":${long},"any":{"a":0.10000000000000001}},
        {"name":"rounded","double":${long}},{"name":"inside","any":{"a":[${long}]}}]`,
    ],
    [
      'sums.csv',
      `name,long,longs,exact,text,double,any\nkept,${long},"[${long},1]",1234567890123456.789,${long},,"{""a"":0.10000000000000001}"\nrounded,,,,,${long},\ninside,,,,,,"{""a"":[${long}]}"`,
    ],
  ])('%s: long numbers keep their digits, or the row is refused', async (name, text) => {
    await page.goto(`${server.url}/console#/import/note`);
    await page.getByRole('heading', { name: 'Import into Notes' }).waitFor();
    await page.goto(`${server.url}/console#/import/sum`);
    await page.getByRole('heading', { name: 'Import into Sums' }).waitFor();
    await choose(name, text);
    await page.getByText('1 of 3 rows has faults').waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText(`Any has ${long}, which a browser would round`).waitFor();
    await start();
    await page.getByText('Done: 1 created, 0 changed, 2 refused.').waitFor();
    await page.getByText(/Double must be a number that a double holds exactly, got 9007199254740993/).waitFor();
    const rows = await stored('sum');
    expect(rows).toMatchObject([
      { long, longs: [long, 1], exact: '1234567890123456.789', text: long, any: { a: 0.1 } },
    ]);
    await server.as('root', 'DELETE', `/api/sum/${String(rows[0]?.['_id'])}?_permaDelete=1`);
  });

  test('dates in every form: the preview shows what is stored, in the time zone of the reader, and what is no date', async () => {
    const dates: readonly (readonly [written: string, shown: string, stored: string])[] = [
      ['2024-01-02', '2 Jan 2024', '2024-01-02T00:00:00.000Z'],
      ['20240102', '2 Jan 2024', '2024-01-02T00:00:00.000Z'],
      ['2015/01/01', '1 Jan 2015', '2015-01-01T00:00:00.000Z'],
      ['1999', '1 Jan 1999', '1999-01-01T00:00:00.000Z'],
      ['2024-07-02 10:00', '2 Jul 2024, 12:00', '2024-07-02T10:00:00.000Z'],
      ['2024-07-02 10:00:00+02', '2 Jul 2024, 10:00', '2024-07-02T08:00:00.000Z'],
      ['2024-01-02T23:30-05:00', '3 Jan 2024, 05:30', '2024-01-03T04:30:00.000Z'],
      ['1700000000', '14 Nov 2023, 23:13', '2023-11-14T22:13:20.000Z'],
    ];
    const none = ['12.05.1999', '05/12/1999', '46353', '2026-02-30', 'soon'];
    const { page: other, faults: others } = await open(server.url, { timezoneId: 'Europe/Berlin', locale: 'en-GB' });
    await signIn(other, server.url, 'root', '#/import/visit');
    const rows = [...dates.map(([written]) => written), ...none].map((written, at) => `${at},${written}`);
    await choose('visits.csv', `name,Began\n${rows.join('\n')}\n`, other);
    await other.getByText('5 of 13 rows have faults').waitFor();
    const preview = other.getByRole('region', { name: 'Preview' }).getByRole('row');
    // line, faults, name, date
    const last = preview.locator('td:nth-child(4)');
    expect(await last.allTextContents()).toEqual([...dates.map(([, shown]) => shown), ...none]);
    expect(await preview.locator('td:nth-child(2)').allTextContents()).toEqual([
      ...dates.map(() => '–'),
      ...none.map((written) => `Began must be a date such as 2026-11-27, got "${written}"`),
    ]);
    await other.getByRole('button', { name: 'Import', exact: true }).click();
    await other.getByText('Done: 8 created, 0 changed, 5 refused.').waitFor();
    expect((await stored('visit')).map(({ began }) => began)).toEqual(dates.map(([, , date]) => date));
    await other.goto(`${server.url}/console#/documents/visit?sort=_id&fields=name,began`);
    await other.getByText('8 documents').waitFor();
    const times = other.locator('tbody time');
    await times.nth(dates.length - 1).waitFor();
    expect(await times.allTextContents()).toEqual(dates.map(([, shown]) => shown));
    // the form and the filter show the same days and times
    for (const [at, type, value] of [
      [0, 'date', '2024-01-02'],
      [4, 'datetime-local', '2024-07-02T12:00'],
    ] as const) {
      await other
        .getByRole('row')
        .getByRole('link', { name: String(at), exact: true })
        .click();
      const began = other.getByRole('region', { name: 'Document', exact: true }).getByLabel('Began', { exact: true });
      await other.locator(`[aria-label="Document"] input[type="${type}"]`).waitFor();
      expect(await began.inputValue()).toBe(value);
      await other.getByRole('button', { name: 'Close the document' }).click();
      await began.waitFor({ state: 'detached' });
    }
    await other.getByRole('row').getByRole('link', { name: '4', exact: true }).click();
    const form = other.getByRole('region', { name: 'Document', exact: true });
    await form.getByRole('button', { name: 'Without a time: Began' }).click();
    expect(await form.getByLabel('Began', { exact: true }).inputValue()).toBe('2024-07-02');
    await form.getByRole('button', { name: 'With a time: Began' }).click();
    expect(await form.getByLabel('Began', { exact: true }).inputValue()).toBe('2024-07-02T00:00');
    await form.getByRole('button', { name: 'Without a time: Began' }).click();
    await form.getByLabel('Began', { exact: true }).fill('2024-02-29');
    await form.getByRole('button', { name: 'Save', exact: true }).click();
    await other.getByText('Saved.').waitFor();
    expect((await stored('visit')).at(4)).toMatchObject({ began: '2024-02-29T00:00:00.000Z' });
    const filter = { began: { $gte: '2024-02-29' } };
    await other.goto(`${server.url}/console#/documents/visit?filter=${encodeURIComponent(JSON.stringify(filter))}`);
    await other.getByRole('button', { name: 'Began is at least 29 Feb 2024', exact: true }).click();
    const conditions = other.getByRole('dialog', { name: 'Filter Visits' });
    await conditions.locator('input[type="date"]').waitFor();
    expect(await conditions.getByLabel('Value', { exact: true }).inputValue()).toBe('2024-02-29');
    expect(others).toEqual([]);
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
    await focusOn(page.getByRole('button', { name: 'Stop' }));
    await page.keyboard.press('Enter');
    release();
    await page.getByText('Stopped: 100 created, 0 changed, 0 refused.').waitFor();
    await page.unroute('**/batch');
    await focusOn(page.getByRole('button', { name: 'Continue' }));
    await page.keyboard.press('Enter');
    await page.getByText('Done: 350 created, 0 changed, 0 refused.').waitFor();
    await focusOn(page.getByRole('button', { name: 'Undo the import' }));
    expect(await stored('note')).toHaveLength(600);
    expect(faults).toEqual([]);
  });

  test('links by title: found together, and what is missing or there twice is a fault', async () => {
    const names = ['Ann', 'Twin', 'Twin', ...Array.from({ length: 60 }, (_, at) => `Writer ${at}`)];
    const operations = names.map((name) => ({ method: 'POST', path: '/api/author', body: { name } }));
    const made = await server.as('root', 'POST', '/batch', { body: { operations } });
    expect(made.status).toBe(200);
    const ids = new Map((await stored('author')).map(({ name, _id }) => [name, String(_id)]));
    await page.goto(`${server.url}/console#/import/part`);
    await page.getByRole('heading', { name: 'Import into Parts' }).waitFor();
    const asked: string[] = [];
    page.on('request', (request) => void (request.url().includes('/api/author') && asked.push(request.url())));
    const rows = Array.from({ length: 60 }, (_, at) => `w${at},Writer ${at},"[""Ann"",""Writer 1""]"`);
    await choose(
      'parts.csv',
      `code,Author,others\na, Ann ,\nb,Nobody,\nc,Twin,\nd,${ids.get('Ann')},Ann\n${rows.join('\n')}\n`,
    );
    await page.getByText('2 of 64 rows have faults').waitFor();
    const preview = page.getByRole('region', { name: 'Preview' });
    await preview.getByText('Author must be a document of Authors that has the name "Nobody": there is none').waitFor();
    await preview.getByText('that has the name "Twin": there are several, so give its id').waitFor();
    // links are shown as the file has them
    await preview.getByRole('cell', { name: 'Writer 0', exact: true }).waitFor();
    expect(asked.length).toBeLessThanOrEqual(6);
    await start();
    await page.getByText('Done: 62 created, 0 changed, 2 refused.').waitFor();
    expect(asked.length).toBeLessThanOrEqual(12);
    expect((await stored('part')).slice(1, 3)).toMatchObject([
      { code: 'd', author_id: ids.get('Ann'), others: [ids.get('Ann')] },
      { code: 'w0', author_id: ids.get('Writer 0'), others: [ids.get('Ann'), ids.get('Writer 1')] },
    ]);
  });

  const undo = async (): Promise<void> => {
    await page.getByRole('button', { name: 'Undo the import' }).click();
    await page.getByRole('dialog').getByText('Documents that were changed since stay as they are.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click();
  };
  const change = async (code: string, body: object): Promise<void> => {
    const { _id } = (await stored('part')).find((part) => part['code'] === code) ?? {};
    expect((await server.as('root', 'PUT', `/api/part/${String(_id)}`, { body })).status).toBe(200);
  };
  const linked = async (): Promise<unknown> => (await stored('part')).map(({ code, others }) => [code, others]);

  test('an undo deletes what was created, unless it was changed since', async () => {
    await change('w0', { others: [] });
    await undo();
    await page.getByText('Undone: 61 deleted, 0 reverted, 1 not undone.').waitFor();
    expect(await linked()).toEqual([['w0', []]]);
  });

  test('an undo reverts what was changed, where there is a history', async () => {
    for (const code of ['x', 'y']) await server.as('root', 'POST', '/api/part', { body: { code } });
    await page.getByRole('button', { name: 'Another file' }).click();
    await choose('parts.csv', 'code,others\nw0,Ann\nx,Ann\nx,Writer 2\ny,Ann\nz,Ann\n');
    await page.getByLabel('Documents', { exact: true }).selectOption({ label: 'Create, or change by Code' });
    await start();
    await page.getByText('Done: 1 created, 4 changed, 0 refused.').waitFor();
    await change('y', { others: [] });
    await undo();
    await page.getByText('Undone: 1 deleted, 2 reverted, 1 not undone.').waitFor();
    expect(await linked()).toEqual([
      ['w0', []],
      ['x', []],
      ['y', []],
    ]);
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
