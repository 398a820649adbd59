/** Chromium, for tests of pages. */
import { existsSync } from 'node:fs';
import { setTimeout as later } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { numbersFrom } from './numbers.ts';
import { steadyPages } from './steady-pages.ts';

const executablePath = '/usr/bin/chromium';

/** `describe` for tests that need the browser; where there is none they are skipped, and their title says why. */
export const inBrowser: (name: string, tests: () => void) => void = existsSync(executablePath)
  ? describe
  : (name, tests) => describe.skip(`${name} (needs ${executablePath})`, tests);

/**
 * What Chromium does not do here. The first two are pages of its own in each window, for its bar of addresses, which take far more of the
 * processor than the pages of most tests. The others are those that Playwright switches off, whose list this one replaces.
 */
const switchedOff = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...[
    'HttpsFirstBalancedModeAutoEnable',
    'LensOverlay',
    'MediaRouter',
    'PaintHolding',
    'ThirdPartyStoragePartitioning',
  ],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'TcpPortRandomizationWin', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
];

const ofEnvironment = (name: string, fallback: number): number => Number(process.env[name] ?? fallback);

/** Milliseconds for which a page waits: far more than anything takes on a machine that is slow and loaded. */
export const pagePatience = ofEnvironment('TEST_PATIENCE', 60_000);

/** Starts Chromium, whose pages are as slow as the environment says: see the tests in `CONTRIBUTING.md`. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
      `--disable-features=${switchedOff.join()}`,
    ],
  });
  const delay = ofEnvironment('TEST_DELAY', 0);
  const slowdown = ofEnvironment('TEST_SLOWDOWN', 1);
  const next = numbersFrom(ofEnvironment('TEST_SEED', 1));
  browser.on('context', (context) => {
    steadyPages(context, pagePatience);
    if (delay > 0) void ignoringEnd(delayRequests(context, delay, next));
    if (slowdown > 1) slowDown(context, slowdown);
  });
  return browser;
}

/** Delays half of the requests of pages by up to so many milliseconds, so that their answers come in another order each time. */
const delayRequests = (context: BrowserContext, longest: number, next: () => number): Promise<unknown> =>
  context.route('**/*', async (route) => {
    const part = next();
    if (part > 0.5) await later((part - 0.5) * 2 * longest);
    await ignoringEnd(route.continue());
  });

/** Has pages take so many times as long for what they compute. */
function slowDown(context: BrowserContext, rate: number): void {
  const slow = async (page: Page): Promise<void> => {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate });
  };
  context.on('page', (page) => void ignoringEnd(slow(page)));
}

/** What a page that is closed, or a request that is given up, refuses. */
const ignoringEnd = (work: Promise<unknown>): Promise<unknown> => work.catch(() => undefined);
