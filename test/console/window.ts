/** Windows of a browser: pages that record their own faults, and the violations that axe finds in them. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { axeIn } from '../support/axe.ts';
import { openBrowser, pagePatience } from '../support/browser.ts';
import { keepNotices } from './notices.ts';

/** A page and its faults: errors of scripts and of the content policy, and requests to other hosts. */
export interface Window {
  readonly page: Page;
  readonly faults: string[];
}

/**
 * Starts a browser before the tests of a file and closes it after them.
 * @param lives how long windows stay open: those that no later test needs go on working, with their connections and timers
 * @returns a function that opens a window with its own session
 */
export function useBrowser(
  lives: 'file' | 'test' = 'file',
): (url: string, options?: BrowserContextOptions) => Promise<Window> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser?.close());
  if (lives === 'test')
    afterEach(async () => {
      for (const context of browser?.contexts() ?? []) await context.close();
    });
  return async (url, options = {}) => {
    if (browser === undefined) throw new Error('the browser has not started');
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      reducedMotion: 'reduce',
      ...options,
    });
    // also for windows that the page opens
    context.setDefaultTimeout(pagePatience);
    await keepNotices(context);
    const page = await context.newPage();
    const faults: string[] = [];
    // the browser itself reports refusals of the server
    page.on('console', (message) => {
      if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
        faults.push(message.text());
    });
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !/^(data|blob):/.test(request.url())) faults.push(request.url());
    });
    return { page, faults };
  };
}

/** Whether an element comes into sight soon: for what is repeated until it does. */
export const isSeen = (one: Locator): Promise<boolean> =>
  one.waitFor({ timeout: 1000 }).then(
    () => true,
    () => false,
  );

/** Waits until an element has the focus. */
export const focusOn = (one: Locator): Promise<void> => one.and(one.page().locator(':focus')).waitFor();

/** For a page to evaluate: until it has drawn what was done, and has nothing left to do that needs no answer. */
export const idle =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => requestIdleCallback(done))))';

/** The current violations of a page, each with its elements, and whether the page is wider than the window. */
export async function violationsOf(page: Page): Promise<string[]> {
  const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
  return [...(await axeOn(page)), ...(isWide ? ['wider than the window'] : [])];
}

/** Changes the theme of the browser; the console follows in a later turn. */
export async function setTheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor();
}

/** The violations in light and dark; what does not depend on the colours is looked at once. */
export async function violationsInThemes(page: Page): Promise<string[]> {
  // what a state opens may be there before the view that it belongs to; axe-core names a page without a heading
  await page
    .locator('h1:visible')
    .first()
    .waitFor({ timeout: 10_000 })
    .catch(() => undefined);
  await setTheme(page, 'light');
  const inLight = await violationsOf(page);
  await setTheme(page, 'dark');
  const inDark = await axeOn(page, { runOnly: ['color-contrast'] });
  return [...inLight, ...inDark.map((fault) => `dark: ${fault}`)];
}

async function axeOn(page: Page, options: Readonly<Record<string, unknown>> = {}): Promise<string[]> {
  return (await axeIn(page, options)).map(({ id, elements }) => `${id}: ${elements.join(' ')}`);
}
