/** The history of a document in words, reverts with their undo, and the trash of a model. */
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { signIn } from './library.ts';
import { noticed, undo } from './notices.ts';
import { setTheme, useBrowser, violationsOf } from './window.ts';

const hostile = '<img src=x onerror="throw Error(1)">\u202e';

inBrowser('histories in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: string[];
  let id: string;
  const as = (person: 'root' | 'eve', method: string, path: string, body?: object) =>
    server.as(person, method, path, body === undefined ? {} : { body });
  const make = async (model: string, body: object): Promise<string> =>
    String((await as('root', 'POST', `/api/${model}`, body)).document['_id']);
  const go = (view: string): Promise<unknown> => page.goto(`${server.url}/console#/${view}`);
  const titleOf = async (): Promise<unknown> => (await as('root', 'GET', `/api/script/${id}`)).document['title'];
  const entries = () => page.getByRole('list', { name: 'History' }).locator('> [role=listitem]');

  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      models: {
        script: ({ Schema }) =>
          new Schema(
            { title: String, acts: Number, played: Date, parts: [{ name: String }] },
            { perms: { user: 'ru', admin: 'crud' }, history: true, timestamps: true },
          ),
        insured: ({ Schema }) => {
          const perms = { user: 'r', admin: 'cru' };
          return new Schema(
            {
              title: String,
              insured_value: { type: Number, perms },
              place: { room: { type: String, label: 'Standort', perms }, shelf: String },
            },
            { perms: { user: 'ru', admin: 'crud' }, history: true },
          );
        },
        player: ({ Schema }) => new Schema({ name: String }, { perms: { user: 'r', admin: 'crud' } }),
        rich: ({ Schema }) =>
          new Schema(
            {
              title: { type: String, label: 'Betreff' },
              notes: String,
              open: Boolean,
              state: { type: String, enum: ['new', 'done'] },
              player_id: { type: Schema.Types.ObjectId, link: 'player' },
              by_id: { type: Schema.Types.ObjectId, link: 'user' },
              tags: [String],
              parts: [
                { name: { type: String, label: 'Called' }, player_id: { type: Schema.Types.ObjectId, link: 'player' } },
              ],
              address: { city: String, geo: { lat: Number } },
              ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`n${at}`, Number])),
            },
            { perms: { user: 'r', admin: 'crud' }, history: true },
          ),
        fixed: ({ Schema }) => new Schema({ title: String }, { perms: { user: 'r', admin: 'crud' }, history: true }),
        plain: ({ Schema }) => new Schema({ title: String }, { perms: { admin: 'crud' } }),
      },
    });
    id = await make('script', { title: 'First', acts: 1 });
    await as('eve', 'PUT', `/api/script/${id}`, { title: hostile, played: '1926-05-01T00:00:00.000Z' });
    await as('root', 'PATCH', `/api/script/${id}`, { $unset: { acts: 1 } });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  test('entries are in words, with who and when, and hostile values are text', async () => {
    await go(`documents/script/${id}`);
    await page.getByRole('tab', { name: 'History' }).click();
    await entries().nth(2).waitFor();
    const texts = await entries().allTextContents();
    expect(texts[0]).toContain('removed Acts, which was 1');
    expect(texts[1]).toContain(`changed Title from “First” to “${hostile}”`);
    expect(texts[1]).toContain('set Played to May 1, 1926');
    expect(texts[2]).toContain('created it');
    expect(texts[2]).toContain('set Title to “First”');
    await entries().nth(1).getByText('eve').first().waitFor();
    const time = entries().first().locator('time');
    expect(await time.getAttribute('title')).toContain(String(new Date().getFullYear()));
    expect(await time.getAttribute('datetime')).toMatch(/Z$/);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('lists, nested documents, long texts, links, users and switches are in words', async () => {
    const [ada, bob] = [await make('player', { name: 'Ada' }), await make('player', { name: 'Bob <b>' })];
    const part = (name: string, player: string) => ({ name, player_id: player });
    const long = 'The first act is too long, and the second one is not there at all.';
    const numbers = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`n${at}`, at]));
    const rich = await make('rich', {
      title: 'One',
      notes: long,
      tags: ['a', 'b'],
      parts: [part('x', ada)],
      ...numbers,
    });
    const parts = (await as('root', 'GET', `/api/rich/${rich}`)).document['parts'] as object[];
    await as('root', 'PUT', `/api/rich/${rich}`, {
      notes: long.replace('too long', hostile),
      open: true,
      state: 'new',
      player_id: ada,
      by_id: server.callers.eve.user_id,
      tags: ['b', 'c'],
      parts: [part('y', bob), { ...parts[0], name: 'z' }],
    });
    await as('root', 'PUT', `/api/rich/${rich}`, {
      state: 'done',
      player_id: bob,
      address: { city: 'Rome', geo: { lat: 1 } },
    });
    await as('root', 'DELETE', `/api/player/${bob}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await setTheme(page, colorScheme);
      await go(`documents/rich/${rich}?tab=history`);
      await entries().nth(2).waitFor();
      const lineOf = (entry: number, text: string) =>
        entries().nth(entry).getByRole('listitem').filter({ hasText: text });
      for (const [entry, text] of [
        [0, 'changed State from new to done'],
        [0, 'changed Player from Ada to Bob <b>'],
        [0, 'set Address: City to “Rome”'],
        [0, 'set Address: Geo: Lat to 1'],
        [1, `changed Notes: The first act is (removed: too long)(added: ${hostile}), and the second`],
        [1, 'set Open to yes'],
        [1, 'set By to eve'],
        [1, 'Tags: added “c”; removed “a”'],
        [1, 'Parts: added Called “y”, Player Bob <b>'],
        [1, 'changed Parts 2: Called from “x” to “z”'],
        [2, 'set Betreff to “One”'],
      ] as const)
        await lineOf(entry, text).first().waitFor();
      expect(await page.locator('ins').allTextContents()).toEqual([`(added: ${hostile})`]);
      await page
        .getByRole('region', { name: 'today' })
        .or(page.getByRole('region', { name: 'yesterday' }))
        .first()
        .waitFor();
      expect(await violationsOf(page)).toEqual([]);
    }
    expect(await entries().nth(2).getByText('N11').count()).toBe(0);
    await entries()
      .nth(2)
      .getByRole('button', { name: /^Show all \d+ changes$/ })
      .click();
    await entries().nth(2).getByRole('listitem').filter({ hasText: 'set N11 to 11' }).waitFor();
    await setTheme(page, 'light');
    await go(`documents/script/${id}?tab=history`);
  });

  const revert = (): Promise<void> =>
    noticed(page, 'The document is reverted.', () =>
      page.getByRole('button', { name: 'Revert to this, entry 1' }).click(),
    );

  test('a document is reverted, the entry appears, and an undo takes it back', async () => {
    await revert();
    expect(await titleOf()).toBe('First');
    await entries().nth(3).waitFor();
    await undo(page);
    expect(await titleOf()).toBe(hostile);
    await entries().nth(4).waitFor();
  });

  test('an undo does not overwrite what another user has changed since', async () => {
    await revert();
    await as('eve', 'PUT', `/api/script/${id}`, { title: 'Hers' });
    await undo(page, 'This did not work');
    expect(await titleOf()).toBe('Hers');
  });

  test('a revert names what the caller may not change, and leaves it', async () => {
    const insured = await make('insured', { title: 'Vase', insured_value: 4000, place: { room: 'A', shelf: '1' } });
    const changed = { title: 'Bowl', insured_value: 1, 'place.room': 'B', 'place.shelf': '2' };
    expect((await as('root', 'PATCH', `/api/insured/${insured}`, { $set: changed })).status).toBe(200);
    const { page: other, faults: others } = await open(server.url);
    await signIn(other, server.url, 'eve', `#/documents/insured/${insured}?tab=history`);
    const text =
      'The document is reverted, but Insured value and Place: Standort keep their values: you may not change them.';
    await noticed(other, text, () => other.getByRole('button', { name: 'Revert to this, entry 1' }).click());
    expect((await as('root', 'GET', `/api/insured/${insured}`)).document).toMatchObject({
      ...{ title: 'Vase', insured_value: 1, place: { room: 'B', shelf: '1' } },
    });
    await undo(other);
    expect((await as('root', 'GET', `/api/insured/${insured}`)).document).toMatchObject({
      ...{ title: 'Bowl', insured_value: 1, place: { room: 'B', shelf: '2' } },
    });
    expect(others).toEqual([]);
    await other.context().close();
  });

  test('the tab is there where the model has history, and the button where the caller may change', async () => {
    await go(`documents/plain/${await make('plain', { title: 'Plain' })}`);
    await page.getByRole('tab', { name: 'Raw' }).waitFor();
    expect(await page.getByRole('tab', { name: 'History' }).count()).toBe(0);
    const fixed = await make('fixed', { title: 'One' });
    await as('root', 'PUT', `/api/fixed/${fixed}`, { title: 'Two' });
    const { page: other } = await open(server.url);
    await signIn(other, server.url, 'eve', `#/documents/fixed/${fixed}?tab=history`);
    await other.getByText('created it').waitFor();
    expect(await other.getByRole('button', { name: /^Revert/ }).count()).toBe(0);
    await other.goto(`${server.url}/console#/documents/fixed`);
    await other.getByRole('link', { name: 'Two' }).waitFor();
    expect(await other.getByRole('link', { name: 'Trash' }).count()).toBe(0);
    await other.goto(`${server.url}/console#/documents/script/${id}?tab=history`);
    await other.getByRole('button', { name: 'Revert to this, entry 1' }).waitFor();
    await other.context().close();
  });

  test('the trash of a model restores documents, and removes them permanently', async () => {
    for (const title of ['Kept', 'Gone']) await as('root', 'DELETE', `/api/script/${await make('script', { title })}`);
    await go('documents/script');
    await page.getByRole('link', { name: 'Trash' }).click();
    await page.getByRole('heading', { name: 'Trash of script' }).waitFor();
    const row = (title: string) => page.getByRole('row').filter({ hasText: title });
    await row('Kept').getByRole('checkbox').check();
    await noticed(page, '1 document restored.', () => page.getByRole('button', { name: 'Restore' }).click());
    await row('Kept').waitFor({ state: 'detached' });
    await row('Gone').getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Remove permanently' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove permanently' }).click();
    await page.getByText('The trash is empty.').waitFor();
    expect((await as('root', 'GET', '/count/script?filter[title]=Kept')).body['count']).toBe(1);
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
