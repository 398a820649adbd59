/** The rows of a table: their title is the link, they open as a whole, and their values are shown by kind. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser } from './window.ts';

const hour = 3_600_000;
const hostile = '<img src=x onerror="throw Error(1)">';

/** What a printed page should not have: something to press, other colours, marked links, and texts that are cut off. */
const unprintable = `[...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && one.closest('[aria-hidden]') === null).flatMap((one) => {
  const { color, backgroundColor, overflowX, textDecorationLine } = getComputedStyle(one);
  const isText = /^(INPUT|TEXTAREA)$/.test(one.tagName);
  const isCut = one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1;
  const faults = {
    'can be pressed': one.matches('button:not(th *), nav, header, [role=tablist], input[type=checkbox]:not([role=switch])'),
    'is not black': color !== 'rgb(0, 0, 0)',
    'has a ground': !/rgba\\(.*, 0\\)|rgb\\(255, 255, 255\\)/.test(backgroundColor),
    'is marked': one.tagName === 'A' && textDecorationLine !== 'none',
    'is cut off': isCut && (isText || (overflowX !== 'visible' && one.clientWidth > 1)),
  };
  const name = one.tagName + '.' + one.className + ' ' + (one.value ?? one.textContent).slice(0, 40);
  return Object.keys(faults).filter((fault) => faults[fault]).map((fault) => name + ' ' + fault);
})`;

inBrowser('rows in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let ids: readonly string[];
  const recent = new Date(Date.now() - 3 * hour - 60_000).toISOString();
  beforeAll(async () => {
    server = await openLibrary();
    const [author = ''] = await fill(server, 'author', [{ name: 'Ursula' }]);
    const full = { kind: 'novel', lent: true, pages: 300, tags: ['x', 'y'], released: recent, author_id: author };
    ids = [
      ...(await fill(server, 'book', [{ title: 'Full', ...full }])),
      ...(await fill(server, 'book', [{ title: 'Old', released: '1999-03-05T00:00:00.000Z' }])),
      ...(await fill(server, 'book', [{ title: hostile }])),
      ...(await fill(server, 'ledger', [{ amount: 3 }])),
    ];
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const headers = async (): Promise<string[]> =>
    (await page.getByRole('columnheader').allTextContents()).map((text) => text.trim());

  test('columns by rank, and no column of ids', async () => {
    await go('documents/book');
    await row('Full').waitFor();
    expect(await headers()).toEqual([
      '',
      'Title',
      'Kind',
      'Lent',
      'Author',
      'Pages',
      'Address: City',
      'Address: Street',
    ]);
    expect(await page.getByRole('main').textContent()).not.toContain(ids[0]?.slice(-6));
  });

  test('values by kind: choices, yes and no, chips of links, dates as they are, with the exact one on hover', async () => {
    await go('documents/book?fields=title,kind,lent,author_id,released,tags');
    const cells = row('Full').getByRole('cell');
    // the columns are shown before their values are read
    await row('Full').locator('time').waitFor();
    await row('Full').getByRole('link', { name: 'Ursula' }).waitFor();
    const exact = await page.evaluate<string>(
      `new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(new Date('${recent}'))`,
    );
    expect(await cells.allTextContents()).toEqual(['', 'Full', 'novel', 'yes', 'Ursula', exact, 'xy']);
    const time = row('Full').locator('time');
    expect(await time.getAttribute('datetime')).toBe(recent);
    expect(await time.getAttribute('title')).toContain(String(new Date(recent).getFullYear()));
    expect(await row('Old').locator('time').textContent()).toBe('Mar 5, 1999');
    expect(await row('Old').locator('time').getAttribute('title')).toBe('Friday, March 5, 1999');
    await row('Full').getByRole('link', { name: 'Ursula' }).click();
    await page.getByRole('heading', { name: 'Ursula' }).waitFor();
    // when a document was changed is relative to now
    await go('documents/book?fields=title,updatedAt');
    await row('Full')
      .locator('time')
      .filter({ hasText: /ago|now/ })
      .waitFor();
  });

  test('a hostile title is text, and the link', async () => {
    await go('documents/book');
    await page.getByRole('link', { name: hostile }).click();
    await page.getByRole('heading', { name: hostile }).waitFor();
  });

  test('the whole row opens, but not by its box, nor by the selection of a text', async () => {
    await go('documents/book');
    const box = page.getByLabel('Choose Full');
    await box.check();
    expect(page.url()).toMatch(/documents\/book$/);
    const { x, y, width, height } = (await row('Full').getByText('300').boundingBox()) ?? {
      x: 0,
      y: 0,
      width: 0,
      height: 0,
    };
    await page.mouse.move(x + width - 2, y + height / 2);
    await page.mouse.down();
    await page.mouse.move(x + 1, y + height / 2, { steps: 4 });
    await page.mouse.up();
    expect(await page.evaluate('String(window.getSelection())')).toContain('300');
    expect(page.url()).toMatch(/documents\/book$/);
    await row('Full').getByText('300').click();
    await page.getByRole('heading', { name: 'Full' }).waitFor();
  });

  test('without a title the end of the id is the link, and without its column the title has one of its own', async () => {
    await go('documents/ledger');
    const last = String(ids[3]);
    await page.getByRole('link', { name: `…${last.slice(-6)}` }).waitFor();
    expect(await headers()).toEqual(['', 'Document', 'Amount', 'Updated']);
    await go('documents/book?fields=pages');
    await page.getByRole('link', { name: 'Full', exact: true }).click();
    await page.getByRole('heading', { name: 'Full' }).waitFor();
  });

  test('a model file can name the path of the title', async () => {
    await fill(server, 'letter', [{ name: 'L-1', subject: 'Hello' }]);
    await go('documents/letter');
    await page.getByRole('link', { name: 'Hello', exact: true }).click();
    await page.getByRole('heading', { name: 'Hello' }).waitFor();
  });

  test('printed: lists and documents are black on white, their texts are whole, and there is nothing to press', async () => {
    const long = `${'Von der langen Reise und allem, was darauf geschah. '.repeat(5)}Ende`;
    const [book = ''] = await fill(server, 'book', [
      {
        title: long,
        lent: true,
        kind: 'essay',
        tags: [long.slice(0, 55)],
        released: recent,
        extra: { a: [1] },
        parts: [{ label: long }],
      },
    ]);
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
    for (const [view, shown] of [
      ['documents/book?fields=title,kind,tags,author_id,released', 'Full'],
      [`documents/book?open=${book}`, 'Kept by the server'],
      [`documents/book/${book}`, 'Kept by the server'],
    ] as const) {
      await go(view);
      await page
        .getByRole('link', { name: shown, exact: true })
        .or(page.getByRole('table', { name: shown }))
        .waitFor();
      expect(await page.evaluate<string[]>(unprintable)).toEqual([]);
    }
    await go('documents/book?fields=title,kind,pages');
    const cells = row('Full').locator('td >> visible=true');
    await cells.getByText('300').waitFor();
    expect(await page.locator('th >> visible=true').allTextContents()).toEqual(['Title', 'Kind', 'Pages']);
    expect(await cells.allTextContents()).toEqual(['Full', 'novel', '300']);
    await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
