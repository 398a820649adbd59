/** Chromium, for tests of pages. */
import { existsSync } from 'node:fs';
import { describe } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';

const executablePath = '/usr/bin/chromium';

/** Tests that need a browser; skipped where there is none. */
export const inBrowser = existsSync(executablePath) ? describe : describe.skip;

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'],
  });
