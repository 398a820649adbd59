/** Drafts of forms: what is typed and not saved survives a reload of the page and the end of the session. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { emailOf, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

interface Form {
  readonly view: string;
  /** What is done before something is typed, and again after a reload; without it the form is there by itself. */
  readonly open?: (page: Page) => Promise<unknown>;
  /** Opens the form at first, where it opens by itself after a reload. */
  readonly first?: (page: Page) => Promise<unknown>;
  readonly type: (page: Page) => Promise<unknown>;
  /** What was typed. */
  readonly read: (page: Page) => Promise<unknown>;
  readonly typed: unknown;
  /** Types again what no draft keeps. */
  readonly again?: (page: Page) => Promise<unknown>;
  readonly save: string;
  /** A text that is shown once it is saved. */
  readonly saved: string | RegExp;
}

const again = 'Your changes that are not saved yet are here again.';
const dialog = (page: Page) => page.getByRole('dialog');
const press = (page: Page, name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
const choose = (page: Page, name: string): Promise<void> => page.getByRole('menuitem', { name }).click();
/** An input, by its name without the mark of those that are required. */
const value = (page: Page, name: string) =>
  dialog(page)
    .getByRole('textbox', { name, exact: true })
    .or(dialog(page).getByRole('combobox', { name, exact: true }));
const chooseAll = (page: Page) => page.getByLabel('Choose all documents of this page').check();
const edit = async (page: Page, text: string): Promise<void> => {
  await page.locator('.cm-content').first().click();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
};
const edited = (page: Page) => page.locator('.cm-content').first().textContent();

const forms: Readonly<Record<string, Form>> = {
  'a new saved view': {
    view: '#/documents/book?sort=-title',
    first: async (page) => (await press(page, 'Views'), await choose(page, 'Save as a new view')),
    type: async (page) => {
      await value(page, 'Title').fill('By title');
      await dialog(page).getByRole('checkbox').check();
    },
    read: async (page) => [
      await value(page, 'Title').inputValue(),
      await dialog(page).getByRole('checkbox').isChecked(),
    ],
    typed: ['By title', true],
    save: 'Save',
    saved: 'View: By title',
  },
  'a figure': {
    view: '#/',
    first: (page) => press(page, 'Add a figure'),
    type: async (page) => {
      await value(page, 'Of').selectOption('book');
      await value(page, 'Show').selectOption('sum');
      await dialog(page).getByRole('button', { name: 'Add a condition' }).click();
      await value(page, 'Title').fill('All pages');
    },
    read: async (page) => [
      await value(page, 'Of').inputValue(),
      await value(page, 'Show').inputValue(),
      await value(page, 'Title').inputValue(),
      await dialog(page).locator('.condition').count(),
    ],
    typed: ['book', 'sum', 'All pages', 1],
    save: 'Add',
    saved: 'All pages',
  },
  'a figure that is changed': {
    view: '#/',
    first: (page) => press(page, 'Change “All pages”'),
    type: (page) => value(page, 'Title').fill('Each page'),
    read: (page) => value(page, 'Title').inputValue(),
    typed: 'Each page',
    save: 'Save',
    saved: 'Each page',
  },
  'a figure of a table': {
    view: '#/documents/book',
    first: async (page) => (await press(page, 'Views'), await choose(page, 'Save as a figure')),
    type: (page) => value(page, 'Title').fill('Of the table'),
    read: (page) => value(page, 'Title').inputValue(),
    typed: 'Of the table',
    save: 'Add',
    saved: 'The figure is on the home page.',
  },
  'a filter': {
    view: '#/documents/book',
    first: (page) => press(page, 'Filter'),
    type: async (page) => {
      await dialog(page).getByText('Text', { exact: true }).click();
      await value(page, 'Filter').fill('{"title":"Dune"}');
    },
    read: (page) => value(page, 'Filter').inputValue(),
    typed: '{"title":"Dune"}',
    save: 'Apply',
    saved: '1 document',
  },
  'the change of a field of many': {
    view: '#/documents/book',
    open: async (page) => (await chooseAll(page), await press(page, 'Change a field')),
    type: async (page) => {
      await value(page, 'Field').selectOption('pages');
      await value(page, 'New value').fill('77');
    },
    read: async (page) => [await value(page, 'Field').inputValue(), await value(page, 'New value').inputValue()],
    typed: ['pages', '77'],
    save: 'Change',
    saved: /Pages of .* changed/,
  },
  'an invitation': {
    view: '#/users',
    first: (page) => press(page, 'Invite'),
    type: async (page) => {
      await value(page, 'Email').fill('new@x.test');
      await value(page, 'Groups').fill('curator');
      await page.keyboard.press('Enter');
    },
    read: async (page) => [
      await value(page, 'Email').inputValue(),
      await dialog(page).getByText('curator', { exact: true }).count(),
    ],
    typed: ['new@x.test', 1],
    save: 'Send the invitation',
    saved: /No mail is sent/,
  },
  'a webhook': {
    view: '#/webhooks',
    first: (page) => press(page, 'New webhook'),
    type: async (page) => {
      await value(page, 'Address').fill('https://192.0.2.1/its-secret');
      await value(page, 'Description').fill('For the shop');
    },
    read: async (page) => [await value(page, 'Address').inputValue(), await value(page, 'Description').inputValue()],
    typed: ['', 'For the shop'],
    again: async (page) => {
      expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain('its-secret');
      await value(page, 'Address').fill('https://192.0.2.1/its-secret');
    },
    save: 'Create',
    saved: 'https://192.0.2.1/',
  },
  'a key': {
    view: '#/account',
    first: (page) => press(page, 'New key'),
    type: async (page) => {
      await value(page, 'Name').fill('Reader');
      await value(page, 'Scopes').fill('book: r');
    },
    read: async (page) => [await value(page, 'Name').inputValue(), await value(page, 'Scopes').inputValue()],
    typed: ['Reader', 'book: r'],
    save: 'Create',
    saved: 'Reader',
  },
  'a query': {
    view: '#/queries?model=book',
    type: (page) => edit(page, '{"title":"Dune"}'),
    read: edited,
    typed: '{"title":"Dune"}',
    save: 'Run',
    saved: '1 row',
  },
  'a call': {
    view: '#/functions?function=book.longest',
    type: (page) => edit(page, '{"above":10}'),
    read: edited,
    typed: '{"above":10}',
    save: 'Call',
    saved: '[',
  },
  'an import': {
    view: '#/import/book',
    open: async (page) => {
      const buffer = Buffer.from('title,size\nFrom a file,12\n');
      await page.locator('input[type="file"]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('region', { name: 'Preview' }).waitFor();
    },
    type: (page) => page.getByLabel('Field of size').selectOption('pages'),
    read: (page) => page.getByLabel('Field of size').inputValue(),
    typed: 'pages',
    save: 'Import',
    saved: 'Done: 1 created, 0 changed, 0 refused.',
  },
};

inBrowser('drafts of forms', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary({ max_sessions: 1, webhook: { allow: ['*'] } });
    await fill(server, 'book', [
      { title: 'Dune', pages: 1 },
      { title: 'Emma', pages: 2 },
    ]);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const drafts = () =>
    page.evaluate<string[]>("Object.keys(sessionStorage).filter((key) => key.includes('dossier.draft'))");
  const noDrafts = () => until(async () => (await drafts()).length === 0);
  /** The draft ends when the dialog has left the page. */
  const closeDialog = async (): Promise<void> => {
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await noDrafts();
  };
  const show = async (view: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${server.url}/console${view}`);
    await page.getByRole('button', { name: `Account of ${emailOf('root')}` }).waitFor();
  };
  const signOut = async (person: 'root' | 'eve'): Promise<void> => {
    await page.getByRole('button', { name: `Account of ${emailOf(person)}` }).click();
    await choose(page, 'Sign out');
  };
  const begin = async ({ view, open: before, first, type }: Form): Promise<void> => {
    await show(view);
    await before?.(page);
    await first?.(page);
    await type(page);
  };

  test.each(Object.entries(forms))('%s is there after a reload, until it is saved', async (_, form) => {
    await begin(form);
    await until(async () => (await drafts()).length === 1);
    await page.reload();
    await form.open?.(page);
    await page.getByText(again).waitFor();
    expect(await form.read(page)).toEqual(form.typed);
    expect(await violationsOf(page)).toEqual([]);
    await form.again?.(page);
    await press(page, form.save);
    await page.getByText(form.saved).first().waitFor();
    await noDrafts();
    expect(faults).toEqual([]);
  });

  test('the title of a saved view is there again, until it is discarded', async () => {
    await show('#/documents/book');
    await press(page, 'Views');
    await choose(page, 'By title');
    await press(page, 'View: By title');
    await choose(page, 'Rename or share');
    await value(page, 'Title').fill('Another title');
    await page.reload();
    await page.getByText(again).waitFor();
    expect(await value(page, 'Title').inputValue()).toBe('Another title');
    await press(page, 'Discard them');
    expect(await value(page, 'Title').inputValue()).toBe('By title');
    await noDrafts();
  });

  test('a dialog that is closed discards its draft', async () => {
    await show('#/users');
    await press(page, 'Invite');
    await value(page, 'Email').fill('unsent@x.test');
    await closeDialog();
    await page.reload();
    await press(page, 'Invite');
    expect(await value(page, 'Email').inputValue()).toBe('');
  });

  test('a reload while the session has ended loses nothing; another user does not see it', async () => {
    await show('#/users');
    await press(page, 'Invite');
    await value(page, 'Email').fill('later@x.test');
    await server.post('/login', { email: emailOf('root'), password: passwordOf('root') });
    await press(page, 'Send the invitation');
    await page.getByRole('dialog', { name: 'Sign in to Dossier' }).waitFor();
    await page.reload();
    await signIn(page, server.url, 'eve', '#/users');
    expect(await page.getByText(again).count()).toBe(0);
    await signOut('eve');
    await signIn(page, server.url, 'root', '#/users');
    await page.getByText(again).waitFor();
    expect(await value(page, 'Email').inputValue()).toBe('later@x.test');
    await closeDialog();
  });

  test('signing out asks where there is a draft in another view, and discards it', async () => {
    await begin({ ...(forms['a query'] as Form), view: '#/queries?model=author' });
    await page.getByRole('link', { name: 'Authors' }).click();
    await page.getByRole('heading', { name: 'Authors' }).waitFor();
    await signOut('root');
    await dialog(page).getByRole('button', { name: 'Cancel' }).click();
    await until(async () => (await drafts()).length === 1);
    await signOut('root');
    await dialog(page).getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    await noDrafts();
  });

  test('the end of the session in another tab keeps the draft of a dialog that is open again', async () => {
    await signIn(page, server.url, 'root', '#/users');
    await press(page, 'Invite');
    await value(page, 'Email').fill('later@x.test');
    await page.reload();
    await page.getByText(again).waitFor();
    const other = await page.context().newPage();
    await other.goto(`${server.url}/console`);
    await other.getByRole('button', { name: `Account of ${emailOf('root')}` }).click();
    await choose(other, 'Sign out');
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    await other.close();
    await signIn(page, server.url, 'root', '#/users');
    await page.getByText(again).waitFor();
    expect(await value(page, 'Email').inputValue()).toBe('later@x.test');
    await closeDialog();
  });

  test('a password that is typed into JSON is not kept', async () => {
    await begin({ ...(forms['a call'] as Form), type: (of) => edit(of, '{"above":1}') });
    await until(async () => (await drafts()).length === 1);
    await edit(page, '{"above":1,"password":"hunter');
    await until(async () => !(await kept()).includes('above'));
    expect(await kept()).not.toContain('hunter');
    await edit(page, '{}');
    await noDrafts();
  });

  const kept = () => page.evaluate<string>('JSON.stringify({ ...sessionStorage })');
  /** Has a draft name a field that the model does not have any more. */
  const rename = (path: string) =>
    page.evaluate(
      `Object.entries({ ...sessionStorage }).forEach(([key, text]) => key.includes('dossier.draft') && sessionStorage.setItem(key, text.replaceAll('"${path}"', '"gone"')))`,
    );

  test('a field that has gone since is left out', async () => {
    await begin({ ...(forms['the change of a field of many'] as Form) });
    await rename('pages');
    await page.reload();
    await chooseAll(page);
    await press(page, 'Change a field');
    expect(await value(page, 'Field').inputValue()).toBe('title');
    expect(await value(page, 'New value').inputValue()).toBe('');
    await closeDialog();
    await show('#/documents/book/new');
    await page.getByLabel('Pages').fill('3');
    await page.getByLabel('Title').fill('Kept');
    await rename('pages');
    await page.reload();
    await page.getByText(again).waitFor();
    expect([await page.getByLabel('Title').inputValue(), await page.getByLabel('Pages').inputValue()]).toEqual([
      'Kept',
      '',
    ]);
    expect(await kept()).not.toContain('gone');
    await press(page, 'Discard them');
    await noDrafts();
  });
});
