/** Notices of the console: what a test waits for is caused by its own action, however slow the machine is. */
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { until } from '../support/waiting.ts';

/** Milliseconds after which notices close by themselves: Mantine's default, and where they offer an undo (`parts/undo.tsx`). */
const closing = [4000, 15_000];

/** Keeps the notices of all pages until they are closed: a machine that stalls for as long as they are shown would miss them. */
export const keepNotices = (context: BrowserContext): Promise<unknown> =>
  context.addInitScript(`{
    const start = window.setTimeout;
    window.setTimeout = (work, delay, ...rest) => (${JSON.stringify(closing)}.includes(delay) ? 0 : start(work, delay, ...rest));
  }`);

const notices = (page: Page): Locator => page.locator('.mantine-Notification-root');

/** Closes all notices, also those that wait for room. */
export async function closeNotices(page: Page): Promise<void> {
  await until(async () => {
    await notices(page)
      .getByRole('button', { name: 'Close', exact: true })
      .evaluateAll((buttons) => buttons.forEach((button) => button.click()));
    return (await notices(page).count()) === 0;
  });
}

/** Acts, and waits for the notice of it. Earlier notices are closed before, so that none of them is taken for it. */
export async function noticed(page: Page, text: string, act: () => Promise<unknown>): Promise<void> {
  await closeNotices(page);
  await act();
  await notices(page).filter({ hasText: text }).waitFor();
}

/** Presses the undo of the only notice, and waits for the notice of its outcome. */
export async function undo(page: Page, outcome = 'Undone.'): Promise<void> {
  await notices(page).getByRole('button', { name: 'Undo', exact: true }).click();
  await notices(page).filter({ hasText: outcome }).waitFor();
}
