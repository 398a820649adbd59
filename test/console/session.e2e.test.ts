/** Setting up a server in the console, signing in and out, and what the browser stores. */
import { beforeAll, expect, test } from '@jest/globals';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { startServer } from '../support/server.ts';
import { openLibrary, sendSignIn, signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('the session of the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  beforeAll(async () => {
    server = await openLibrary();
  });

  test('a new server is set up: the first admin signs in', async () => {
    const fresh = await startServer();
    const { page, faults } = await open(fresh.url);
    await page.goto(`${fresh.url}/console`);
    await page.getByRole('heading', { name: 'Set up Dossier' }).waitFor();
    await page.getByRole('button', { name: 'Create the admin' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Email').fill('me@x.test');
    await page.getByLabel('Password', { exact: true }).fill('correct horse');
    await page.getByRole('button', { name: 'Create the admin' }).click();
    await page.getByRole('button', { name: 'Account of me@x.test' }).waitFor();
    const { body } = await fresh.get('/setup');
    expect([body['needed'], faults]).toEqual([false, []]);
    await page.goto(`${fresh.url}/console#/account`);
    await page.getByText('The setting MAX_SESSIONS of the server allows more.').waitFor();
    expect(await violationsOf(page)).toEqual([]);
  });

  test('a wrong password is refused with the message of the server', async () => {
    const { page } = await open(server.url);
    await page.goto(`${server.url}/console`);
    await sendSignIn(page, 'eve@x.test', 'wrong');
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('heading', { name: 'Sign in to Dossier' }).count()).toBe(1);
  });

  test('only the refresh token is stored, a reload keeps the session, and signing out removes everything', async () => {
    const { page, faults } = await open(server.url);
    await signIn(page, server.url, 'eve');
    const stored = 'Object.values({ ...sessionStorage }).concat(Object.values({ ...localStorage }))';
    const [kept = '{}'] = await page.evaluate<string[]>(stored);
    expect(Object.keys(JSON.parse(kept) as object).sort()).toEqual([
      'refresh_token',
      'refresh_token_expires',
      'user_id',
    ]);
    await page.reload();
    const account = page.getByRole('button', { name: 'Account of eve@x.test' });
    await account.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    expect(await page.evaluate(stored)).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('a session that ends elsewhere asks to sign in, at the same view', async () => {
    const { page } = await open(server.url);
    await signIn(page, server.url, 'eve', '#/documents/book');
    await page.getByRole('heading', { name: 'book' }).waitFor();
    await server.as('eve', 'DELETE', '/login/sessions');
    await page.getByRole('link', { name: 'author' }).click();
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    expect(page.url()).toContain('#/documents/author');
  });

  test('the next user sees nothing of the previous one', async () => {
    const { page } = await open(server.url);
    await signIn(page, server.url, 'root');
    await page.getByRole('link', { name: 'ledger' }).first().waitFor();
    await page.getByRole('button', { name: 'Account of root@x.test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    await signIn(page, server.url, 'eve');
    await page.getByRole('link', { name: 'author' }).first().waitFor();
    expect(await page.getByText('ledger').count()).toBe(0);
  });
});
