/** axe-core finds no violation in the states of views: open menus and dialogs, toasts, choices, faults, refusals. In light and dark, on a desktop and on a phone. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser, violationsInThemes, type Window } from './window.ts';

/** How a state is reached from its view, and what shows that it is. */
type Reach = (page: Page) => Promise<unknown>;

const press = (page: Page, name: string | RegExp): Promise<void> =>
  page
    .getByRole('button', { name, exact: typeof name === 'string' })
    .first()
    .click();

/** On a phone, less is in sight. */
const unfold = async (page: Page): Promise<void> => {
  if ((page.viewportSize()?.width ?? 0) < 768) await press(page, 'More');
};

const dialog = (page: Page, name: string | RegExp): Promise<void> => page.getByRole('dialog', { name }).waitFor();

const states: Readonly<Record<string, readonly [view: string, reach: Reach]>> = {
  'chosen rows': [
    'documents/book',
    async (page) => {
      await page.getByRole('checkbox', { name: 'Choose A book' }).check();
      await page.getByText('1 document chosen').waitFor();
    },
  ],
  'a field of many': [
    'documents/book',
    async (page) => {
      await page.getByRole('checkbox', { name: 'Choose all documents of this page' }).check();
      await press(page, 'Change a field');
      await dialog(page, /^Change a field/);
    },
  ],
  'the form of a filter': [
    'documents/book',
    async (page) => {
      await press(page, 'Filter');
      await press(page, 'Add a condition');
      await page.getByLabel('Operator').waitFor();
    },
  ],
  'a filter as text, with a fault': [
    'documents/book',
    async (page) => {
      await press(page, 'Filter');
      await page.getByText('Text', { exact: true }).click();
      await page.getByLabel('Filter', { exact: true }).fill('{');
      await press(page, 'Apply');
      await page.getByRole('dialog').getByRole('alert').waitFor();
    },
  ],
  'conditions above a table': [
    'documents/book?filter={"pages":{"$gt":1},"lent":null}',
    (page) => page.getByRole('list', { name: 'Conditions of the filter' }).waitFor(),
  ],
  'an open choice of columns': [
    'documents/book',
    async (page) => {
      await unfold(page);
      await press(page, 'Columns');
      await page.getByRole('button', { name: 'As at first' }).waitFor();
    },
  ],
  'an open menu of views': [
    'documents/book',
    async (page) => {
      await unfold(page);
      await press(page, 'Views');
      await page.getByRole('menuitem').first().waitFor();
    },
  ],
  'saving a view': [
    'documents/book',
    async (page) => {
      await unfold(page);
      await press(page, 'Views');
      await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
      await dialog(page, 'Save as a view');
    },
  ],
  'an export': [
    'documents/book',
    async (page) => {
      await unfold(page);
      await press(page, 'Export');
      await dialog(page, /^Export/);
    },
  ],
  'the search over all models': [
    'documents/book',
    async (page) => {
      await press(page, 'Search all models');
      await page.getByRole('combobox', { name: 'Search all models' }).fill('book');
      await page.getByRole('option', { name: /Another/ }).waitFor();
    },
  ],
  'the menu of the account': [
    'account',
    async (page) => {
      await press(page, /^Account of/);
      await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    },
  ],
  'the list of keys': [
    'documents/book',
    async (page) => {
      await page.getByRole('link', { name: 'A book' }).waitFor();
      await page.keyboard.press('?');
      await dialog(page, 'Keyboard shortcuts');
    },
  ],
  'a document beside its table': [
    'documents/book?open={book}',
    (page) => page.getByRole('button', { name: 'Close the document' }).waitFor(),
  ],
  'faults in a form': [
    'documents/book/new',
    async (page) => {
      await page.getByLabel('Pages').fill('0');
      await press(page, 'Create');
      await page.getByRole('alert').first().waitFor();
    },
  ],
  'an open picker': [
    'documents/book/new',
    async (page) => {
      await page.getByRole('combobox', { name: 'Author' }).fill('Urs');
      await page.getByRole('option', { name: /Ursula/ }).waitFor();
    },
  ],
  'a toast with an undo': [
    'documents/ledger/new',
    async (page) => {
      await page.getByLabel('Amount').fill('1');
      await press(page, 'Create');
      await page.getByRole('button', { name: 'Undo' }).first().waitFor();
    },
  ],
  'a toast of a failure': [
    `users/{eve}`,
    async (page) => {
      await page.route(/\/api\/user\//, (route) =>
        route.request().method() === 'PUT'
          ? route.fulfill({ status: 500, json: { status: 'fail', err: 'a fault' } })
          : route.continue(),
      );
      await page.getByLabel('New password').fill('x');
      await press(page, 'Set the password');
      await page.locator('.mantine-Notification-root').getByText('This did not work').waitFor();
    },
  ],
  'a confirmation': [
    'users/{eve}',
    async (page) => {
      await press(page, 'Reset the second factor');
      await dialog(page, /^Reset/);
    },
  ],
  'an invitation': [
    'users',
    async (page) => {
      await press(page, 'Invite');
      await dialog(page, 'Invite');
    },
  ],
  'a new webhook': [
    'webhooks',
    async (page) => {
      await press(page, 'New webhook');
      await dialog(page, 'New webhook');
    },
  ],
  'a refused list': [
    'documents/author?filter={"nosuch":1}',
    (page) => page.getByRole('main').getByRole('alert').waitFor(),
  ],
  'a server that is busy': [
    'documents/author',
    async (page) => {
      await page.route(/\/api\/author/, (route) =>
        route.fulfill({ status: 503, headers: { 'retry-after': '600' }, json: { status: 'fail', err: 'later' } }),
      );
      await page.reload();
      await page.getByRole('main').getByText('It is tried again').waitFor();
      await page.getByText('They are sent again').waitFor();
    },
  ],
  'a question before work is left': [
    'documents/book/new',
    async (page) => {
      await page.getByLabel('Title').fill('Not saved');
      await page.evaluate("window.location.hash = '#/account'");
      await dialog(page, 'Discard your changes?');
    },
  ],
};

/** States that leave something behind: what is typed, toasts, answers of the test. After them the page is loaded again, which takes longest. */
const staying: ReadonlySet<string> = new Set([
  'faults in a form',
  'an open picker',
  'a toast with an undo',
  'a toast of a failure',
  'a server that is busy',
  'a question before work is left',
]);

/** Leaves a state for a view that has none. */
async function leave(page: Page, base: string, isLoaded: boolean): Promise<void> {
  if (!isLoaded) {
    await page.unrouteAll();
    // the form of an earlier state asks before it is left within the page, and opens again with its draft
    await dropDrafts(page);
    await page.goto('about:blank');
  } else await page.keyboard.press('Escape');
  await page.goto(`${base}#/nosuch`);
  await page.getByRole('main').getByText('There is nothing').waitFor();
  await page.getByRole('dialog').and(page.locator(':visible')).waitFor({ state: 'detached' });
}

const dropDrafts = (page: Page): Promise<void> =>
  page.evaluate(
    "Object.keys(sessionStorage).filter((key) => key.includes('dossier.draft')).forEach((key) => sessionStorage.removeItem(key))",
  );

inBrowser('accessible states', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let windows: readonly Window[];
  let ids: Record<string, string>;
  let isLoaded = false;
  beforeAll(async () => {
    server = await openLibrary();
    const [author] = await fill(server, 'author', [{ name: 'Ursula' }]);
    const document = { title: 'A book', pages: 10, kind: 'novel', tags: ['x', 'y'], author_id: author };
    const [book = ''] = await fill(server, 'book', [document, { title: 'Another book', pages: 3 }]);
    ids = { book, eve: server.callers.eve.user_id };
    windows = [await open(server.url), await open(server.url, { viewport: { width: 360, height: 640 } })];
    for (const { page } of windows) await signIn(page, server.url, 'root');
  });

  test('the drawer of the navigation on a phone', async () => {
    const [, phone] = windows;
    await phone?.page.goto(`${server.url}/console#/account`);
    await phone?.page.getByRole('button', { name: 'Navigation' }).click();
    await phone?.page.getByRole('dialog', { name: 'Navigation' }).getByRole('link', { name: 'Books' }).waitFor();
    expect(phone && (await violationsInThemes(phone.page))).toEqual([]);
  });

  test.each(Object.entries(states))('%s', async (name, [view, reach]) => {
    const hash = view.replace(/\{(book|eve)\}/g, (_, id: string) => ids[id] ?? '');
    const wasLoaded = isLoaded;
    isLoaded = false;
    const found = await Promise.all(
      windows.map(async ({ page }) => {
        await leave(page, `${server.url}/console`, wasLoaded);
        await page.goto(`${server.url}/console#/${hash}`);
        await page.getByRole('main').getByText('There is nothing').waitFor({ state: 'detached' });
        await reach(page);
        return violationsInThemes(page);
      }),
    );
    isLoaded = !staying.has(name);
    expect(found).toEqual([[], []]);
  });
});
