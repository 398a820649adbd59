/** The users in the console: who was there last, who was invited, their states and roles; and windows that stay signed in side by side. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { internalCollection, ObjectId } from '../../src/models/mongoose.ts';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { openMailbox } from '../support/mailbox.ts';
import { until } from '../support/waiting.ts';
import { sendSignIn, signIn } from './library.ts';
import { noticed, undo } from './notices.ts';
import { focusOn, useBrowser, violationsInThemes, violationsOf } from './window.ts';

inBrowser('users in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve' | 'ann'>;
  let page: Page;
  let faults: string[];
  beforeAll(async () => {
    server = await openPeople(['root', 'eve', 'ann'], { max_sessions: 5, refresh_grace: 0 });
    const { user_id } = server.callers.ann;
    await server.as('root', 'PUT', `/groups/${user_id}`, { body: ['editors'] });
    const accounts = internalCollection(server.dossier.services.registry, '_account');
    await accounts.updateOne({ _id: new ObjectId(user_id) }, { $set: { factor: { step: 0 } } });
    await server.as('root', 'POST', '/api/user', { body: { email: 'new@x.test', groups: ['guests'] } });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root', '#/users');
  });

  const row = (email: string) => page.getByRole('region', { name: 'Users' }).getByRole('row', { name: email });
  const shown = async (...emails: readonly string[]): Promise<void> => {
    for (const email of ['root@x.test', 'eve@x.test', 'ann@x.test', 'new@x.test'])
      await row(email).waitFor({ state: emails.includes(email) ? 'visible' : 'detached' });
  };

  test('the list has roles, when users were there last, and who has never signed in', async () => {
    await page.getByText('4 users', { exact: true }).waitFor();
    await row('ann@x.test').getByText('editors').waitFor();
    await row('ann@x.test').getByText('second factor').waitFor();
    expect(await row('ann@x.test').locator('time').count()).toBe(1);
    await row('new@x.test').getByText('never signed in').waitFor();
    expect(await row('new@x.test').locator('time').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('roles and states filter it, in the address', async () => {
    const choose = (name: string, label: string) => page.getByLabel(name, { exact: true }).selectOption({ label });
    await choose('State', 'Never signed in');
    await shown('new@x.test');
    expect(page.url()).toContain('status=never_signed_in');
    await choose('Role', 'editors');
    await page.getByText('No users. None has what you look for.').waitFor();
    await choose('State', 'With a second factor');
    await shown('ann@x.test');
    await choose('Role', 'Admins');
    await choose('State', 'All states');
    await shown('root@x.test');
    expect(faults).toEqual([]);
  });

  test('what is wrong with an invitation is shown until it is changed', async () => {
    await page.goto(`${server.url}/console#/users`);
    await page.getByRole('button', { name: 'Invite' }).click();
    const form = page.getByRole('dialog');
    await form.getByLabel('Email').fill('eve@x.test');
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await form.getByRole('alert').waitFor();
    // it could not be pressed meanwhile
    await focusOn(form.getByRole('button', { name: 'Send the invitation' }));
    await form.getByLabel('Email').press('End');
    await form.getByLabel('Email').press('Backspace');
    await form.getByRole('alert').waitFor({ state: 'detached' });
    await page.keyboard.press('Escape');
    await form.waitFor({ state: 'detached' });
  });

  test('a password that is typed while the groups are saved stays', async () => {
    await page.goto(`${server.url}/console#/users/${server.callers.eve.user_id}`);
    const password = page.getByLabel('New password');
    await password.fill('not set yet');
    await page.getByRole('combobox', { name: 'Groups' }).fill('guests');
    await page.keyboard.press('Enter');
    const reread = page.waitForResponse(
      (answer) => answer.request().method() === 'GET' && answer.url().endsWith(server.callers.eve.user_id),
    );
    await noticed(page, 'The groups are changed.', async () => {
      await page.getByRole('button', { name: 'Save the groups' }).click();
      await reread;
    });
    await undo(page);
    expect(await password.inputValue()).toBe('not set yet');
    await page.locator('.mantine-Pill-root').filter({ hasText: 'guests' }).waitFor({ state: 'detached' });
  });

  test('an admin hands the link of an invitation over, by which its user sets a password', async () => {
    await page.goto(`${server.url}/console#/users`);
    await page.getByRole('button', { name: 'Invite' }).click();
    const form = page.getByRole('dialog', { name: 'Invite' });
    await form.getByLabel('Email').fill('ida@x.test');
    // the groups that there are
    await form.getByRole('combobox', { name: 'Groups' }).click();
    await page.getByRole('listbox', { name: 'Groups' }).getByRole('option', { name: 'editors' }).click();
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    const shownLink = form.getByRole('region', { name: 'Link of the invitation' });
    await shownLink.waitFor();
    await focusOn(form.getByRole('button', { name: 'Copy: Link of the invitation' }));
    expect(await violationsInThemes(page)).toEqual([]);
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain('new-password');
    const first = await shownLink.innerText();
    expect(first).toMatch(new RegExp(`^${server.url}/console#/new-password/.`));
    await form.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('heading', { name: 'ida@x.test' }).waitFor();
    await focusOn(page.getByRole('main'));
    expect((await server.as('root', 'GET', '/api/user?filter[email]=ida@x.test')).rows).toMatchObject([
      { groups: ['editors'] },
    ]);
    // the next link ends the first one
    await page.getByRole('button', { name: 'Send a recovery mail' }).click();
    const handed = page.getByRole('dialog', { name: 'Invitation' });
    const second = await handed.getByRole('region', { name: 'Link of the invitation' }).innerText();
    await handed.getByRole('button', { name: 'Done' }).click();

    const { page: other, faults: others } = await open(server.url);
    const set = other.getByRole('button', { name: 'Set the password' });
    await other.goto(first);
    await other.getByLabel('New password').fill('the first one');
    await set.click();
    await other.getByText('the link is not valid, has expired or has been used').waitFor();
    await other.goto(second);
    // a reload leaves the link valid
    await other.reload();
    await set.waitFor();
    expect(await violationsInThemes(other)).toEqual([]);
    await other.getByLabel('New password').fill('the first one');
    await set.click();
    await other.getByText('The password is set. You can sign in with it.').waitFor();
    expect(other.url()).toBe(`${server.url}/console#/`);
    await sendSignIn(other, 'ida@x.test', 'the first one');
    await other.getByRole('button', { name: 'Account of ida@x.test' }).waitFor();
    expect([faults, others]).toEqual([[], []]);
  });

  test('an invitation that the mail server refuses is a link to hand over', async () => {
    const mailbox = await openMailbox('refuses');
    const mails = { smtp: { url: mailbox.url }, password_recovery_url: 'https://app.example/reset?jwt=' };
    const refusing = await openPeople(['root'], mails);
    const { page: admin, faults: own } = await open(refusing.url);
    await signIn(admin, refusing.url, 'root', '#/users');
    await admin.getByRole('button', { name: 'Invite' }).click();
    const form = admin.getByRole('dialog', { name: 'Invite' });
    await form.getByLabel('Email').fill('joe@x.test');
    await form.getByRole('button', { name: 'Send the invitation' }).click();
    await form.getByText('The mail server did not accept the mail. Hand this link to joe@x.test').waitFor();
    const link = await form.getByRole('region', { name: 'Link of the invitation' }).innerText();
    expect([link.startsWith(mails.password_recovery_url), own]).toEqual([true, []]);
    await mailbox.close();
  });

  const account = (of: Page) => of.getByRole('button', { name: 'Account of eve@x.test' });

  /** The refresh token that a tab keeps. */
  const kept = (of: Page): Promise<string> => of.evaluate('JSON.stringify({ ...sessionStorage })');

  test('two windows, and a tab that shares the session of one, stay signed in', async () => {
    const [one, other] = [(await open(server.url)).page, (await open(server.url)).page];
    for (const each of [one, other]) await signIn(each, server.url, 'eve');
    const [tab] = await Promise.all([one.waitForEvent('popup'), one.evaluate('void window.open(location.href)')]);
    // with a new token: without a grace, a reload that cuts its renewal would end the session
    await account(tab).waitFor();
    await until(async () => (await kept(tab)) === (await kept(one)));
    const before = await kept(other);
    for (const each of [tab, one, other, tab, one]) {
      await each.reload();
      await account(each).waitFor();
      await until(async () => (await kept(tab)) === (await kept(one)));
    }
    expect(await kept(other)).not.toBe(before);
  });

  test('with MAX_SESSIONS=1 the later window ends the earlier one, and the account warns', async () => {
    const single = await openPeople(['root', 'eve'], { max_sessions: 1 });
    const [one, other] = [(await open(single.url)).page, (await open(single.url)).page];
    await signIn(one, single.url, 'eve', '#/account');
    await one.getByText('The setting MAX_SESSIONS of the server allows more.').waitFor();
    await signIn(other, single.url, 'eve');
    await one.reload();
    await one.getByRole('heading', { name: 'Sign in to Dossier' }).waitFor();
    await other.reload();
    await account(other).waitFor();
  });
});
