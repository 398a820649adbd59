/** Sessions that end while there is work on the page: it stays, and its user signs in over it. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { emailOf, passwordOf, type PeopledServer } from '../support/fixtures/people.ts';
import { fill, openLibrary, sendSignIn, signIn } from './library.ts';
import { noticed } from './notices.ts';
import { focusOn, useBrowser, violationsInThemes } from './window.ts';

inBrowser('signing in again', () => {
  const open = useBrowser('test');
  let server: PeopledServer<'root' | 'eve'>;
  let id: string;
  beforeAll(async () => {
    server = await openLibrary({ max_sessions: 1 });
    [id = ''] = await fill(server, 'book', [{ title: 'Dune', pages: 1 }]);
  });

  const dialog = (page: Page) => page.getByRole('dialog', { name: 'Sign in to Dossier' });
  const visit = async (view: string) => {
    const opened = await open(server.url);
    await signIn(opened.page, server.url, 'root', view);
    return opened;
  };
  const signInElsewhere = () =>
    server.post('/login', { email: emailOf('root'), password: passwordOf('root') }).then(({ status }) => status);
  const again = async (page: Page): Promise<void> => {
    await dialog(page).getByLabel('Password', { exact: true }).fill(passwordOf('root'));
    await page.keyboard.press('Enter');
    await dialog(page).waitFor({ state: 'detached' });
  };

  test('the form stays, the dialog says why, and what was sent meanwhile is saved', async () => {
    const { page, faults } = await visit(`#/documents/book/${id}`);
    await page.getByLabel('title').fill('Dune Messiah');
    expect(await signInElsewhere()).toBe(200);
    await dialog(page).waitFor();
    await dialog(page).getByText('you have signed in elsewhere').waitFor();
    await dialog(page).getByText('signing in here ends your session in another one').waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await focusOn(dialog(page).getByLabel('Password', { exact: true }));
    // what is below can neither be closed nor used
    await page.keyboard.press('Escape');
    expect(await page.getByLabel('title').inputValue()).toBe('Dune Messiah');
    await again(page);
    await focusOn(page.getByLabel('title'));
    await noticed(page, 'Saved.', () => page.keyboard.press('Control+s'));
    // a request that finds the session ended waits for the password
    await page.getByLabel('title').fill('Children of Dune');
    await signInElsewhere();
    await page.keyboard.press('Control+s');
    await dialog(page).waitFor();
    await noticed(page, 'Saved.', () => again(page));
    expect(faults).toEqual([]);
  });

  test('a wrong password is refused; a reload goes to the sign-in form, after which the draft is there', async () => {
    const { page } = await visit(`#/documents/book/${id}`);
    await page.getByLabel('title').fill('Kept');
    await signInElsewhere();
    await dialog(page).getByLabel('Password', { exact: true }).fill('wrong');
    await page.keyboard.press('Enter');
    await dialog(page).getByRole('alert').waitFor();
    page.on('dialog', (asked) => void asked.accept());
    await page.reload();
    await sendSignIn(page, emailOf('root'), passwordOf('root'));
    await page.getByText('Your changes that are not saved yet are here again.').waitFor();
    expect(await page.getByLabel('title').inputValue()).toBe('Kept');
    await page.getByRole('button', { name: 'Discard them' }).click();
    await page.reload();
    await page.getByLabel('title').waitFor();
    expect(await page.getByLabel('title').inputValue()).not.toBe('Kept');
  });

  test.each<
    [what: string, view: string, begin: (page: Page) => Promise<unknown>, action: string, outcome: string | RegExp]
  >([
    [
      'a new document',
      '#/documents/book/new',
      (page) => page.getByLabel('title').fill('New one'),
      'Create',
      'Created.',
    ],
    [
      'the change of a field of many',
      '#/documents/book',
      async (page) => {
        await page.getByLabel('Choose all documents of this page').check();
        await page.getByRole('button', { name: 'Change a field' }).click();
        await page.getByRole('dialog').getByLabel('Field').selectOption('pages');
        await page.getByRole('dialog').getByLabel('New value').fill('77');
      },
      'Change',
      /Pages of .* changed/,
    ],
    [
      'a figure',
      '',
      async (page) => {
        await page.getByRole('button', { name: 'Add a figure' }).click();
        await page.getByRole('dialog').getByLabel('Title').fill('All the books');
      },
      'Add',
      'All the books',
    ],
    [
      'an invitation',
      '#/users',
      async (page) => {
        await page.getByRole('button', { name: 'Invite' }).click();
        await page.getByRole('dialog').getByLabel('Email').fill('new@x.test');
      },
      'Send the invitation',
      /No mail is sent/,
    ],
    [
      'a query',
      '#/queries',
      async (page) => {
        await page.locator('.cm-content').first().click();
        await page.keyboard.press('Control+a');
        await page.keyboard.insertText('{"title":"Of nothing"}');
      },
      'Run',
      'Of nothing',
    ],
    [
      'an import',
      '#/import/book',
      async (page) => {
        const buffer = Buffer.from('title\nFrom a file\n');
        await page.locator('input[type="file"]').setInputFiles({ name: 'a.csv', mimeType: 'text/csv', buffer });
        await page.getByRole('region', { name: 'Preview' }).getByText('From a file').waitFor();
      },
      'Import',
      'Done: 1 created, 0 changed, 0 refused.',
    ],
  ])('%s stays, and is sent afterwards', async (_, view, begin, action, outcome) => {
    const { page } = await visit(view);
    await begin(page);
    await signInElsewhere();
    // a live list finds out by itself
    if (view !== '#/documents/book') await page.getByRole('button', { name: action, exact: true }).click();
    await dialog(page).waitFor();
    await again(page);
    if (view === '#/documents/book') await page.getByRole('button', { name: action, exact: true }).click();
    await page.getByText(outcome).first().waitFor();
  });

  test('signing out here asks where there is unsaved work, and discards the draft', async () => {
    const { page } = await visit(`#/documents/book/${id}`);
    await page.getByLabel('title').fill('Never saved');
    await page.getByRole('button', { name: 'Account of root@x.test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('dialog', { name: 'Discard your changes?' }).getByRole('button', { name: 'Cancel' }).click();
    expect(await page.getByLabel('title').inputValue()).toBe('Never saved');
    await page.getByRole('button', { name: 'Account of root@x.test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    expect(await page.evaluate('Object.values({ ...sessionStorage })')).toEqual([]);
  });

  test('the dialog signs out too, and discards what is on the page', async () => {
    const { page } = await visit(`#/documents/book/${id}`);
    await page.getByLabel('title').fill('Never saved');
    await signInElsewhere();
    await dialog(page).getByRole('button', { name: 'Discard what is not saved, and sign out' }).click();
    await page.getByRole('main').getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    expect(await page.evaluate('Object.values({ ...sessionStorage })')).toEqual([]);
  });
});
