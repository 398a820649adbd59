/** What a test may rely on when it drives a page: a step acts on what is there after the step before, and on one element. */
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { listen } from '../support/broken-line.ts';
import { inBrowser, pagePatience } from '../support/browser.ts';
import type * as steady from '../support/steady-pages.ts';
import { useBrowser } from './window.ts';

/** The view changes with the address; of two buttons of one name, one goes when `go()` is called. */
const html = `<title>steady</title><h1>first</h1><a href="#second">Next</a><button id="a">Twice</button><button id="b">Twice</button>
<script>
  addEventListener('hashchange', () => (document.querySelector('h1').textContent = location.hash === '#second' ? 'second' : 'first'));
  let clicks = 0;
  for (const button of document.querySelectorAll('button')) button.addEventListener('click', () => (button.dataset.clicks = ++clicks));
</script>`;

inBrowser('a page that a test drives', () => {
  const open = useBrowser();
  const site = createServer((_, answer) => void answer.setHeader('content-type', 'text/html').end(html));
  let url: string;
  let page: Page;
  beforeAll(async () => {
    url = await listen(site);
    ({ page } = await open(url));
  });
  afterAll(() => void site.close());
  beforeEach(async () => {
    await page.goto('about:blank');
    await page.goto(url);
  });

  const heading = (): Promise<string> => page.evaluate("document.querySelector('h1').textContent");
  const link = () => page.getByRole('link', { name: 'Next' });

  test.each<[how: string, go: () => Promise<unknown>]>([
    ['a click on a link', () => link().click()],
    ['a key on a link', () => link().press('Enter')],
    ['a key of the keyboard', async () => (await link().focus(), await page.keyboard.press('Enter'))],
    ['its address', () => page.goto(`${url}#second`)],
  ])('shows the next view after %s', async (_, go) => {
    // a link is followed in a later turn, mostly before the next request of the test
    for (let times = 0; times < 8; times++) {
      await page.goto(`${url}#first`);
      await go();
      expect(await heading()).toBe('second');
      await page.goBack();
      expect(await heading()).toBe('first');
    }
  });

  test('is waited for while a locator has two elements', async () => {
    const clicked = page.getByRole('button', { name: 'Twice' }).click();
    await page.getByRole('heading', { name: 'first' }).waitFor();
    await page.evaluate("document.querySelector('#b').remove()");
    await clicked;
    expect(await page.locator('#a').getAttribute('data-clicks')).toBe('1');
  });

  test('is not waited for longer than a caller says', async () => {
    await expect(page.getByRole('button', { name: 'Twice' }).click({ timeout: 2000 })).rejects.toThrow('strict mode');
    expect(await page.locator('[data-clicks]').count()).toBe(0);
  });

  test('is driven through one layer, however many files of tests the process has run', async () => {
    const method = (): unknown => Reflect.get(Object.getPrototypeOf(link()) as object, 'click');
    const first = method();
    const load = createRequire(__filename);
    const module = load.resolve('../support/steady-pages.ts');
    Reflect.deleteProperty(load.cache, module);
    (load(module) as typeof steady).steadyPages(page.context(), pagePatience);
    await (await page.context().newPage()).close();
    expect(method()).toBe(first);
  });
});
