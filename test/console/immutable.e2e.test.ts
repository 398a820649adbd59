/** Immutable fields in the forms of the console: inputs of a new document, and text of an existing one. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser } from './window.ts';

const value = {
  ...{ name: 'First', code: 'c-1', kind: 'loan', on: '2020-01-02T00:00:00.000Z', sealed: true, amount: 7 },
  ...{ tags: ['red', 'blue'], address: { city: 'Oslo', street: 'Main' }, home: { town: 'Bergen', road: 'North' } },
  ...{ steps: [{ label: 'Cut' }], extra: { free: 'form' }, parts: [{ mark: 'p-1', note: 'whole' }] },
};

/** The labels of immutable fields, and of the others. A member of a list is set as a whole, with what is immutable in it. */
const immutable = ['Code', 'Kind', 'On', 'Sealed', 'Amount', 'Tags', 'Maker', 'City', 'Town', 'Road', 'Steps', 'Extra'];
const changeable = ['Name', 'Street', 'Note', 'Mark'];

inBrowser('immutable fields in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  let faults: readonly string[];
  let id = '';
  beforeAll(async () => {
    server = await openPeople(['root'], {
      max_sessions: 20,
      models: {
        maker: ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } }),
        deed: ({ Schema }) => {
          const once = { immutable: true };
          return new Schema(
            {
              name: String,
              code: { type: String, ...once },
              kind: { type: String, enum: ['loan', 'gift'], ...once },
              on: { type: Date, ...once },
              sealed: { type: Boolean, ...once },
              amount: { type: Number, ...once },
              tags: { type: [String], ...once },
              maker_id: { type: Schema.Types.ObjectId, link: 'maker', ...once },
              address: { city: { type: String, ...once }, street: String },
              home: { type: new Schema({ town: String, road: String }, { _id: false }), ...once },
              steps: { type: [new Schema({ label: String })], ...once },
              extra: { type: Schema.Types.Mixed, ...once },
              parts: [new Schema({ mark: { type: String, ...once }, note: String })],
            },
            { perms: { admin: 'crud' } },
          );
        },
      },
    });
    const { document: maker } = await server.as('root', 'POST', '/api/maker', { body: { name: 'Ada' } });
    const body = { ...value, maker_id: maker['_id'] };
    id = String((await server.as('root', 'POST', '/api/deed', { body })).document['_id']);
    ({ page, faults } = await open(server.url));
    // what is typed here is not saved
    page.on('dialog', (dialog) => void dialog.accept());
    await signIn(page, server.url, 'root');
  });

  const visit = async (view: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${server.url}/console#/${view}`);
    await page.getByLabel('Name', { exact: true }).waitFor();
  };
  /** Of labels, those that have an input, or a button that adds a member. */
  const withInput = async (labels: readonly string[]): Promise<readonly string[]> => {
    const found = await Promise.all(
      labels.map(async (label) => {
        const own = page
          .getByLabel(label, { exact: true })
          .and(page.locator('input, select, textarea, [contenteditable="true"]'));
        const adding = page.getByRole('button', { name: `Add to ${label}`, exact: true });
        const toggle = page.getByRole('switch', { name: label });
        return (await own.or(adding).or(toggle).count()) > 0 ? [label] : [];
      }),
    );
    return found.flat();
  };

  test('are inputs of a new document', async () => {
    await visit('documents/deed/new');
    await page.getByRole('button', { name: 'Add to Parts' }).click();
    await page.getByLabel('Note', { exact: true }).waitFor();
    await page.getByLabel('Extra', { exact: true }).waitFor();
    expect(await withInput([...immutable, ...changeable])).toEqual([...immutable, ...changeable]);
  });

  test('are text of an existing one, in nested documents and lists too', async () => {
    await visit(`documents/deed/${id}`);
    for (const label of immutable) await page.getByRole('group', { name: label, exact: true }).waitFor();
    expect(await withInput([...immutable, ...changeable])).toEqual(changeable);
    for (const [label, text] of [
      ['Code', 'c-1'],
      ['Kind', 'loan'],
      ['Tags', 'red'],
      ['Maker', 'Ada'],
      ['City', 'Oslo'],
      ['Town', 'Bergen'],
      ['Steps', 'Cut'],
    ] as const)
      await page.getByRole('group', { name: label, exact: true }).getByText(text).first().waitFor();
  });

  test('are not offered where a field of several documents is changed', async () => {
    await visit(`documents/deed/${id}`);
    await page.getByLabel('Name', { exact: true }).fill('Second');
    await noticed(page, 'Saved.', () => page.getByRole('button', { name: 'Save', exact: true }).click());
    await page.goto(`${server.url}/console#/documents/deed`);
    await page.getByLabel('Choose Second').check();
    await page.getByRole('button', { name: 'Change a field' }).click();
    const fields = page.getByRole('dialog').getByLabel('Field', { exact: true }).getByRole('option');
    await fields.first().waitFor({ state: 'attached' });
    expect(await fields.allTextContents()).toEqual(['Name', 'Address: Street', 'Parts']);
    expect(faults).toEqual([]);
  });
});
