/** The console of a server whose users sign in by another field than the email (`LOGIN_FIELD`). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { basic } from '../support/fixtures/people.ts';
import { type Mailbox, openMailbox } from '../support/mailbox.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { sendSignIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

const password = 'correct horse';
const user = `import { Schema } from 'mongoose';
export default new Schema({ username: String, password: String }, { perms: { admin: 'crud', owner: 'ru' } });`;

inBrowser('signing in by a name', () => {
  const open = useBrowser();
  let mailbox: Mailbox;
  let server: TestServer;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    mailbox = await openMailbox();
    server = await startServer({
      models: { 'user.ts': user },
      login_field: 'username',
      max_sessions: 1,
      smtp: { url: mailbox.url, from: 'Dossier <dossier@app.example>' },
      password_recovery_url: 'https://app.example/reset?jwt=',
    });
    ({ page, faults } = await open(server.url));
  });
  afterAll(() => mailbox.close());

  const account = (name: string) => page.getByRole('button', { name: `Account of ${name}` });

  test('the first admin is set up by a name, signs out and in again', async () => {
    await page.goto(`${server.url}/console#/users`);
    const form = page.locator('form').filter({ has: page.getByRole('button', { name: 'Create the admin' }) });
    await form.getByLabel('Username').fill('root');
    await form.getByLabel('Password', { exact: true }).fill(password);
    await form.getByRole('button', { name: 'Create the admin' }).click();
    await account('root').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    await sendSignIn(page, 'root', password, 'Username');
    await account('root').waitFor();
  });

  test('people are listed, sought and invited by their names', async () => {
    const headers = basic('root', password);
    expect((await server.post('/api/user', { username: 'ann', password }, { headers })).status).toBe(201);
    await page.goto(`${server.url}/console#/users`);
    const rows = page.getByRole('region', { name: 'Users' }).getByRole('row');
    await rows.filter({ hasText: 'root' }).waitFor();
    await page.getByLabel('Search by username').fill('an');
    await rows.filter({ hasText: 'ann' }).waitFor();
    await rows.filter({ hasText: 'root' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite' });
    await dialog.getByLabel('Username').fill('bob');
    await dialog.getByLabel('Email').fill('bob@x.test');
    expect(await violationsOf(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Send the invitation' }).click();
    await page.getByText('The invitation is sent.').waitFor();
    await page.getByRole('heading', { name: 'bob' }).waitFor();
    const letters = mailbox.sentTo('bob@x.test');
    expect(letters).toHaveLength(1);
    expect(letters[0]?.raw).toContain('Subject: You are invited to Dossier');
    expect(faults).toEqual([]);
  });

  test('a session that has ended asks for the password of the name', async () => {
    await page.goto(`${server.url}/console#/users`);
    const search = page.getByLabel('Search by username');
    await page.getByRole('region', { name: 'Users' }).getByRole('row').filter({ hasText: 'root' }).waitFor();
    expect((await server.post('/login', { username: 'root', password })).status).toBe(200);
    // the page finds out by its next request
    await search.fill('r');
    const again = page.getByRole('dialog', { name: 'Sign in to Dossier' });
    await again.getByLabel('Password', { exact: true }).fill(password);
    expect(await again.getByLabel('Username').inputValue()).toBe('root');
    await again.getByRole('button', { name: 'Sign in', exact: true }).click();
    await again.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
  });
});
