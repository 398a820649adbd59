/**
 * Makes what Playwright does to a page independent of how fast the page follows: an address within the page changes in a later turn of
 * its event loop than the click that asks for it, and for a moment two elements of one name may be there.
 */
import { setTimeout as later } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';

type Method = (this: unknown, ...parameters: unknown[]) => unknown;

/** The methods of a locator after which a page may show another view. */
const actions: ReadonlySet<string> = new Set(['click', 'dblclick', 'tap', 'press', 'check', 'uncheck', 'selectOption']);
/** Milliseconds between two looks. */
const pause = 50;
/** On the class whose methods are replaced: this module is evaluated for each test file, and Playwright's once for all files of a worker. */
const isReplaced = Symbol.for('dossier.test.steady-pages');

/** Has each page of a context wait. @param patience milliseconds for which a locator may match several elements */
export function steadyPages(context: BrowserContext, patience: number): void {
  context.on('page', (page) => {
    steadyLocators(page, patience);
    steadyNavigation(page);
  });
}

/** Waits until the page has followed what was done to it, as far as it needs no answer: a link is followed in the second turn after its click. */
const followed = (page: Page): Promise<unknown> =>
  page
    .evaluate('new Promise((done) => setTimeout(() => setTimeout(() => setTimeout(done))))')
    // a page that is closed or left
    .catch(() => undefined);

function steadyNavigation(page: Page): void {
  const after =
    <P extends unknown[], T>(act: (...parameters: P) => Promise<T>) =>
    async (...parameters: P): Promise<T> => {
      const result = await act(...parameters);
      await followed(page);
      return result;
    };
  page.goto = after(page.goto.bind(page));
  page.goBack = after(page.goBack.bind(page));
  page.goForward = after(page.goForward.bind(page));
  page.keyboard.press = after(page.keyboard.press.bind(page.keyboard));
}

/** Replaces the methods of all locators, which have one class. */
function steadyLocators(page: Page, patience: number): void {
  const prototype: unknown = Object.getPrototypeOf(page.locator('html'));
  if (typeof prototype !== 'object' || prototype === null || isReplaced in prototype) return;
  Object.defineProperty(prototype, isReplaced, { value: true });
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Reflect.get(prototype, name);
    if (name === 'constructor' || name.startsWith('_') || typeof method !== 'function') continue;
    Reflect.set(prototype, name, steadyMethod(name, method as Method, patience));
  }
}

function steadyMethod(name: string, method: Method, patience: number): Method {
  return function (this: unknown, ...parameters) {
    const result = method.apply(this, parameters);
    if (!(result instanceof Promise)) return result;
    const end = performance.now() + (timeoutOf(parameters) ?? patience);
    const again = () => method.apply(this, parameters) as Promise<unknown>;
    const outcome = unambiguous(result, again, end);
    if (!actions.has(name)) return outcome;
    return outcome.then(async (value) => {
      await followed((this as { page(): Page }).page());
      return value;
    });
  };
}

/** Repeats what has found several elements, and so has done nothing, until there is one. */
async function unambiguous(first: Promise<unknown>, again: () => Promise<unknown>, end: number): Promise<unknown> {
  let attempt = first;
  for (;;)
    try {
      return await attempt;
    } catch (error) {
      if (!String(error).includes('strict mode violation') || performance.now() > end) throw error;
      await later(pause);
      attempt = again();
    }
}

/** The milliseconds that a caller of a method has limited it to. */
function timeoutOf(parameters: readonly unknown[]): number | undefined {
  const options = parameters.at(-1);
  if (typeof options !== 'object' || options === null || !('timeout' in options)) return undefined;
  return typeof options.timeout === 'number' ? options.timeout : undefined;
}
