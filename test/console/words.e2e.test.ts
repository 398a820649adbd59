/** What the console says to an editor: labels in place of paths, descriptions in place of patterns, and no fault that is remedied. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser } from './window.ts';

inBrowser('the words of the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  beforeAll(async () => {
    server = await openPeople(['root'], {
      max_sessions: 20,
      models: {
        object: ({ Schema }) =>
          new Schema(
            {
              name: { type: String, required: true },
              inventory_no: {
                type: String,
                match: /^\d{4}\.\d{1,4}$/,
                description: 'Year, a dot, and a number',
                index: { unique: true, sparse: true },
              },
              pages: { type: Number, min: 1 },
              email: { type: String, match: /@/ },
              site: { type: String, match: [/^https?:/, 'Give an address that begins with http'] },
              code: { type: String, match: /^[A-Z]{2}$/ },
              shelf_no: { type: String, match: [/^\d+$/, 'Only digits are a {PATH}'] },
            },
            { perms: { admin: 'crud' }, on_referenced_delete: 'refuse' },
          ),
        loan: ({ Schema }) =>
          new Schema(
            { number: String, object_ids: [{ type: Schema.Types.ObjectId, link: 'object' }] },
            { perms: { admin: 'crud' } },
          ),
      },
    });
    const [vase] = (
      await server.as('root', 'POST', '/setup/data', { body: { object: [{ name: 'Vase', inventory_no: '2020.1' }] } })
    ).body['results'].object.insertedIds['0'].match(/.+/);
    await server.as('root', 'POST', '/api/loan', { body: { number: '1', object_ids: [vase] } });
    page = (await open(server.url)).page;
    await signIn(page, server.url, 'root', '#/documents/object/new');
  });

  const create = () => page.getByRole('button', { name: 'Create' }).click();

  test('a pattern is not shown beside its description, and a fault goes when its value is changed', async () => {
    const number = page.getByLabel('Inventory no');
    await number.waitFor();
    await page.getByText('Year, a dot, and a number').waitFor();
    expect(await page.getByText('Matches').count()).toBe(0);
    await page.getByLabel('Name').fill('Bowl');
    await number.fill('wrong');
    await page.getByLabel('Pages').fill('0');
    await create();
    await page.getByText('Inventory no must be as described, got "wrong"').waitFor();
    await page.getByText('Pages must be at least 1, got 0').waitFor();
    await number.fill('2020.1');
    await page.getByText('Inventory no must be as described').waitFor({ state: 'detached' });
    // the other one stays
    expect(await page.getByText('Pages must be at least 1, got 0').count()).toBe(1);
    await page.getByLabel('Pages').fill('1');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('a pattern is stated in the words of the model, or of the console, in hints and in faults', async () => {
    await page.getByText('Contains "@"').waitFor();
    await page.getByText('Give an address that begins with http').waitFor();
    await page.getByText('In a certain form (pattern /^[A-Z]{2}$/)').waitFor();
    const values = { Email: 'x', Site: 'example.org', Code: 'abc', 'Shelf no': 'left' };
    for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
    await create();
    await page.getByText('Email must contain "@", got "x"').waitFor();
    await page.getByText('Code does not have the right form (pattern /^[A-Z]{2}$/), got "abc"').waitFor();
    await page.getByText('Only digits are a Shelf no', { exact: true }).waitFor();
    // the hint, and the fault
    expect(await page.getByText('Give an address that begins with http').count()).toBe(2);
    for (const label of Object.keys(values)) await page.getByLabel(label).fill('');
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  test('a value that is not unique is named by its label', async () => {
    await create();
    await page.getByText('Inventory no must be unique, and this value exists already').waitFor();
    expect(await page.getByText('inventory_no').count()).toBe(0);
    await page.getByLabel('Inventory no').fill('2020.2');
    await noticed(page, 'Created.', create);
  });

  test('links that keep a document are named by their models', async () => {
    await page.goto(`${server.url}/console#/documents/object`);
    await page.getByLabel('Choose Vase').check();
    await page.getByRole('button', { name: 'Delete' }).click();
    const asked = page.getByRole('dialog', { name: 'One is refused' });
    await asked.getByText('Vase').waitFor();
    await asked.getByText('other documents link to it: Loans (Objects)').waitFor();
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('link', { name: 'Vase' }).click();
    await page.getByRole('region', { name: 'Vase' }).or(page.locator('.panel')).first().waitFor();
    await noticed(page, 'other documents link to it: Loans (Objects)', () =>
      page.locator('.panel').getByRole('button', { name: 'Delete' }).click(),
    );
  });

  test('the side bar has the count of the table that is shown', async () => {
    const inSideBar = (count: string) =>
      page.getByRole('navigation').getByRole('link', { name: 'Loans' }).getByText(count, { exact: true });
    await page.goto('about:blank');
    await page.goto(`${server.url}/console`);
    await inSideBar('1').waitFor();
    await server.as('root', 'POST', '/api/loan', { body: { number: '2' } });
    await page.goto(`${server.url}/console#/documents/loan`);
    await page.getByText('2 documents', { exact: true }).waitFor();
    await inSideBar('2').waitFor();
  });
});
