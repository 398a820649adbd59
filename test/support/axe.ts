/** What axe-core finds in a page. */
import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';

/** Half of the other build, which each page reads again. */
const source = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** A rule that a page does not hold, and the elements that break it, as HTML. */
export interface Violation {
  readonly id: string;
  readonly elements: readonly string[];
}

/** Colours between two states have other contrasts. The effects of a change begin with the next frame; endless ones cannot be ended. */
const endAnimations = `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => {
  for (const one of document.getAnimations()) if (one.effect?.getComputedTiming().endTime !== Infinity) one.finish();
})`;

/** @param options of `axe.run`, such as `runOnly`: all of its rules without */
export async function axeIn(page: Page, options: Readonly<Record<string, unknown>> = {}): Promise<Violation[]> {
  // through the debugger, which the page's content policy does not restrict
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(source);
  await page.evaluate(endAnimations);
  return page.evaluate(`axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then(({ violations }) =>
    violations.map(({ id, nodes }) => ({ id, elements: nodes.map(({ html }) => html.slice(0, 160)) })))`);
}
