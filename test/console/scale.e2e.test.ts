/** Views of much: 200 models, 80 fields, a document with 1,000 links and a list of 1,000 members. Requests and elements are counted, not times. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { idle, useBrowser, violationsInThemes } from './window.ts';

const [models, many, few] = [200, 1000, 3];

inBrowser('views of much', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  let faults: string[];
  let requests: string[] = [];
  let ids: Record<'long' | 'short', string>;
  beforeAll(async () => {
    const others = Object.fromEntries(
      Array.from({ length: models }, (_, at) => [
        `thing${at}`,
        ({ Schema }: any) => new Schema({ name: String }, { perms: { admin: 'crud' } }),
      ]),
    );
    server = await openPeople(['root'], {
      max_sessions: 5,
      models: {
        ...others,
        item: ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } }),
        wide: ({ Schema }) =>
          new Schema(
            Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`field${at}`, at % 2 ? String : Number])),
            { perms: { admin: 'crud' } },
          ),
        list: ({ Schema }) =>
          new Schema(
            {
              title: String,
              item_ids: [{ type: Schema.Types.ObjectId, link: 'item' }],
              words: [String],
              parts: [new Schema({ label: String, count: { type: Number, min: 0 } })],
            },
            { perms: { admin: 'crud' } },
          ),
      },
    });
    const { connection } = server.dossier.services;
    const items = Array.from({ length: many }, (_, at) => ({ name: `Item ${at}`, _deleted: false }));
    const made = Object.values((await connection.collection('items').insertMany(items)).insertedIds);
    const listOf = (title: string, count: number) => ({
      title,
      item_ids: made.slice(0, count),
      words: Array.from({ length: count }, (_, at) => `word ${at}`),
      parts: Array.from({ length: count }, (_, at) => ({ label: `Part ${at}`, count: at })),
      _deleted: false,
    });
    const { insertedIds } = await connection
      .collection('lists')
      .insertMany([listOf('Long', many), listOf('Short', few)]);
    ids = { long: String(insertedIds[0]), short: String(insertedIds[1]) };
    const wides = Array.from({ length: 60 }, (_, at) => ({ field0: at, field1: `Row ${at}`, _deleted: false }));
    await connection.collection('wides').insertMany(wides);
    ({ page, faults } = await open(server.url));
    page.on('request', (request) => {
      if (['fetch', 'xhr'].includes(request.resourceType())) requests.push(decodeURIComponent(request.url()));
    });
    await signIn(page, server.url, 'root');
  });

  /** Opens a view from an empty page. @returns what it has asked for, and its elements */
  async function opened(view: string, isShown: (page: Page) => Promise<unknown>) {
    await page.goto('about:blank');
    requests = [];
    await page.goto(`${server.url}/console#/${view}`);
    await isShown(page);
    await page.waitForLoadState('networkidle');
    return { requests: [...requests], elements: await page.evaluate<number>('document.querySelectorAll("*").length') };
  }

  const list = (name: string) => page.getByRole('group', { name, exact: true });
  const pages = (name: string) => page.getByRole('group', { name: `Pages of ${name}`, exact: true });
  const turn = (name: string, to: string) =>
    pages(name)
      .getByRole('button', { name: `${to} of ${name}`, exact: true })
      .click();
  const chips = (name: string) =>
    page.locator('.mantine-InputWrapper-root', { hasText: name }).locator('.mantine-Pill-root');
  const documentOf = (title: 'Long' | 'Short'): string => `documents/list/${title === 'Long' ? ids.long : ids.short}`;
  const isDocumentShown = (title: string) => async (window: Page) => {
    await window.getByRole('heading', { name: title }).waitFor();
    await list('Parts').waitFor();
    await chips('Items').getByText('Item 0', { exact: true }).waitFor();
    // the last request: whether the document has changed before it was watched
    await until(() => requests.filter((url) => url.includes('/api/list/')).length === 2);
  };
  const stored = async () => (await server.as('root', 'GET', `/api/list/${ids.long}`)).document;
  const save = async (): Promise<void> => {
    // the notice of an earlier save may still be shown
    const answered = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.keyboard.press('Control+s');
    expect((await answered).status()).toBe(200);
  };
  const focused = () => page.evaluate<string | null>('document.activeElement.getAttribute("aria-label")');

  test('a document of 1,000 links and members sends as few requests as one of three, and shows a page of them', async () => {
    const short = await opened(documentOf('Short'), isDocumentShown('Short'));
    const long = await opened(documentOf('Long'), isDocumentShown('Long'));
    const reads = (all: readonly string[]): string[] =>
      all.flatMap((url) => /\/api\/(?:list|item)/.exec(url) ?? []).toSorted();
    expect(reads(long.requests)).toEqual(reads(short.requests));
    expect(reads(long.requests)).toContain('/api/item');
    expect([await chips('Items').count(), await chips('Words').count()]).toEqual([100, 100]);
    expect(await page.locator('[data-member]').count()).toBe(50);
    expect(await violationsInThemes(page)).toEqual([]);
  });

  test('the titles of another page are read when it is shown, together', async () => {
    requests = [];
    await turn('Items', 'Last');
    await chips('Items').getByText('Item 999', { exact: true }).waitFor();
    await pages('Items').getByText('901 to 1,000 of 1,000').waitFor();
    expect(requests.filter((url) => url.includes('/api/item'))).toHaveLength(1);
    // the button leads nowhere any more
    await until(async () => (await focused()) === 'First of Items');
  });

  test('chips are removed on their page, and added to the end of the list', async () => {
    await turn('Words', 'Next');
    await chips('Words')
      .filter({ hasText: /^word 150$/ })
      .getByRole('button', { includeHidden: true })
      .click();
    await page.getByRole('combobox', { name: 'Words', exact: true }).fill('the last one');
    await page.keyboard.press('Enter');
    await pages('Words').getByText('901 to 1,000 of 1,000').waitFor();
    await chips('Words').getByText('the last one').waitFor();
    await save();
    const words = (await stored())['words'] as string[];
    expect([words.length, words[149], words[150], words.at(-1)]).toEqual([
      1000,
      'word 149',
      'word 151',
      'the last one',
    ]);
  });

  test('members are moved and removed across pages', async () => {
    await list('Parts').getByRole('button', { name: 'Move Parts 50 down' }).click();
    await pages('Parts').getByText('51 to 100 of 1,000').waitFor();
    await until(async () => (await focused()) === 'Move Parts 51 down');
    await turn('Parts', 'Last');
    await list('Parts').getByRole('button', { name: 'Remove Parts 951', exact: true }).click();
    await list('Parts').getByRole('button', { name: 'Add to Parts' }).click();
    await list('Parts').locator('[data-member="999"] :focus').waitFor();
    await page.keyboard.type('the last one');
    await save();
    const labels = ((await stored())['parts'] as { label: string }[]).map(({ label }) => label);
    expect([labels.length, labels[49], labels[50], labels[949], labels[950], labels[999]]).toEqual([
      ...[1000, 'Part 50', 'Part 49', 'Part 949', 'Part 951', 'the last one'],
    ]);
  });

  test('a refusal turns to the page of the fault, each time', async () => {
    const count = list('Parts 60').getByLabel('Count', { exact: true });
    await turn('Parts', 'First');
    await turn('Parts', 'Next');
    await count.fill('-1');
    for (let times = 0; times < 2; times++) {
      await turn('Parts', 'Last');
      await page.keyboard.press('Control+s');
      await list('Parts 60').locator('[aria-invalid]:focus').waitFor();
    }
    await count.fill('59');
  });

  /**
   * How many functions of the page each key calls, which no other load of the machine changes. What else happens meanwhile, such as an answer
   * that is late on a slow machine, adds to some of the keys: the median has none of it.
   */
  async function callsOfKey(title: 'Long' | 'Short'): Promise<number> {
    await opened(documentOf(title), isDocumentShown(title));
    const input = page.getByRole('textbox', { name: 'Title', exact: true });
    await input.fill(title);
    const inspector = await page.context().newCDPSession(page);
    await inspector.send('Profiler.enable');
    await inspector.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const calls = async (): Promise<number> => {
      await page.evaluate(idle);
      const { result } = await inspector.send('Profiler.takePreciseCoverage');
      return result
        .flatMap(({ functions }) => functions.flatMap(({ ranges }) => ranges.map(({ count }) => count)))
        .reduce((sum, count) => sum + count, 0);
    };
    // of what was done before
    await until(async () => (await calls()) < 100);
    const counts: number[] = [];
    for (const key of 'abcdefghijk') {
      await input.pressSequentially(key);
      counts.push(await calls());
    }
    expect(await input.inputValue()).toBe(`${title}abcdefghijk`);
    await inspector.detach();
    return counts.toSorted((one, other) => one - other)[5] ?? NaN;
  }

  test('a key in a field is no work for the lists beside it', async () => {
    const [short, long] = [await callsOfKey('Short'), await callsOfKey('Long')];
    // without care it is about ten times
    expect(long).toBeLessThan(4 * short);
  });

  test('a table with lists of 1,000 links shows a few, and reads their titles together', async () => {
    const table = await opened('documents/list', (window) =>
      window.getByRole('link', { name: 'Item 4', exact: true }).waitFor(),
    );
    expect(table.requests.filter((url) => url.includes('/api/item'))).toHaveLength(1);
    expect(await page.getByRole('link', { name: /^Item \d+$/ }).count()).toBe(5 + few);
    await page.getByText('+995').first().waitFor();
  });

  test('200 models are one request, and so are their counts', async () => {
    const home = await opened('', (window) =>
      window.getByRole('main').getByRole('link', { name: 'Thing199', exact: true }).waitFor(),
    );
    expect(home.requests.filter((url) => /thing\d/.test(url))).toEqual([]);
    expect(home.requests.length).toBeLessThan(20);
    expect(home.elements).toBeLessThan(models * 40);
  });

  test('a table of 80 fields shows some of them, and asks for those alone', async () => {
    const table = await opened('documents/wide', (window) =>
      window.getByRole('link', { name: 'Row 0', exact: true }).waitFor(),
    );
    const asked = table.requests.filter((url) => url.includes('/api/wide'));
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/limit=50/);
    expect(asked[0]).not.toContain('field79');
    const form = await opened('documents/wide/new', (window) => window.getByLabel('Field79').waitFor());
    expect(form.requests.length).toBeLessThan(10);
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
