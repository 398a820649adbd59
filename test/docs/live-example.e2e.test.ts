/** The example page in a browser: films that others write appear, change and disappear, also after a lost connection. */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { listen, openLine } from '../support/broken-line.ts';
import { inBrowser, openBrowser, pagePatience } from '../support/browser.ts';
import { type Caller, emailOf, makeRoot, passwordOf } from '../support/fixtures/people.ts';
import { startServer, type TestServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

const html = readFileSync('docs/examples/live/index.html', 'utf8');

inBrowser('docs/examples/live', () => {
  let server: TestServer;
  let root: Caller;
  let line: Awaited<ReturnType<typeof openLine>>;
  let browser: Browser;
  let page: Page;
  const faults: string[] = [];
  const site = createServer((_, res) => void res.setHeader('content-type', 'text/html').end(html));
  const films = (): Promise<string[]> => page.locator('#films li').allTextContents();
  const film = (text: string): Locator => page.locator('#films li', { hasText: text });
  const says = (id: string, text: string): Promise<void> => page.locator(id, { hasText: text }).waitFor();
  const write = async (method: string, path: string, body?: unknown): Promise<string> => {
    const answer = await server.send(method, `/api/film${path}`, { headers: root.headers, body });
    expect([method, path, answer.status < 300]).toEqual([method, path, true]);
    return String(answer.document['_id']);
  };
  const watch = async (fields: Readonly<Record<string, string>>): Promise<void> => {
    for (const [name, value] of Object.entries(fields)) await page.locator(`input[name=${name}]`).fill(value);
    await page.locator('#watch button').click();
  };

  beforeAll(async () => {
    server = await startServer({ models: 'models', log_level: 'silent' });
    root = await makeRoot(server);
    // the browser logs in as another user: one user has one session
    const user = { name: 'ann', email: emailOf('ann'), password: passwordOf('ann') };
    await server.post('/api/user', user, { headers: root.headers });
    line = await openLine(server.url);
    browser = await openBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(pagePatience);
    page.on('console', (message) => faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    await page.goto(await listen(site));
  });
  afterAll(async () => {
    await browser.close();
    line.close();
    site.close();
  });

  test('lists the existing films that match its filter', async () => {
    await write('POST', '', { title: 'Metropolis', year: 1927 });
    await write('POST', '', { title: 'Alien', year: 1979, rating: 8.5 });
    await watch({ server: line.url, email: emailOf('ann'), password: passwordOf('ann'), from: '1950' });
    await says('#state', 'Live.');
    expect(await films()).toEqual(['Alien, 1979, rated 8.5']);
    expect(await page.locator('#watch').isVisible()).toBe(false);
  });

  test('a film appears, changes and vanishes', async () => {
    const id = await write('POST', '', { title: '<b>Heat</b>', year: 1995 });
    await film('<b>Heat</b>, 1995').waitFor();
    await write('PUT', `/${id}`, { rating: 8.2 });
    await film('<b>Heat</b>, 1995, rated 8.2').waitFor();
    expect(await films()).toHaveLength(2);
    await write('DELETE', `/${id}`);
    await says('#news', 'Gone: <b>Heat</b>');
    expect(await films()).toEqual(['Alien, 1979, rated 8.5']);
  });

  test('a film that does not match the filter is not shown, and one that stops matching vanishes', async () => {
    const id = await write('POST', '', { title: 'Solaris', year: 1972 });
    await film('Solaris').waitFor();
    await write('PUT', `/${id}`, { year: 1902 });
    await says('#news', 'Gone: Solaris');
    await write('POST', '', { title: 'Nosferatu', year: 1922 });
    await write('POST', '', { title: 'Stalker', year: 1979 });
    await film('Stalker').waitFor();
    expect(await films()).toEqual(['Stalker, 1979', 'Alien, 1979, rated 8.5']);
  });

  test('after a broken connection it resumes with the missed events', async () => {
    // what is shown for a moment may be over before this process looks
    await page.evaluate(`{
      window.states = [];
      const state = document.getElementById('state');
      new MutationObserver(() => window.states.push(state.textContent)).observe(state, { childList: true });
    }`);
    line.breakAll();
    await until(() => page.evaluate<boolean>("window.states.some((text) => text.startsWith('Connection lost'))"));
    await write('POST', '', { title: 'Ran', year: 1985 });
    await film('Ran').waitFor();
    await says('#state', 'Live.');
    await write('POST', '', { title: 'Fargo', year: 1996 });
    await film('Fargo').waitFor();
    expect(await films()).toEqual(['Fargo, 1996', 'Ran, 1985', 'Stalker, 1979', 'Alien, 1979, rated 8.5']);
  });

  test('the page writes nothing to the console', () => expect(faults).toEqual([]));

  test('a user who is signed out elsewhere has to sign in again', async () => {
    await server.post('/login', { email: emailOf('ann'), password: passwordOf('ann') });
    await page.locator('#watch').waitFor();
    await page.locator('#problem', { hasText: /./ }).waitFor();
    expect(await films()).toEqual([]);
  });
});
