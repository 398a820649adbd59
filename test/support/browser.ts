/** Chromium, for tests of pages. */
import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

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

/** Milliseconds for which a page waits: far more than anything takes on a machine that is slow and loaded. */
export const pagePatience = 60_000;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
      `--disable-features=${switchedOff.join()}`,
    ],
  });
