/** The React example in a browser: two tabs sign in, one changes a film, and the other shows it. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { typesModule } from '../../src/typegen/index.ts';
import { listen } from '../support/broken-line.ts';
import { inBrowser, openBrowser, pagePatience } from '../support/browser.ts';
import { bundle } from '../support/bundle.ts';
import { faultsOf } from '../support/compile.ts';
import { type Caller, emailOf, makeCallers, passwordOf } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';

const file = 'docs/examples/react/app.tsx';
let server: TestServer;
let root: Caller;

beforeAll(async () => {
  server = await startServer({ models: 'models', max_sessions: 10 });
  ({ root } = await makeCallers(server, ['root', 'ed']));
  await server.put(`/groups/${await idOf('ed')}`, { group: 'editor' }, { headers: root.headers });
});

const idOf = async (name: string): Promise<string> =>
  String((await server.get(`/api/user?filter[name]=${name}`, { headers: root.headers })).rows[0]?.['_id']);

test('has at most 80 lines, and compiles with the types of the sample models', () => {
  const text = readFileSync(file, 'utf8');
  expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(80);
  const types = typesModule(server.dossier.services.registry.served);
  expect(faultsOf({ 'models.ts': types, 'app.tsx': text })).toEqual([]);
});

inBrowser('in Chromium', () => {
  let browser: Browser;
  let address: string;
  const faults: string[] = [];
  const site = createServer((req, res) => {
    if (req.url?.startsWith('/app.js') === true) void program.then((text) => res.end(text));
    else res.setHeader('content-type', 'text/html').end('<div id="root"></div><script src="/app.js"></script>');
  });
  const program = bundle(file);
  const openTab = async (): Promise<Page> => {
    const page = await (await browser.newContext()).newPage();
    page.setDefaultTimeout(pagePatience);
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(`${address}/?server=${encodeURIComponent(server.url)}`);
    return page;
  };
  const signIn = async (page: Page, password = passwordOf('ed')): Promise<void> => {
    await page.getByLabel('Email').fill(emailOf('ed'));
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  beforeAll(async () => {
    browser = await openBrowser();
    address = await listen(site);
    for (const [title, rating] of [
      ['Alien', 8.5],
      ['Heat', 8],
    ] as const)
      await server.post('/api/film', { title, rating }, { headers: root.headers });
  });
  afterAll(async () => {
    await browser.close();
    site.close();
  });

  test('a film that one tab changes is changed in the other', async () => {
    const [one, other] = [await openTab(), await openTab()];
    await signIn(one, 'wrong');
    await one.getByRole('alert').filter({ hasText: /./ }).waitFor();
    await signIn(one);
    await signIn(other);
    for (const page of [one, other]) await page.getByText('Alien').waitFor();
    expect(await other.getByRole('listitem').allTextContents()).toEqual(['Heat', 'Alien']);
    await one.getByLabel('Rating of Alien').fill('9');
    await one.getByLabel('Rating of Alien').blur();
    // an input of its own for each rating
    for (const page of [one, other]) await page.locator('input[aria-label="Rating of Alien"][value="9"]').waitFor();
    await server.post('/api/film', { title: 'Ran' }, { headers: root.headers });
    for (const page of [one, other]) await page.getByText('Ran').waitFor();
    await one.getByLabel('Rating of Alien').fill('11');
    await one.getByLabel('Rating of Alien').blur();
    await one.getByRole('alert').filter({ hasText: 'rating' }).waitFor();
    await one.getByRole('button', { name: 'Sign out' }).click();
    await one.getByLabel('Email').waitFor();
    expect(faults).toEqual([]);
  });
});
