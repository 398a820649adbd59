/** The views other than documents: functions, queries, live events, rights, users, audit, the server, and the user's account. */
import { beforeAll, expect, test } from '@jest/globals';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import type { PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { fill, openLibrary, sendSignIn, signIn } from './library.ts';
import { noticed, undo } from './notices.ts';
import { isSeen, useBrowser } from './window.ts';

inBrowser('the views of the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openLibrary({ smtp: { url: 'smtp://name:hush@127.0.0.1:9' } });
    await fill(server, 'book', [
      { title: 'Short', pages: 10, kind: 'essay' },
      { title: 'Long', pages: 900, kind: 'novel' },
      { title: 'Longer', pages: 950, kind: 'novel' },
    ]);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const type = async (label: string, text: string): Promise<void> => {
    await page.getByRole('textbox', { name: label }).click();
    await page.keyboard.press('Control+a');
    await page.keyboard.insertText(text);
  };

  test('a function is called, and shows its result', async () => {
    await go('functions');
    await type('Input', '{"above": 900}');
    await page.getByRole('button', { name: 'Call' }).click();
    const result = page.getByRole('region', { name: 'Result' });
    await result.waitFor();
    expect(await result.textContent()).toContain('Longer');
  });

  test('a function of documents is called on one found by its title', async () => {
    await go('functions?function=book.titled');
    await page.getByRole('combobox', { name: 'Document' }).fill('Longe');
    await page.getByRole('option', { name: 'Longer' }).click();
    await type('Input', '{"before": "The "}');
    await page.getByRole('button', { name: 'Call' }).click();
    await page.getByRole('region', { name: 'Result' }).getByText('"The Longer"').waitFor();
  });

  test('the rows of a pipeline are shown as a table and as JSON; the editor completes fields and marks faults', async () => {
    await go('queries?model=book&mode=aggregate');
    await type('Aggregation', '[{"$group": {"_id": "$kind", "pages": {"$sum": "$pages"}}}, {"$sort": {"_id": 1}}]');
    await page.keyboard.press('Control+Enter');
    const results = page.getByRole('region', { name: 'Results' });
    await results.getByRole('cell', { name: '1850' }).waitFor();
    await page.getByText('JSON', { exact: true }).click();
    await results.getByText('"pages": 1850').waitFor();
    await type('Aggregation', '[{"$gro');
    await page.keyboard.press('Control+Space');
    await page.getByRole('option', { name: '$group' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByRole('alert').waitFor();
  });

  test('a query is refused with the message of the server', async () => {
    await go('queries?model=book&mode=query');
    await type('Query', '{"pagse": 1}');
    await page.getByRole('button', { name: 'Run' }).click();
    await page.getByText('did you mean "pages"?').waitFor();
  });

  test('live events appear as they happen, and are filtered', async () => {
    await go('live');
    await page.getByText('Nothing has happened since you opened this view.').waitFor();
    // the view does not show when its streams are open
    await until(async () => {
      await fill(server, 'author', [{ name: 'Ann' }]);
      return isSeen(page.getByRole('cell', { name: 'created' }).first());
    });
    await page.getByLabel('Event', { exact: true }).selectOption('del');
    await page.getByText('Nothing has happened since you opened this view.').waitFor();
  });

  test('rights: of the user, and of another user', async () => {
    await go(`rights?model=book`);
    const rows = page.getByRole('region', { name: 'Documents' });
    await rows.waitFor();
    expect(await rows.getByRole('cell').allTextContents()).toEqual(['all', 'all', 'all', 'all']);
    await page.getByRole('combobox', { name: 'User' }).fill('eve');
    await page.getByRole('option', { name: /^eve/ }).click();
    await rows.getByRole('cell', { name: 'none' }).first().waitFor();
    expect(await rows.getByRole('cell').allTextContents()).toEqual(['none', 'all', 'none', 'none']);
  });

  test('a user: groups, password, sessions, keys, audit', async () => {
    await go('users');
    await page.getByRole('button', { name: 'Invite' }).click();
    const invitation = page.getByRole('dialog', { name: 'Invite' });
    await invitation.getByLabel('Email').fill('ida@x.test');
    await invitation.getByRole('combobox', { name: 'Groups' }).fill('guests');
    await page.keyboard.press('Enter');
    await invitation.getByRole('button', { name: 'Send the invitation' }).click();
    await invitation.getByText('No mail is sent. Hand this link to ida@x.test').waitFor();
    await invitation.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'ida@x.test' }).waitFor();
    const [ida] = (await server.as('root', 'GET', '/api/user?filter[email]=ida@x.test')).rows;
    expect(ida).toMatchObject({ groups: ['guests'] });
    await go('users');
    await page.getByRole('link', { name: 'eve@x.test' }).click();
    await page.getByRole('heading', { name: 'eve@x.test' }).waitFor();
    await page.getByRole('region', { name: 'Sessions' }).waitFor();
    await page.getByRole('combobox', { name: 'Groups' }).fill('editors');
    await page.keyboard.press('Enter');
    await noticed(page, 'The groups are changed.', () => page.getByRole('button', { name: 'Save the groups' }).click());
    const groups = async () => (await server.as('root', 'GET', `/groups/${server.callers.eve.user_id}`)).body['data'];
    expect(JSON.stringify(await groups())).toContain('editors');
    await undo(page);
    expect(JSON.stringify(await groups())).not.toContain('editors');
    await page.getByLabel('New password').fill('another password');
    await noticed(page, 'The password is set.', () => page.getByRole('button', { name: 'Set the password' }).click());
    const login = { email: 'eve@x.test', password: 'another password' };
    expect((await server.post('/login', login)).status).toBe(200);
    await page.getByRole('link', { name: 'Audit', exact: true }).last().click();
    await page.getByRole('region', { name: 'Events' }).getByText('Has another password').first().waitFor();
    await page.getByLabel('Event', { exact: true }).selectOption({ label: 'Signed in' });
    await page.getByText('Has another password').nth(1).waitFor({ state: 'detached' });
    await page
      .getByRole('cell', { name: /^(\d+ × )?Signed in$/ })
      .first()
      .waitFor();
  });

  test('the server: version, health, cache, models with their sizes, settings', async () => {
    await go('server');
    await page.getByText('Dossier 4.').waitFor();
    await page.getByText('The cache is off.').waitFor();
    await page.getByRole('row', { name: /^book books 3 [\d.]+ (bytes|KB) .* [\d.]+ (bytes|KB)$/ }).waitFor();
    await page.getByRole('row', { name: /^MAX_SESSIONS 20 1 Maximum/ }).waitFor();
    await page.getByRole('row', { name: /^SMTP_URL set, and not shown none/ }).waitFor();
    expect(await page.content()).not.toContain('hush');
  });

  test('the user’s account: a key with scopes, sessions, a second factor with its QR code', async () => {
    await go('account');
    await page.getByRole('cell', { name: 'this one' }).waitFor();
    await page.getByRole('button', { name: 'New key' }).click();
    await page.getByLabel('Name').fill('importer');
    await page.getByLabel('Scopes').fill('book: r');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    const key = await page.getByRole('region', { name: 'The key, which is not shown again' }).textContent();
    await page.getByRole('cell', { name: 'Books: read', exact: true }).waitFor();
    expect((await server.get('/api/book', { headers: { 'x-api-key': key ?? '' } })).status).toBe(200);
    await page.getByLabel('Your password').fill('pw-root-1');
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByRole('img', { name: 'QR code of the secret' }).waitFor();
    const secret = (await page.getByText('Or type this secret').locator('code').textContent()) ?? '';
    await page.getByRole('textbox', { name: 'Code' }).fill(new TOTP({ secret }).generate());
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByText('The second factor is on.').waitFor();
    const codes = await page.getByRole('alert', { name: 'Recovery codes' }).getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    await page.getByRole('button', { name: 'Account of root@x.test' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await sendSignIn(page, 'root@x.test', 'pw-root-1');
    await page.getByRole('textbox', { name: 'Code' }).fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Account of root@x.test' }).waitFor();
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
