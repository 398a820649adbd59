/** Names for people in the console: of models, fields and users, instead of names of code and ids. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { useBrowser, violationsOf } from './window.ts';

inBrowser('names in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let phone: Page;
  let ticket: string;
  const make = async (model: string, body: object): Promise<string> => {
    const made = await server.as('root', 'POST', `/api/${model}`, { body });
    expect(made).toMatchObject({ status: 201 });
    return String(made.document['_id']);
  };
  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      models: {
        team: ({ Schema }) => new Schema({ name: String, town: String }, { perms: { user: 'r', admin: 'crud' } }),
        labelled: ({ Schema }) =>
          new Schema(
            {
              subject: { type: String, label: 'Betreff', description: 'One line <b>only</b>', icon: '✉️' },
              rank: { type: Number, group: 'Handling', label: 'Rang' },
              key: { type: String, hidden: true },
              words: { type: [String], description: 'In any order' },
              place: {
                type: new Schema({ town: String, geo: { lat: Number } }),
                label: 'Ort',
                description: 'Where <b>it</b> is',
                group: 'Handling',
              },
              inside: { type: new Schema({ secret: String }), hidden: true },
            },
            {
              perms: { admin: 'crud' },
              label: 'Vorgänge',
              description: 'All that is <i>open</i>.',
              group: 'Support',
              icon: '🎫',
              list: ['rank', 'subject', 'key'],
            },
          ),
        inner: ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' }, hidden: true }),
        ticket: ({ Schema }) =>
          new Schema(
            {
              firstName: String,
              team_id: { type: Schema.Types.ObjectId, link: 'team' },
              address: { city: String },
            },
            { perms: { user: 'r', admin: 'crud' } },
          ),
      },
    });
    const team = await make('team', { name: 'Bees', town: 'Oslo' });
    ticket = await make('ticket', { firstName: 'Ann', team_id: team, address: { city: 'Rome' } });
    await server.as('root', 'PUT', `/api/ticket/${ticket}`, { body: { firstName: 'Anna' } });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
    ({ page: phone } = await open(server.url, { colorScheme: 'dark', viewport: { width: 360, height: 640 } }));
    await signIn(phone, server.url, 'root');
  });

  const goIn = (window: Page, view: string): Promise<unknown> => window.goto(`${server.url}/console#/${view}`);

  test('models and fields have derived names', async () => {
    await goIn(page, '');
    await page.getByRole('navigation', { name: 'Models and tools' }).getByRole('link', { name: 'Tickets' }).click();
    await page.getByRole('heading', { name: 'Tickets', exact: true }).waitFor();
    await page.getByRole('columnheader', { name: 'First name' }).waitFor();
    const heads = await page.getByRole('columnheader').allTextContents();
    expect(heads.map((head) => head.trim())).toEqual(expect.arrayContaining(['First name', 'Team', 'Address: City']));
    await page.getByRole('link', { name: 'New', exact: true }).click();
    await page.getByRole('heading', { name: 'New ticket', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Team' }).waitFor();
    await page.getByRole('group', { name: 'Address' }).getByLabel('City', { exact: true }).waitFor();
  });

  test('labels, descriptions, groups and icons of the model file', async () => {
    await make('labelled', { subject: 'A', rank: 1, key: 'k' });
    for (const window of [page, phone]) {
      await goIn(window, 'documents/labelled');
      await window.getByRole('heading', { name: 'Vorgänge', exact: true }).waitFor();
      await window.getByText('All that is <i>open</i>.').waitFor();
      // on a phone each document is a card
      const heads = window.getByRole('region', { name: 'Documents of Vorgänge' }).locator('th, dt');
      await heads.filter({ hasText: 'Rang' }).waitFor();
      const shown = (await heads.allTextContents()).map((head) => head.trim()).filter(Boolean);
      expect(shown).toEqual(window === page ? ['Rang', 'Betreff'] : ['Rang']);
      expect(await violationsOf(window)).toEqual([]);
      await goIn(window, 'documents/labelled/new');
      await window.getByRole('heading', { name: 'Vorgänge: new document' }).waitFor();
      await window.getByRole('textbox', { name: '✉️ Betreff', description: 'One line <b>only</b>' }).waitFor();
      await window.getByRole('group', { name: 'Handling' }).getByLabel('Rang').waitFor();
      const place = window.getByRole('group', { name: 'Handling' }).getByRole('group', { name: 'Ort' });
      await place.getByText('Where <b>it</b> is').waitFor();
      await place.getByLabel('Town').waitFor();
      await place.getByRole('group', { name: 'Geo' }).getByLabel('Lat').waitFor();
      expect(await window.getByLabel('Secret').count()).toBe(0);
      await window.getByRole('combobox', { name: 'Words', description: /In any order/ }).waitFor();
      expect(await window.getByLabel('Key', { exact: true }).count()).toBe(0);
      expect(await violationsOf(window)).toEqual([]);
    }
    const menu = page.getByRole('navigation', { name: 'Models and tools' });
    expect(await menu.getByRole('heading').allTextContents()).toEqual(['Models', 'Support', 'Tools', 'Documentation']);
    await menu.getByRole('link', { name: 'Vorgänge' }).getByText('🎫').waitFor();
    await goIn(page, 'queries');
    await page.getByLabel('Model', { exact: true }).selectOption({ label: 'Vorgänge' });
    expect(await menu.getByRole('link', { name: 'Inner' }).count()).toBe(0);
    await goIn(page, 'documents/inner');
    await page.getByRole('heading', { name: 'Inner', exact: false }).waitFor();
  });

  test('owner and changer are users by name, and the id is folded', async () => {
    for (const window of [page, phone]) {
      await goIn(window, `documents/ticket/${ticket}`);
      const kept = window.getByRole('table', { name: 'Kept by the server' });
      await kept.getByRole('row', { name: /^Owner root/ }).waitFor();
      await kept.getByRole('row', { name: /^Updated by root/ }).waitFor();
      await kept.getByRole('row', { name: /^Created / }).waitFor();
      const id = window.getByRole('row', { name: `ID ${ticket}` });
      expect(await id.isVisible()).toBe(false);
      await window.getByText('ID and version').click();
      await id.waitFor();
      expect(await violationsOf(window)).toEqual([]);
    }
  });

  test('documents are picked by their title in filters, and namesakes differ in a second line', async () => {
    await make('team', { name: 'Bees', town: 'Bergen' });
    for (const window of [page, phone]) {
      await goIn(window, 'documents/ticket');
      await window.getByRole('link', { name: 'Anna' }).waitFor();
      await window.getByRole('button', { name: 'Filter' }).click();
      await window.getByRole('button', { name: 'Add a condition' }).click();
      await window.getByLabel('Field').selectOption('team_id');
      await window.getByRole('combobox', { name: 'Value' }).fill('Bee');
      await window.getByRole('option', { name: /^Bees ?Bergen · .*…\w{6}$/ }).waitFor();
      expect(await violationsOf(window)).toEqual([]);
      await window.getByRole('option', { name: 'Oslo' }).click();
      await window.getByRole('button', { name: 'Apply' }).click();
      await window.getByRole('button', { name: 'Team is Bees', exact: true }).waitFor();
      await window.getByText('1 document', { exact: true }).waitFor();
    }
  });

  test('users are picked in the audit log, and are there by name', async () => {
    await goIn(page, 'audit');
    await page.getByRole('combobox', { name: 'By the user' }).fill('eve');
    await page.getByRole('option', { name: /^eve/ }).click();
    const events = page.getByRole('region', { name: 'Events' });
    await events.getByRole('link', { name: 'eve' }).first().waitFor();
    await events.getByRole('link', { name: 'root' }).first().waitFor({ state: 'detached' });
    expect(await violationsOf(page)).toEqual([]);
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
