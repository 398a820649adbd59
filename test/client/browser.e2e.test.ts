/** The cases of the client in Chromium, on a page of another origin than the server's, and in two tabs of it. */
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client, ClientOptions, WebStorage } from 'dossier-client';
import type { Browser, Page } from 'playwright-core';
import { listen, openLine } from '../support/broken-line.ts';
import { inBrowser, openBrowser, pagePatience } from '../support/browser.ts';
import { bundle } from '../support/bundle.ts';
import type { Given } from './cases/case.ts';
import { groups } from './cases/index.ts';
import { openRedirecting } from './redirecting.ts';
import { openLibrary } from './server.ts';

/** The globals that the programs of the pages define. */
interface InPage {
  readonly run: (group: string, name: string, given: object) => Promise<void>;
  readonly cut: () => Promise<void>;
  readonly received: () => Promise<readonly string[]>;
  program: { createClient(options: ClientOptions): Client };
  localStorage: WebStorage;
  client: Client;
  changes: (string | undefined)[];
}

inBrowser('in Chromium', () => {
  let browser: Browser;
  let page: Page;
  let given: Given;
  let line: Awaited<ReturnType<typeof openLine>>;
  let redirecting: Awaited<ReturnType<typeof openRedirecting>>;
  let origin: string;
  const site = createServer((_, res) => void res.setHeader('content-type', 'text/html').end('<title>client</title>'));

  beforeAll(async () => {
    ({ given } = await openLibrary());
    line = await openLine(given.url);
    redirecting = await openRedirecting();
    browser = await openBrowser();
    page = await browser.newPage();
    page.setDefaultTimeout(pagePatience);
    origin = await listen(site);
    await page.exposeFunction('cut', line.breakAll);
    await page.exposeFunction('received', redirecting.received);
    await page.goto(origin);
    await page.addScriptTag({ content: await bundle('test/client/cases/index.ts') });
  });
  afterAll(async () => {
    await browser.close();
    line.close();
    redirecting.close();
    site.close();
  });

  describe.each(Object.entries(groups))('%s', (group, cases) => {
    test.each(Object.keys(cases))('%s', async (name) => {
      const cuts = Number(process.env['CLIENT_CUTS'] ?? 5);
      await page.evaluate(
        ([where, which, plain]) => {
          const { run, cut, received } = globalThis as unknown as InPage;
          return run(where, which, { ...plain, cut, received });
        },
        [group, name, { ...given, line: line.url, cuts, redirecting: redirecting.url }] as const,
      );
    });
  });

  test('two tabs that keep their session in localStorage sign in and out together', async () => {
    const context = await browser.newContext();
    context.setDefaultTimeout(pagePatience);
    const content = await bundle('packages/client/src/index.ts');
    const openTab = async (): Promise<Page> => {
      const tab = await context.newPage();
      await tab.goto(origin);
      await tab.addScriptTag({ content });
      await tab.evaluate((url) => {
        const here = globalThis as unknown as InPage;
        here.client = here.program.createClient({ url, storage: here.localStorage });
        here.changes = [];
        here.client.addEventListener('session', () => here.changes.push(here.client.user));
      }, given.url);
      return tab;
    };
    const [one, other] = [await openTab(), await openTab()];
    const userIn = (tab: Page) => tab.evaluate(() => (globalThis as unknown as InPage).client.user);
    const changesIn = async (tab: Page, count: number) => {
      await tab.waitForFunction((wanted) => (globalThis as unknown as InPage).changes.length === wanted, count);
      return userIn(tab);
    };
    const id = await one.evaluate((bob) => (globalThis as unknown as InPage).client.login(bob), given.people.bob);
    expect(await changesIn(other, 1)).toBe(id.user_id);
    const email = await other.evaluate(async () => (await (globalThis as unknown as InPage).client.me()).user.email);
    expect(email).toBe(given.people.bob.email);
    await other.evaluate(() => (globalThis as unknown as InPage).client.logout());
    expect(await changesIn(one, 2)).toBeUndefined();
    await context.close();
  });
});
