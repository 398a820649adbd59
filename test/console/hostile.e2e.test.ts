/** Values that look like code or addresses, and names of models, fields and users that do: all of them are text wherever they are shown. */
import { isDeepStrictEqual } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { noticed } from './notices.ts';
import { isSeen, useBrowser } from './window.ts';

const image = '<img src=x onerror="window.broken = true">';
const values: readonly string[] = [
  image,
  '</script><script>window.broken = true</script>',
  'javascript:window.broken=true',
  '\u202Eevil\u202D',
  'W'.repeat(10_000),
  '__proto__',
  '{{constructor.constructor("window.broken=true")()}}',
];
const [, script = '', address = ''] = values;
const encoded = (value: unknown): string =>
  encodeURIComponent(typeof value === 'string' ? value : JSON.stringify(value));

/** What a page has made of the values: nothing but text, and no wider than the window. */
const seen = `({
  broken: window.broken === true,
  images: document.querySelectorAll('img[src="x"]').length,
  scripts: [...document.scripts].filter(({ text }) => text.includes('broken')).length,
  links: document.querySelectorAll('a[href^="javascript"]').length,
  beyond: Math.max(0, document.documentElement.scrollWidth - window.innerWidth),
})`;
const harmless = { broken: false, images: 0, scripts: 0, links: 0, beyond: 0 };

inBrowser('hostile values', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  let faults: string[];
  let first: string;
  beforeAll(async () => {
    server = await openPeople(['root'], {
      max_sessions: 5,
      models: {
        note: ({ Schema }) => {
          // a model file of its own, which has no other variables
          const image = '<img src=x onerror="window.broken = true">';
          const id = { type: Schema.Types.ObjectId, link: 'note' };
          const schema = new Schema(
            {
              title: String,
              text: { type: String, label: `Text ${image}`, description: image },
              choice: { type: String, enum: [image, 'javascript:window.broken=true'] },
              address: { type: String, match: /^\w+:/ },
              toString_: String,
              tags: [String],
              any: Schema.Types.Mixed,
              parts: [new Schema({ label: String })],
              note_id: id,
              note_ids: [id],
            },
            { perms: { admin: 'crud' }, history: true, callable_statics: { echo: 'r' } },
          );
          schema.statics['echo'] = () => ({ html: image });
          return schema;
        },
        other: ({ Schema }) => {
          const image = '<img src=x onerror="window.broken = true">';
          return new Schema(
            { name: String },
            { perms: { admin: 'crud' }, label: `Others ${image}`, description: image, group: image, icon: '<' },
          );
        },
      },
    });
    const { callers } = server;
    await server.as('root', 'PUT', `/api/user/${callers.root.user_id}`, { body: { name: image } });
    const made = [];
    for (const title of values) {
      const body = { title, text: title, choice: image, toString_: title, tags: [title], any: { '<b>': title } };
      const { document, status, text } = await server.as('root', 'POST', '/api/note', { body });
      if (status !== 201) throw new Error(text);
      made.push(String(document['_id']));
    }
    first = made[0] ?? '';
    for (const id of made) {
      const body = { note_id: id, note_ids: made, tags: values, parts: values.map((label) => ({ label })) };
      const { status, text } = await server.as('root', 'PUT', `/api/note/${id}`, { body });
      if (status !== 200) throw new Error(text);
    }
    const figure = { of: 'count', path: null, by: 'title', unit: null, zone: null };
    for (const view of [{ title: image, figure }, { title: script }])
      await server.as('root', 'POST', '/views', { body: { model: 'note', ...view } });
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root');
  });

  /** Looks at the view in both widths. */
  async function look(): Promise<void> {
    await page.waitForLoadState('networkidle');
    expect(await page.evaluate(seen)).toEqual(harmless);
    await page.setViewportSize({ width: 390, height: 844 });
    // the page is laid out again
    let now: unknown;
    await until(
      async () => isDeepStrictEqual((now = await page.evaluate(seen)), harmless),
      () => JSON.stringify(now),
    );
    await page.setViewportSize({ width: 1280, height: 800 });
  }
  const go = async (view: string): Promise<void> => {
    await page.goto(`${server.url}/console#/${view}`);
    await page.locator('h1:visible, h2:visible').first().waitFor();
  };
  const main = () => page.getByRole('main');

  test.each<[view: string, address: string, shown: string]>([
    ['a table', 'documents/note', image],
    ['a table with a filter', `documents/note?filter=${encoded({ title: { $in: [image, script] } })}`, image],
    ['a table with a search', `documents/note?search=${encoded(image)}`, image],
    ['the fields of a document', 'documents/note/{id}', image],
    ['its links', 'documents/note/{id}?tab=links', image],
    ['its raw text', 'documents/note/{id}?tab=raw', 'onerror'],
    ['its history', 'documents/note/{id}?tab=history', image],
    ['a document beside its table', 'documents/note?open={id}', image],
    ['a document of a hostile model', 'documents/other/new', image],
    ['the name of a model in the address', `documents/${encoded(image)}`, image],
    ['an id in the address', `documents/note/${encoded(image)}`, 'not'],
    ['a view in the address', encoded(image), 'nothing'],
    ['a query in the address', `queries?model=note&text=${encoded({ title: image })}`, 'onerror'],
    ['home, with figures and recent documents', '', image],
    ['the reference', 'reference/note', image],
    ['rights', 'rights?model=note', image],
    ['users', 'users', image],
    ['audit', 'audit', image],
    ['functions', 'functions', 'Call'],
  ])('%s', async (_, view, shown) => {
    await go(view.replace('{id}', first));
    await page.locator('main, [role=dialog], aside').getByText(shown).locator('visible=true').first().waitFor();
    await look();
  });

  test('a picker, a refusal and a toast', async () => {
    await go(`documents/note/${first}`);
    await main().getByLabel('Note', { exact: true }).first().fill('img');
    await page.getByRole('option', { name: image }).locator('visible=true').first().waitFor();
    await look();
    await page.keyboard.press('Escape');
    await main().getByLabel('Address', { exact: true }).fill(image);
    await page.keyboard.press('Control+s');
    await main()
      .getByText(/does not have the right form/)
      .first()
      .waitFor();
    await look();
    await main().getByLabel('Address', { exact: true }).fill(address);
    await noticed(page, 'Saved.', () => page.keyboard.press('Control+s'));
    await look();
  });

  test('the search over all models', async () => {
    await go('documents/other');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search all models' }).fill('img');
    await page.getByRole('option', { name: image }).locator('visible=true').first().waitFor();
    expect(await page.evaluate(seen)).toEqual(harmless);
    await page.keyboard.press('Escape');
  });

  test('the preview of an import', async () => {
    await go('import/note');
    const buffer = Buffer.from(JSON.stringify([{ title: image, [script]: script, choice: `no ${image}` }]));
    await page.locator('input[type=file]').setInputFiles({ name: `${image}.json`, mimeType: 'text/plain', buffer });
    await page.getByRole('region', { name: 'Preview' }).getByText(image).first().waitFor();
    await look();
  });

  test('the answer of a function, and live events', async () => {
    await go('functions');
    await main().getByRole('button', { name: 'Call' }).click();
    await main().getByText('onerror').locator('visible=true').first().waitFor();
    await look();
    await go('live');
    // the view does not show when its streams are open
    await until(async () => {
      await server.as('root', 'POST', '/api/note', { body: { title: image } });
      return isSeen(main().getByText(image).locator('visible=true').first());
    });
    await look();
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
