/** Lists of documents in a form, at any depth: members are added, moved and removed by keyboard, and each fault is at its own field. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { inBrowser } from '../support/browser.ts';
import { openPeople, type PeopledServer } from '../support/fixtures/people.ts';
import { until } from '../support/waiting.ts';
import { signIn } from './library.ts';
import { noticed } from './notices.ts';
import { useBrowser, violationsInThemes } from './window.ts';

inBrowser('lists of documents in a form', () => {
  const open = useBrowser();
  let server: PeopledServer<'root' | 'eve'>;
  let page: Page;
  let faults: readonly string[];
  let id: string;

  beforeAll(async () => {
    server = await openPeople(['root', 'eve'], {
      max_sessions: 20,
      models: {
        recipe: ({ Schema }) => {
          const step = {
            text: { type: String, required: true, label: 'What to do' },
            times: [
              {
                minutes: {
                  type: Number,
                  required: true,
                  validate: { validator: (n: number) => n !== 13, message: 'is unlucky' },
                },
              },
            ],
            place: { room: String, shelf: { number: Number } },
            free: Schema.Types.Mixed,
            inner_key: { type: String, hidden: true },
          };
          const cook = new Schema({ name: { type: String, required: true } });
          return new Schema({ title: String, steps: [step], cook }, { perms: { user: 'r', admin: 'crud' } });
        },
      },
    });
    const made = await server.as('root', 'POST', '/api/recipe', {
      body: { title: 'Soup', steps: ['Cut', 'Boil', 'Eat'].map((text) => ({ text, inner_key: text })) },
    });
    id = String(made.document['_id']);
    ({ page, faults } = await open(server.url));
    await signIn(page, server.url, 'root', `#/documents/recipe/${id}`);
  });
  afterAll(() => server.close());

  const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
  const group = (name: string): Locator => page.getByRole('group', { name, exact: true });
  const stored = async (): Promise<Readonly<Record<string, any>>> =>
    (await server.as('root', 'GET', `/api/recipe/${id}`)).document;
  const texts = async (): Promise<unknown[]> => (await stored())['steps'].map(({ text }: { text: string }) => text);
  const focused = (): Promise<unknown> => page.evaluate('document.activeElement.getAttribute("aria-label")');
  const press = async (key: string, expected: string): Promise<void> => {
    await page.keyboard.press(key);
    await until(async () => (await focused()) === expected);
  };

  test('members are moved and removed by keyboard, which stays with the member', async () => {
    await button('Move Steps 3 up').focus();
    await press('Enter', 'Move Steps 2 up');
    await press('Enter', 'Move Steps 1 down');
    await press('Enter', 'Move Steps 2 down');
    await noticed(page, 'Saved.', () => button('Save').click());
    expect(await texts()).toEqual(['Cut', 'Eat', 'Boil']);
    // what the form does not show stays
    expect((await stored())['steps'][1].inner_key).toBe('Eat');
    await button('Remove Steps 2').focus();
    await press('Enter', 'Remove Steps 2');
    await press('Enter', 'Remove Steps 1');
    await button('Save').click();
    await until(async () => (await texts()).length === 1);
    expect(await group('Steps 1').getByText('Inner key').count()).toBe(0);
  });

  const dragged = async (): Promise<string> => {
    const body = { title: 'Dragged', steps: ['One', 'Two', 'Three'].map((text) => ({ text, times: [] })) };
    return String((await server.as('root', 'POST', '/api/recipe', { body })).document['_id']);
  };
  const shown = async (on: Page): Promise<string[]> =>
    Promise.all((await on.getByRole('textbox', { name: 'What to do' }).all()).map((one) => one.inputValue()));
  const middleOf = async (one: Locator): Promise<{ x: number; y: number }> => {
    const box = await one.boundingBox();
    return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
  };

  test('members are dragged to another place, and stay where they are when the pointer comes back', async () => {
    const other = await dragged();
    // all members in sight, so that nothing scrolls
    await page.setViewportSize({ width: 1280, height: 2600 });
    await page.goto(`${server.url}/console#/documents/recipe/${other}`);
    await group('Steps 3').waitFor();
    const drag = async (from: number, to: number, add: number): Promise<void> => {
      const grip = page.locator('.grip').nth(from);
      await grip.scrollIntoViewIfNeeded();
      const start = await middleOf(grip);
      await page.mouse.move(start.x, start.y);
      await page.mouse.down();
      const end = await middleOf(page.locator('[data-member]').nth(to));
      await page.mouse.move(start.x, end.y + add, { steps: 5 });
    };
    await drag(0, 2, 5);
    await page.locator('[data-drop=after]').waitFor();
    expect(await violationsInThemes(page)).toEqual([]);
    await page.mouse.up();
    await until(async () => (await shown(page)).join() === 'Two,Three,One');
    expect(await page.locator('[data-drop], [data-dragged]').count()).toBe(0);
    await drag(2, 0, -5);
    await page.mouse.up();
    await until(async () => (await shown(page)).join() === 'One,Two,Three');
    await drag(1, 2, 5);
    const back = await middleOf(page.locator('[data-member]').nth(1));
    await page.mouse.move(back.x, back.y);
    await page.mouse.up();
    expect(await shown(page)).toEqual(['One', 'Two', 'Three']);
    // nothing has changed, so nothing is asked
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.goto(`${server.url}/console#/documents/recipe/${id}`);
    await group('Steps 1').waitFor();
  });

  test('members are dragged by touch', async () => {
    const other = await dragged();
    const { page: phone } = await open(server.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await signIn(phone, server.url, 'root', `#/documents/recipe/${other}`);
    await phone.getByRole('group', { name: 'Steps 3', exact: true }).waitFor();
    const touch = await phone.context().newCDPSession(phone);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    await phone.locator('.grip').nth(1).scrollIntoViewIfNeeded();
    const start = await middleOf(phone.locator('.grip').nth(1));
    const end = await middleOf(phone.locator('[data-member]').nth(0));
    await send('touchStart', [start]);
    for (const part of [0.5, 1]) await send('touchMove', [{ x: start.x, y: start.y + (end.y - 5 - start.y) * part }]);
    await send('touchEnd', []);
    await until(async () => (await shown(phone)).join() === 'Two,One,Three');
    await phone.context().close();
  });

  const many = 7;
  const long = async (): Promise<string> => {
    const steps = Array.from({ length: many }, (_, at) => ({ text: `Step ${at + 1}`, times: [] }));
    return String((await server.as('root', 'POST', '/api/recipe', { body: { title: 'Long', steps } })).document['_id']);
  };
  const dropAt = (on: Page, at: number): Promise<boolean> =>
    on
      .locator('[data-member]')
      .nth(at)
      .evaluate((one) => one.hasAttribute('data-drop'));

  test.each(['a page', 'a document beside its table'])('a member that is held at an edge scrolls %s', async (where) => {
    const other = await long();
    await page.goto(`${server.url}/console#/documents/recipe${where === 'a page' ? `/${other}` : `?open=${other}`}`);
    await group(`Steps ${many}`).waitFor();
    const hold = async (from: number, to: number, y: number): Promise<void> => {
      const grip = page.locator('.grip').nth(from);
      await grip.evaluate((one) => one.scrollIntoView({ block: 'center' }));
      const start = await middleOf(grip);
      await page.mouse.move(start.x, start.y);
      await page.mouse.down();
      await page.mouse.move(start.x, y, { steps: 3 });
      // the pointer stays where it is
      await until(() => dropAt(page, to));
      await page.mouse.up();
    };
    await hold(0, many - 1, 790);
    await until(async () => (await shown(page)).at(-1) === 'Step 1');
    await hold(many - 1, 0, 10);
    await until(async () => (await shown(page))[0] === 'Step 1');
    expect((await shown(page)).slice(1, 3)).toEqual(['Step 2', 'Step 3']);
    // nothing has changed, so nothing is asked
    await page.goto(`${server.url}/console#/documents/recipe/${id}`);
    await group('Steps 1').waitFor();
    await group(`Steps ${many}`).waitFor({ state: 'detached' });
  });

  test('a member that is held at an edge by touch scrolls the page', async () => {
    const other = await long();
    const { page: phone } = await open(server.url, { viewport: { width: 390, height: 844 }, hasTouch: true });
    await signIn(phone, server.url, 'root', `#/documents/recipe/${other}`);
    await phone.getByRole('group', { name: `Steps ${many}`, exact: true }).waitFor();
    const touch = await phone.context().newCDPSession(phone);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    const grip = phone.locator('.grip').first();
    await grip.evaluate((one) => one.scrollIntoView({ block: 'center' }));
    const start = await middleOf(grip);
    await send('touchStart', [start]);
    for (const y of [(start.y + 830) / 2, 830]) await send('touchMove', [{ x: start.x, y }]);
    await until(() => dropAt(phone, many - 1));
    await send('touchEnd', []);
    await until(async () => (await shown(phone)).at(-1) === 'Step 1');
    await phone.context().close();
  });

  test('lists in lists, nested documents and free-form values have inputs of their own', async () => {
    await button('Add to Steps').click();
    const step = group('Steps 2');
    await until(() => step.getByRole('textbox', { name: 'What to do' }).evaluate((one) => one.matches(':focus')));
    await page.keyboard.type('Stir');
    await step.getByRole('button', { name: 'Add to Times' }).click();
    await step.getByRole('button', { name: 'Add to Times' }).click();
    await group('Times 2').getByLabel('Minutes').fill('2');
    await group('Place').nth(1).getByLabel('Room').fill('Kitchen');
    await group('Shelf').nth(1).getByLabel('Number').fill('7');
    await button('Save').click();
    // required in the first of the two, which the server is not asked about
    const first = group('Times 1').getByRole('textbox', { name: 'Minutes', description: /Minutes is required/ });
    await first.waitFor();
    await until(() => first.evaluate((one) => one.matches(':focus')));
    expect(await violationsInThemes(page)).toEqual([]);
    await first.fill('13');
    await button('Save').click();
    await group('Times 1')
      .getByRole('textbox', { name: 'Minutes', description: /unlucky/ })
      .waitFor();
    await group('Times 1').getByLabel('Minutes').fill('1');
    await step.getByRole('button', { name: 'Move Times 2 up' }).click();
    await button('Save').click();
    await until(async () => (await texts()).length === 2);
    expect((await stored())['steps'][1]).toMatchObject({
      text: 'Stir',
      times: [{ minutes: 2 }, { minutes: 1 }],
      place: { room: 'Kitchen', shelf: { number: 7 } },
    });
  });

  test('what a nested document requires is asked for where it is begun, and its id for none', async () => {
    await page.goto(`${server.url}/console#/documents/recipe/new`);
    await page.getByRole('heading', { name: 'New recipe' }).waitFor();
    expect(await group('Cook').getByRole('textbox').count()).toBe(1);
    await page.getByLabel('Title').fill('Stew');
    await button('Create').click();
    await page.getByRole('heading', { name: 'Stew' }).waitFor();
  });

  test('a caller who changes nothing reads them as text', async () => {
    const { page: plain } = await open(server.url, { viewport: { width: 390, height: 844 } });
    await signIn(plain, server.url, 'eve', `#/documents/recipe/${id}`);
    const steps = plain.getByRole('group', { name: 'Steps', exact: true }).getByRole('listitem');
    await steps.getByRole('group', { name: 'What to do' }).getByText('Stir').waitFor();
    await plain.getByRole('group', { name: 'Shelf' }).getByText('7').waitFor();
    expect(await plain.getByRole('main').locator('pre').count()).toBe(0);
    expect(await violationsInThemes(plain)).toEqual([]);
    await plain.context().close();
  });

  test('the page has no errors', () => {
    expect(faults).toEqual([]);
  });
});
