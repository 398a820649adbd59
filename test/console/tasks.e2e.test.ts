/** The ten tasks of an editor, each on a desktop and on a phone, by the roles and names that people and screen readers find. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { closeNotices, noticed, undo } from './notices.ts';
import { useBrowser } from './window.ts';

type Row = Readonly<Record<string, unknown>>;

const startServer = (): Promise<PeopledServer<'root'>> =>
  openPeople(['root'], {
    max_sessions: 20,
    models: {
      author: ({ Schema }) => new Schema({ name: { type: String, required: true } }, { perms: { admin: 'crud' } }),
      book: ({ Schema }) =>
        new Schema(
          {
            title: { type: String, required: true },
            pages: { type: Number, min: 1 },
            released: Date,
            kind: { type: String, enum: ['novel', 'essay'] },
            author_id: { type: Schema.Types.ObjectId, link: 'author' },
            editor_id: [{ type: Schema.Types.ObjectId, link: 'author' }],
            tags: [String],
            parts: [new Schema({ label: String })],
            address: { city: String },
          },
          { perms: { admin: 'crud' }, history: true },
        ),
    },
  });

inBrowser('the ten tasks of an editor', () => {
  const open = useBrowser();

  describe.each([
    ['on a desktop', { width: 1280, height: 800 }],
    ['on a phone', { width: 390, height: 844 }],
  ])('%s', (_where, viewport) => {
    let server: PeopledServer<'root'>;
    let page: Page;
    let faults: readonly string[];
    let books: readonly string[];

    beforeAll(async () => {
      server = await startServer();
      for (const name of ['Ursula', 'Jorge', 'Mary']) await make('author', { name });
      const titles = Array.from({ length: 12 }, (_, at) => `Book ${String(at + 1).padStart(2, '0')}`);
      const made: string[] = [];
      for (const [at, title] of titles.entries()) made.push(await make('book', { title, pages: at + 1 }));
      books = made;
      ({ page, faults } = await open(server.url, { viewport }));
      await signIn(page, server.url, 'root');
    });

    const make = async (model: string, body: object): Promise<string> =>
      String((await server.as('root', 'POST', `/api/${model}`, { body })).document['_id']);
    const rows = async (path: string): Promise<readonly Row[]> => (await server.as('root', 'GET', path)).rows;
    /** The book that was made as the nth one, as it is stored. */
    const stored = async (nth: number): Promise<Row> =>
      (await server.as('root', 'GET', `/api/book/${books[nth - 1]}`)).document;
    const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
    const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
    const link = (name: string): Locator => page.getByRole('link', { name, exact: true });
    const field = (name: string): Locator => page.getByRole('textbox', { name, exact: true });
    const dialog = (): Locator => page.getByRole('dialog');
    const shown = (text: string | RegExp): Promise<void> => page.getByText(text, { exact: true }).last().waitFor();
    /** On a phone, what is needed less often is folded. */
    const unfold = async (): Promise<void> => {
      if (viewport.width < 768) await button('More').click();
    };
    /** Shows the table of all books, from its beginning. */
    const openTable = async (): Promise<void> => {
      // on a phone, a notice of the task before covers buttons
      await closeNotices(page);
      await go('');
      // by its key: what loads above the list moves it away from under a pointer
      await page
        .getByRole('main')
        .getByRole('link', { name: /^Books/ })
        .first()
        .press('Enter');
      await page.getByRole('heading', { name: 'Books', exact: true }).waitFor();
      await link('Book 01').waitFor();
    };

    const tasks: readonly (readonly [name: string, task: () => Promise<void>])[] = [
      [
        'find a document by its title',
        async () => {
          await go('');
          await button('Search all models').click();
          await dialog().getByRole('combobox').fill('Book 07');
          await dialog()
            .getByRole('option', { name: /^Book 07/ })
            .click();
          await page.getByRole('heading', { name: 'Book 07', exact: true }).waitFor();
        },
      ],
      [
        'filter a table, and share the address',
        async () => {
          await openTable();
          await button('Filter').click();
          await button('Add a condition').click();
          await page.getByLabel('Field').selectOption({ label: 'Pages' });
          await page.getByLabel('Operator').selectOption({ label: 'is at most' });
          await page.getByLabel('Value').fill('3');
          await button('Apply').click();
          await shown('3 documents');
          await page.reload();
          await button('Pages is at most 3').waitFor();
          await shown('3 documents');
          await button('Remove: Pages is at most 3').click();
          await shown('12 documents');
        },
      ],
      [
        'edit a document: faults at their fields, saved, undone',
        async () => {
          await openTable();
          await link('Book 05').click();
          await field('Pages').fill('0');
          await button('Save').click();
          const described = (description: RegExp): Promise<void> =>
            page.getByRole('textbox', { name: 'Pages', description }).waitFor();
          await described(/Pages must be at least 1, got 0/);
          await field('Pages').fill('many');
          await button('Save').click();
          await described(/must be a finite number/);
          await field('Pages').fill('321');
          await page.getByLabel('Kind').selectOption('essay');
          await page.getByRole('group', { name: 'Address' }).getByLabel('City').fill('Oslo');
          await noticed(page, 'Saved.', () => button('Save').click());
          expect(await stored(5)).toMatchObject({ pages: 321, kind: 'essay', address: { city: 'Oslo' } });
          await undo(page);
          expect((await stored(5))['pages']).toBe(5);
        },
      ],
      [
        'change many documents, and undo it',
        async () => {
          await openTable();
          for (const title of ['Book 02', 'Book 03']) await page.getByLabel(`Choose ${title}`).check();
          await button('Change a field').click();
          await dialog().getByLabel('Field').selectOption({ label: 'Kind' });
          await dialog().getByLabel('New value').selectOption('novel');
          await noticed(page, 'of 2 documents changed.', () =>
            dialog().getByRole('button', { name: 'Change', exact: true }).click(),
          );
          const kinds = async (): Promise<unknown[]> => [(await stored(2))['kind'], (await stored(3))['kind']];
          expect(await kinds()).toEqual(['novel', 'novel']);
          await undo(page);
          expect(await kinds()).toEqual([undefined, undefined]);
        },
      ],
      [
        'restore what was deleted',
        async () => {
          await openTable();
          await page.getByLabel('Choose Book 10').check();
          await noticed(page, '1 document deleted.', () => button('Delete').click());
          await link('Book 10').waitFor({ state: 'detached' });
          await unfold();
          await page.getByRole('link', { name: 'Trash' }).click();
          await page.getByLabel('Choose Book 10').check();
          await noticed(page, '1 document restored.', () => button('Restore').click());
          expect((await stored(10))['_deleted']).toBe(false);
        },
      ],
      [
        'create a document with links, lists and members',
        async () => {
          await openTable();
          await link('New').click();
          await field('Title').fill('Made here');
          await page.getByRole('combobox', { name: 'Author' }).fill('Jorg');
          await page.getByRole('option', { name: 'Jorge' }).click();
          for (const name of ['Jorge', 'Ursula', 'Mary']) {
            await page.getByRole('combobox', { name: 'Editors' }).fill(name.slice(0, 3));
            await page.getByRole('option', { name }).click();
          }
          await page.getByRole('combobox', { name: 'Editors' }).press('Backspace');
          for (const tag of ['one', 'two']) {
            await page.getByRole('combobox', { name: 'Tags', exact: true }).fill(tag);
            await page.keyboard.press('Enter');
          }
          await button('Change the order of Tags').click();
          await button('Move Tags 2 up').click();
          await button('Add to Parts').click();
          await page.getByLabel('Label').fill('first');
          await page.getByLabel('Released', { exact: true }).fill('2020-02-29T12:30');
          await button('Create').click();
          await page.getByRole('heading', { name: 'Made here', exact: true }).waitFor();
          const [jorge, , ursula] = await rows('/api/author?sort=name');
          const [made] = await rows('/api/book?filter[title]=Made here');
          expect(made).toMatchObject({ tags: ['two', 'one'], parts: [{ label: 'first' }], author_id: jorge?.['_id'] });
          expect(made?.['editor_id']).toEqual([jorge?.['_id'], ursula?.['_id']]);
          await go(`documents/author/${String(jorge?.['_id'])}?tab=links`);
          await link('1 document').first().click();
          // the page that is left has the document twice
          await page.getByRole('heading', { name: 'Books', exact: true }).waitFor();
          await link('Made here').waitFor();
        },
      ],
      [
        'invite a user',
        async () => {
          await go('users');
          await button('Invite').click();
          await dialog().getByLabel('Email').fill('ida@x.test');
          await dialog().getByRole('combobox', { name: 'Groups' }).fill('guests');
          await page.keyboard.press('Enter');
          await dialog().getByText('No model and no user has the group guests.').waitFor();
          await dialog().getByRole('button', { name: 'Send the invitation' }).click();
          await dialog().getByText('No mail is sent. Hand this link to ida@x.test').waitFor();
          await dialog().getByRole('button', { name: 'Done' }).click();
          await page.getByRole('heading', { name: 'ida@x.test' }).waitFor();
          expect(await rows('/api/user?filter[email]=ida@x.test')).toMatchObject([{ groups: ['guests'] }]);
        },
      ],
      [
        'import a file',
        async () => {
          await openTable();
          await unfold();
          await page.getByRole('link', { name: 'Import' }).click();
          const buffer = Buffer.from('Title,Pages\nFrom a file,7\nAnother,0\n');
          await page.locator('input[type=file]').setInputFiles({ name: 'books.csv', mimeType: 'text/csv', buffer });
          await page.getByText('1 of 2 rows has faults').waitFor();
          await button('Import').click();
          await page.getByText('Done: 1 created, 0 changed, 1 refused.').waitFor();
          expect(await rows('/api/book?filter[title]=From a file')).toMatchObject([{ pages: 7 }]);
        },
      ],
      [
        'see what changed, and undo it',
        async () => {
          await server.as('root', 'PUT', `/api/book/${books[7]}`, { body: { title: 'Renamed', tags: ['new'] } });
          await openTable();
          await link('Renamed').click();
          await page.getByRole('tab', { name: 'History' }).click();
          const entries = page.getByRole('list', { name: 'History' }).getByRole('listitem');
          await entries.filter({ hasText: 'changed Title from “Book 08” to “Renamed”' }).first().waitFor();
          await entries.filter({ hasText: 'Tags: added “new”' }).first().waitFor();
          await noticed(page, 'The document is reverted.', () => button('Revert to this, entry 1').click());
          await page.getByRole('heading', { name: 'Book 08', exact: true }).waitFor();
          expect(await stored(8)).toMatchObject({ title: 'Book 08', tags: [] });
        },
      ],
      [
        'save a view of a table, and open it',
        async () => {
          const filter = encodeURIComponent(JSON.stringify({ pages: { $gte: 11 } }));
          await go(`documents/book?filter=${filter}`);
          await shown('2 documents');
          await unfold();
          await button('Views').click();
          await page.getByRole('menuitem', { name: 'Save as a new view' }).click();
          await dialog().getByLabel('Title').fill('Long books');
          await dialog().getByRole('button', { name: 'Save' }).click();
          await button('View: Long books').waitFor();
          await openTable();
          await unfold();
          await button('Views').click();
          await page.getByRole('menuitem', { name: 'Long books' }).click();
          await shown('2 documents');
          expect(await rows('/views')).toMatchObject([{ title: 'Long books', filter: { pages: { $gte: 11 } } }]);
        },
      ],
    ];

    test.each(tasks)('%s', (_name, task) => task());

    test('the page has no errors', () => {
      expect(faults).toEqual([]);
    });
  });
});
