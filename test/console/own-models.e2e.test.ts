/** The server's own models in the console: the table, document and history of any model, for reading alone (docs/own-models.md). */
import { readFile } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { internalCollection } from '../../src/models/mongoose.ts';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { useBrowser, violationsOf, type Window } from './window.ts';

const [first, second, third] = ['a', 'b', 'c'].map((name) => `https://x.test/${name}`) as [string, string, string];
/** What writes, wherever it may be. */
const writing =
  /^(New( .*)?|Create|Import( a file)?|Trash|Delete|Edit|Save|Restore|Remove permanently|Revert to this.*|Change a field.*|Save as a figure.*)$/;

/** The texts in a value. */
const textsIn = (value: unknown): readonly string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null && !(value instanceof Date)
      ? Object.values(value).flatMap(textsIn)
      : [];

inBrowser('own models in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let window: Window;
  let page: Page;
  let hook: string;
  let secrets: readonly string[];
  const go = (view: string, of = page): Promise<unknown> => of.goto(`${server.url}/console#/${view}`);
  const main = (of = page) => of.getByRole('main');
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const link = (name: string, of = page) => of.getByRole('link', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const addresses = (): Promise<string[]> => main().locator('a[data-row]').allTextContents();
  const shows = (expected: readonly string[]): Promise<void> => {
    let seen = '';
    return until(
      async () => (seen = (await addresses()).join()) === expected.join(),
      () => seen,
    );
  };
  const make = async (person: 'root' | 'eve', path: string, body: object = {}): Promise<Record<string, string>> =>
    ((await server.as(person, 'POST', path, { body })).body as { data: Record<string, string> }).data;

  /** The values of the paths that no caller reads, as they are stored and as they were shown once. */
  async function secretsOf(shown: readonly (string | undefined)[]): Promise<readonly string[]> {
    const { registry } = server.dossier.services;
    const stored = await Promise.all(
      (['_webhook', '_key', '_outbox'] as const).map((name) => internalCollection(registry, name).find().toArray()),
    );
    const paths = ['secret', 'earlier', 'incarnation', 'digest', 'claim', 'process', 'data', 'lane', 'key'];
    const inRows = stored.flat().flatMap((one) => paths.flatMap((path) => textsIn((one as never)[path])));
    return [...shown, ...inRows].filter((text): text is string => text !== undefined && text.length > 12);
  }

  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      webhook: { allow: ['*'] },
      models: {
        film: ({ Schema }) => {
          const schema = new Schema(
            { title: String },
            { perms: { user: 'crud' }, schedules: { tidy: { call: 'tidy', cron: '0 3 1 1 *' } } },
          );
          schema.statics['tidy'] = () => Promise.resolve();
          return schema;
        },
      },
    });
    const made: Record<string, string>[] = [];
    for (const [url, active] of [
      [first, true],
      [second, false],
      [third, true],
    ] as const)
      made.push(await make('root', '/webhooks', { url, active, models: ['film'] }));
    hook = made[0]?.['id'] ?? '';
    await server.as('root', 'PUT', `/webhooks/${hook}`, { body: { description: 'of the shop' } });
    const rotated = await make('root', `/webhooks/${hook}/rotate`, { overlap: 3600 });
    await server.as('root', 'POST', `/webhooks/${made[1]?.['id'] ?? ''}/test`);
    const keys = [
      await make('root', '/login/keys', { name: 'of root' }),
      await make('eve', '/login/keys', { name: 'of eve' }),
    ];
    await make('eve', '/views', { model: 'film', title: 'view of eve', filter: { title: 'x' } });
    await server.as('root', 'POST', '/schedules/film.tidy/run');
    secrets = await secretsOf([...made, rotated].map(({ secret }) => secret).concat(keys.map(({ key }) => key)));
    window = await open(server.url);
    ({ page } = window);
    await signIn(page, server.url, 'root');
  });

  /** Everything that a page has, also what is not seen. */
  afterEach(async () => {
    const content = await page.content();
    for (const secret of secrets) expect(content).not.toContain(secret);
    expect(secrets.length).toBeGreaterThan(8);
    expect(window.faults).toEqual([]);
  });

  const isReadOnly = async (): Promise<void> => {
    for (const role of ['button', 'link', 'menuitem'] as const)
      expect(await main().getByRole(role, { name: writing }).allTextContents()).toEqual([]);
  };

  test('the page of the webhooks leads to their table', async () => {
    await go('webhooks');
    await link('Webhooks as a table').click();
    await main().getByRole('heading', { name: 'Webhooks', exact: true }).waitFor();
    await shows([first, second, third]);
    await main().getByText('3 documents').waitFor();
    await isReadOnly();
    expect(await page.getByLabel('Deleted documents').count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  test('the table is sorted, filtered and searched', async () => {
    await go('documents/_webhook');
    await page.getByRole('columnheader', { name: 'URL' }).getByRole('button').first().click();
    await shows([first, second, third]);
    await page.getByRole('columnheader', { name: 'URL' }).getByRole('button').first().click();
    await shows([third, second, first]);
    await button('Filter').click();
    const dialog = page.getByRole('dialog', { name: 'Filter Webhooks' });
    await dialog.getByText('Text', { exact: true }).click();
    await dialog.getByRole('textbox').fill('{"active":true}');
    await dialog.getByRole('button', { name: 'Apply' }).click();
    await shows([third, first]);
    await page.getByPlaceholder('Search').fill('/a');
    await shows([first]);
    await page.getByPlaceholder('Search').fill('nothing has this');
    await main().getByText('No documents.').waitFor();
    await isReadOnly();
  });

  test('what is kept for code, and what no document has, is no column', async () => {
    await go('documents/_webhook');
    await button('Columns').click();
    await page.getByRole('checkbox', { name: 'Off reason' }).waitFor();
    for (const name of [/secret/i, /incarnation/i, /earlier/i, /^Updated/, /owner/i, /deleted/i])
      expect(await page.getByRole('checkbox', { name }).count()).toBe(0);
    await page.keyboard.press('Escape');
  });

  test('chosen documents can be exported, and nothing else', async () => {
    await go('documents/_webhook');
    await page.getByRole('checkbox', { name: `Choose ${first}` }).check();
    const chosen = page.getByRole('group', { name: 'Chosen documents' });
    await chosen.waitFor();
    expect(await chosen.getByRole('button').allTextContents()).toEqual(['Export', 'Choose none']);
  });

  test('CSV has what the table selects', async () => {
    await go('documents/_webhook?filter={"active":true}&sort=-url');
    await shows([third, first]);
    await button('Export').click();
    const dialog = page.getByRole('dialog', { name: 'Export Webhooks' });
    await dialog.getByRole('radio', { name: 'All fields' }).check();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Download' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    expect([...text.matchAll(/https:\/\/x\.test\/\w/g)].map(([url]) => url)).toEqual([third, first]);
    for (const secret of secrets) expect(text).not.toContain(secret);
    await dialog.getByRole('button', { name: 'Close' }).last().click();
  });

  test('the table follows changes of others', async () => {
    await go('documents/_webhook?sort=url&fields=url,active,description');
    await shows([first, second, third]);
    await server.as('root', 'PUT', `/webhooks/${hook}`, { body: { description: 'of the other shop' } });
    await row(first).getByText('of the other shop').waitFor();
  });

  test('a document has its fields and its history, and can not be written', async () => {
    await go('documents/_webhook');
    await link(first).click();
    const panel = page.getByRole('region', { name: 'Document', exact: true });
    await panel.getByText('of the other shop').waitFor();
    await panel.getByRole('link', { name: 'Open as page' }).click();
    await main().getByRole('heading', { name: first }).waitFor();
    await main().getByText('of the other shop').waitFor();
    await isReadOnly();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('tab', { name: 'History' }).click();
    await main().getByText('root created it').waitFor();
    await main().getByText('set Description to').waitFor();
    await isReadOnly();
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole('tab', { name: 'Raw' }).click();
    await main().getByText('As curl').waitFor();
    await page.getByRole('tab', { name: 'Links here' }).click();
    await main().getByText('No model links to Webhooks.').waitFor();
  });

  test.each([
    ['a new document', 'documents/_webhook/new', 'You may not create documents of Webhooks.'],
    ['a document that is not there', `documents/_webhook/${'0'.repeat(24)}`, 'The document was removed, or you may'],
    ['an import', 'import/_webhook', 'There is no model “_webhook” for you.'],
    ['an own model that there is not', 'documents/_nosuch', 'There is no model “_nosuch” for you.'],
    ['what gives access', 'documents/_session', 'There is no model “_session” for you.'],
  ])('%s', async (_name, view, text) => {
    await go(view);
    await main().getByText(text).waitFor();
    await isReadOnly();
    if (view.endsWith('/new')) expect(await main().getByText('An admin').count()).toBe(0);
  });

  describe.each([
    ['webhooks', 'Webhooks as a table', 'Webhooks', [first, second, third]],
    ['jobs', 'Jobs as a table', 'Jobs and deliveries', undefined],
    ['schedules', 'All runs as a table', 'Schedule runs', ['film.tidy']],
    ['schedules/film.tidy', 'These runs as a table', 'Schedule runs', ['film.tidy']],
    ['account', 'Keys as a table', 'Keys', ['of root']],
  ] as const)('from #/%s', (view, name, heading, rows) => {
    test.each([1280, 360])('at %d pixels', async (width) => {
      await page.setViewportSize({ width, height: 800 });
      await go(view);
      if (rows === undefined) {
        await main().getByText('No such jobs.').waitFor();
        // there is nothing to see as a table
        expect(await link(name).count()).toBe(0);
      } else {
        await link(name).click();
        await main().getByRole('heading', { name: heading, exact: true }).waitFor();
        await shows(rows);
        await isReadOnly();
        expect(await violationsOf(page)).toEqual([]);
        await main().locator('a[data-row]').first().click();
        await page.getByRole('region', { name: 'Document', exact: true }).getByText('ID and version').waitFor();
        await isReadOnly();
        expect(await violationsOf(page)).toEqual([]);
      }
      await page.setViewportSize({ width: 1280, height: 800 });
    });
  });

  test('deliveries lead to the same ones as a table, which has no events', async () => {
    await go('webhooks');
    await link(second).click();
    await link('Deliveries as a table').click();
    await main().getByRole('heading', { name: 'Jobs and deliveries', exact: true }).waitFor();
    await shows(['webhook']);
    expect(await page.getByRole('alert').count()).toBe(0);
    await link('webhook').click();
    await page.getByRole('region', { name: 'Document', exact: true }).getByText('ID and version').waitFor();
    await isReadOnly();
  });

  test('saved views are read, too, and the home page has none of the tables', async () => {
    await go('documents/_view');
    await shows(['view of eve']);
    await isReadOnly();
    await link('view of eve').click();
    await page.getByRole('region', { name: 'Document', exact: true }).getByText('ID and version').waitFor();
    await isReadOnly();
    await go('');
    await main().getByText('Films').first().waitFor();
    for (const name of ['Webhooks', 'Keys', 'Schedule runs']) expect(await main().getByText(name).count()).toBe(0);
  });

  test('a user who is no admin reads what is theirs, and of others as little as of what there is not', async () => {
    const { page: other, faults } = await open(server.url);
    await signIn(other, server.url, 'eve', '#/documents/_nosuch');
    await main(other).getByText('There is no model “_nosuch”').waitFor();
    const absent = (await main(other).textContent()) ?? '';
    for (const name of ['_webhook', '_outbox', '_schedule_run', '_backup']) {
      await go(`documents/${name}`, other);
      await main(other).getByText(`There is no model “${name}”`).waitFor();
      expect(await main(other).textContent()).toBe(absent.replace('_nosuch', name));
    }
    await go('account', other);
    await link('Keys as a table', other).click();
    await main(other).getByText('1 document').waitFor();
    await main(other).getByText('of eve').waitFor();
    expect(await main(other).getByText('of root').count()).toBe(0);
    await go('documents/_view', other);
    await main(other).getByText('view of eve').waitFor();
    expect(faults).toEqual([]);
  });
});
