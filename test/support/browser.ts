/** Chromium, for tests of pages. */
import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** `describe` for tests that need the browser; where there is none they are skipped, and their title says why. */
export const inBrowser: (name: string, tests: () => void) => void = existsSync(executablePath)
  ? describe
  : (name, tests) => describe.skip(`${name} (needs ${executablePath})`, tests);

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });
