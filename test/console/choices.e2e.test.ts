/** Choices and links in tables, filters and dialogs: what they are is legible, and offered. */
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { idle, setTheme, useBrowser } from './window.ts';

const kinds = ['painting', 'sculpture', 'works on paper, ink'];

inBrowser('choices in the console', () => {
  const open = useBrowser();
  let server: PeopledServer<'root'>;
  let page: Page;
  beforeAll(async () => {
    server = await openPeople(['root'], {
      max_sessions: 20,
      models: {
        maker: ({ Schema }) => new Schema({ name: String }, { perms: { admin: 'crud' } }),
        thing: ({ Schema }) => {
          const address = new Schema({ city: { type: String, required: true } }, { _id: false });
          return new Schema(
            {
              name: { type: String, required: true },
              kind: { type: String, enum: ['painting', 'sculpture', 'works on paper, ink'] },
              state: { type: String, enum: ['in stock', 'on loan'] },
              shown: Boolean,
              maker_id: { type: Schema.Types.ObjectId, link: 'maker' },
              owner_ids: { type: [{ type: Schema.Types.ObjectId, link: 'maker' }], list: false },
              marks: { type: [{ type: String, enum: ['signed', 'dated', 'stamped'] }], list: false },
              picture: String,
              address,
            },
            { perms: { admin: 'crud' } },
          );
        },
      },
    });
    const maker = Array.from({ length: 20 }, (_, at) => ({ name: `Maker ${at}` }));
    const thing = Array.from({ length: 20 }, (_, at) => ({
      name: `A rather long name of the thing with the number ${at}`,
      kind: kinds[at % 3],
      state: at % 2 === 0 ? 'in stock' : 'on loan',
      shown: at % 2 === 0,
      picture: `https://pictures.example/of/things/with/long/addresses/${at}.jpg`,
    }));
    await server.as('root', 'POST', '/setup/data', { body: { maker, thing } });
    page = (await open(server.url)).page;
    await signIn(page, server.url, 'root', '#/documents/thing');
  });

  const visit = async (view: string): Promise<void> => {
    await page.goto('about:blank');
    await page.goto(`${server.url}/console#/${view}`);
  };
  /** Opens a form without what was typed there before. */
  const visitNew = async (): Promise<void> => {
    await page.evaluate(
      "for (const key of Object.keys(sessionStorage)) if (key.includes('draft')) sessionStorage.removeItem(key)",
    );
    await visit('documents/thing/new');
  };
  const dialog = () => page.getByRole('dialog');
  const texts = (select: Locator) => select.getByRole('option').allTextContents();

  test.each([1280, 1024])(
    'choices of a table are not cut off at %s pixels, and stand in the line of texts',
    async (width) => {
      await page.setViewportSize({ width, height: 800 });
      await visit('documents/thing');
      const cells = page.locator('td .mark');
      await cells.first().waitFor();
      const cut = await cells
        .locator('.mantine-Badge-label')
        .evaluateAll((labels) =>
          labels
            .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
            .map(({ textContent }) => textContent),
        );
      expect(cut).toEqual([]);
      await page.setViewportSize({ width: 1280, height: 800 });
    },
  );

  test('the dot of “no” is visible in the dark', async () => {
    await setTheme(page, 'dark');
    await page.locator('td .mark').filter({ hasText: /^no$/ }).first().waitFor();
    const [dot = '', ground = ''] = await page.evaluate<string[]>(`{
      const no = [...document.querySelectorAll('td .mark')].find(({ textContent }) => textContent === 'no');
      [getComputedStyle(no, '::before').backgroundColor, getComputedStyle(document.body).backgroundColor];
    }`);
    const light = (text: string) => Number(/\d+/.exec(text)?.[0]);
    expect(light(dot) - light(ground)).toBeGreaterThan(80);
    await setTheme(page, 'light');
  });

  test('the choices of a picker in a dialog are not cut off by it', async () => {
    await page.getByLabel('Choose all documents of this page').check();
    await page.getByRole('button', { name: 'Change a field' }).click();
    await dialog().getByLabel('Field').selectOption('maker_id');
    await dialog().getByRole('combobox', { name: 'New value' }).click();
    await dialog().locator('[role="option"]').nth(3).waitFor();
    const isOnTop = await page.evaluate<boolean>(`{
      const option = document.querySelectorAll('[role="dialog"] [role="option"]')[3];
      const { left, top, width, height } = option.getBoundingClientRect();
      option.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    }`);
    expect(isOnTop).toBe(true);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
  });

  const box = (name: string): Locator => page.getByRole('combobox', { name, exact: true });
  const hasValue = (input: Locator, value: string): Promise<void> =>
    until(async () => (await input.inputValue()) === value);

  afterEach(() => page.unrouteAll());

  /** Holds the searches for makers until they are released, by a part of their address. */
  async function holdSearches() {
    const held: { readonly url: string; readonly go: () => void }[] = [];
    let released: string | undefined;
    await page.route(/\/api\/maker\?.*search/, async (route) => {
      const url = decodeURIComponent(route.request().url()).replaceAll('+', ' ');
      if (released === undefined || !url.includes(released)) await new Promise<void>((go) => held.push({ url, go }));
      // the page may have given it up
      await route.continue().catch(() => undefined);
    });
    return {
      /** Waits until one is sent. */
      sent: (text: string) =>
        until(
          () => held.some(({ url }) => url.includes(text)),
          () => JSON.stringify(held),
        ),
      /** Also those that are sent later. */
      release: (text: string): void => {
        released = text;
        for (const { url, go } of held) if (url.includes(text)) go();
      },
    };
  }

  test.each([
    ['17', '12'],
    ['12', '17'],
  ])(
    'what Enter has asked for is taken in two boxes, the answer for Maker %s before that for Maker %s',
    async (...order) => {
      await visitNew();
      await box('Maker').click();
      await page.locator('[role="option"]').first().waitFor();
      const held = await holdSearches();
      await box('Maker').fill('Maker 17');
      await held.sent('Maker 17');
      await box('Maker').press('Enter');
      await box('Owners').fill('Maker 12');
      // by then the first box, which was left before, seeks nothing any more
      await held.sent('Maker 12');
      await box('Owners').press('Enter');
      const takes: Readonly<Record<string, () => Promise<void>>> = {
        17: () => hasValue(box('Maker'), 'Maker 17'),
        12: () => page.locator('.mantine-Pill-root', { hasText: 'Maker 12' }).waitFor(),
      };
      for (const maker of order) {
        held.release(`Maker ${maker}`);
        await takes[maker]?.();
      }
    },
  );

  test('an answer that comes after the form was left changes no other form', async () => {
    const { rows } = await server.as('root', 'GET', '/api/thing?limit=2&sort=_id');
    const [first, other] = rows.map(({ _id }) => `documents/thing/${String(_id)}`);
    await visit(first ?? '');
    await box('Maker').click();
    const held = await holdSearches();
    await box('Maker').fill('Maker 17');
    await held.sent('Maker 17');
    await box('Maker').press('Enter');
    // the box gives its own search up; that for the answer is another one
    const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes('17'));
    await page.keyboard.press('Tab');
    await givenUp;
    await page.goto(`${server.url}/console#/${other}`);
    await page.getByRole('heading', { name: String(rows[1]?.['name']) }).waitFor();
    const answered = page.waitForResponse((response) => response.url().includes('17'));
    held.release('Maker 17');
    await (await answered).finished();
    await page.evaluate(idle);
    expect(await box('Maker').inputValue()).toBe('');
    await page.getByRole('button', { name: 'Save', exact: true }).and(page.locator(':disabled')).waitFor();
  });

  test('a choice and a text that come before the answer for an earlier text stay', async () => {
    await visitNew();
    await box('Maker').click();
    const other = page.getByRole('option', { name: 'Maker 11' });
    await other.waitFor();
    const held = await holdSearches();
    for (const text of ['Maker 17', 'Maker 18']) {
      await box('Maker').fill(text);
      await held.sent(text);
      await box('Maker').press('Enter');
      // the box gives its own search up; that for the answer is another one
      const givenUp = page.waitForEvent('requestfailed', (request) => request.url().includes(text.slice(-2)));
      await page.keyboard.press('Tab');
      await givenUp;
      await box('Maker').click();
      if (text === 'Maker 17') await other.click();
      else await box('Maker').fill('typed later');
      const answered = page.waitForResponse((response) => response.url().includes(text.slice(-2)));
      held.release(text);
      await (await answered).finished();
      await page.evaluate(idle);
    }
    expect(await box('Maker').inputValue()).toBe('typed later');
    await page.keyboard.press('Tab');
    await hasValue(box('Maker'), 'Maker 11');
  });

  test('Enter takes the first choice for what is typed, also where it has not come yet, and never sends the form', async () => {
    await visitNew();
    await page.getByRole('textbox', { name: 'Name' }).fill('By keys');
    await box('Maker').click();
    await page.locator('[role="option"]').first().waitFor();
    const held = await holdSearches();
    await box('Maker').fill('Maker 17');
    await box('Maker').press('Enter');
    await box('Owners').fill('Maker 12');
    await box('Owners').press('Enter');
    const pills = page.locator('.mantine-Pill-root');
    expect([await pills.count(), page.url()]).toEqual([0, expect.stringMatching(/thing\/new$/)]);
    held.release('');
    await pills.filter({ hasText: 'Maker 12' }).waitFor();
    await hasValue(box('Maker'), 'Maker 17');
    await page.unrouteAll();
    for (const [name, text] of [
      ['Owners', 'Maker 1'],
      ['Marks', 'dat'],
    ] as const) {
      await box(name).fill(text);
      await page.locator('[role="option"][data-combobox-selected]').filter({ hasText: text }).first().waitFor();
      await box(name).press('Enter');
      await pills.filter({ hasText: text }).first().waitFor();
      await box(name).fill('no such choice');
      await page.getByText('Nothing found').locator('visible=true').waitFor();
      await box(name).press('Enter');
      expect(await box(name).inputValue()).toBe('no such choice');
      await box(name).fill('');
    }
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { name: 'By keys' }).waitFor();
    const makers = (await server.as('root', 'GET', '/api/maker?limit=100')).rows;
    const idOf = (maker: string): unknown => makers.find(({ name }) => name === maker)?.['_id'];
    const made = await server.as('root', 'GET', '/api/thing?filter[name]=By keys');
    expect(made.rows).toMatchObject([
      { maker_id: idOf('Maker 17'), owner_ids: [idOf('Maker 12'), idOf('Maker 1')], marks: ['dated'] },
    ]);
    // Tab leaves a list that scrolls for the next input
    await box('Maker').click();
    await page.locator('[role="option"]').nth(15).waitFor();
    await page.keyboard.press('Tab');
    await box('Owners').and(page.locator(':focus')).waitFor();
    // another choice is sought as the first one was
    await box('Maker').fill('Maker 3');
    await page.locator('[role="option"][data-combobox-selected]').filter({ hasText: 'Maker 3' }).waitFor();
    await box('Maker').press('Enter');
    await page.getByRole('button', { name: 'Save', exact: true }).and(page.locator(':enabled')).waitFor();
    expect(await box('Maker').inputValue()).toBe('Maker 3');
  });

  test('the boxes and buttons of the columns are large enough to hit', async () => {
    await visit('documents/thing');
    await page.getByRole('button', { name: 'Columns' }).click();
    await dialog().locator('input[type="checkbox"]').nth(4).waitFor();
    const targets = await dialog()
      .locator('input[type="checkbox"], button')
      .evaluateAll((all) =>
        all.map((one) => {
          const { left, top, width, height } = one.getBoundingClientRect();
          return { x: left + width / 2, y: top + height / 2, small: Math.min(width, height) < 24 };
        }),
      );
    // WCAG 2.2, 2.5.8: 24 pixels, or as much around the middle of a smaller one
    const close = targets.filter(
      (one) => one.small && targets.some((other) => other !== one && Math.hypot(one.x - other.x, one.y - other.y) < 24),
    );
    expect([close, targets.length > 8]).toEqual([[], true]);
    await page.keyboard.press('Escape');
  });

  test('a filter on a choice offers what it can be, one or several, and nothing of texts and orders', async () => {
    await visit('documents/thing');
    await page.getByRole('button', { name: 'Filter' }).click();
    await dialog().getByRole('button', { name: 'Add a condition' }).click();
    await dialog().getByLabel('Field').selectOption('kind');
    const operator = dialog().getByLabel('Operator');
    expect(await operator.inputValue()).toBe('is');
    expect(await texts(operator)).toEqual(['is', 'is not', 'is one of', 'is empty', 'is not empty']);
    // a row without a value is not applied
    await dialog().getByRole('button', { name: 'Apply' }).click();
    await dialog().getByText('The condition on Kind has no value.').waitFor();
    await operator.selectOption('in');
    for (const kind of ['works on paper, ink', 'sculpture']) {
      await dialog().getByRole('combobox', { name: 'Value' }).click();
      await dialog().locator('[role="option"]').filter({ hasText: kind }).click();
    }
    await dialog().getByRole('button', { name: 'Apply' }).click();
    await page.getByText('13 documents', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Kind is one of works on paper, ink, sculpture', exact: true }).click();
    await dialog().getByLabel('Field').selectOption('maker_id');
    expect(await texts(operator)).toEqual(['is', 'is not', 'is one of', 'is empty', 'is not empty']);
    await dialog().getByLabel('Field').selectOption('shown');
    expect((await texts(dialog().getByRole('combobox', { name: 'Value' }))).filter(Boolean)).toEqual(['yes', 'no']);
  });

  test('on a phone an operator is legible', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    const width = await dialog()
      .getByLabel('Operator')
      .evaluate((one) => one.getBoundingClientRect().width);
    expect(width).toBeGreaterThan(200);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test('what an optional nested document requires is not asked for while it is empty', async () => {
    await visitNew();
    await page.getByLabel('Name').fill('Without an address');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Without an address' }).waitFor();
  });
});
