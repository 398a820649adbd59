/** axe-core finds no violation in any page, in light and dark mode, on a phone and on a desktop. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { axeIn } from '../support/axe.ts';
import { inBrowser, openBrowser, pagePatience } from '../support/browser.ts';
import { openReading, type World } from '../support/fixtures/reading/index.ts';

/** No colour depends on the width, so each scheme and each width is tested once. */
const modes: readonly BrowserContextOptions[] = [
  { colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { colorScheme: 'dark', viewport: { width: 360, height: 640 } },
];

inBrowser('accessible pages', () => {
  let world: World;
  let browser: Browser;
  const pages: Page[] = [];

  beforeAll(async () => {
    world = await openReading();
    browser = await openBrowser();
    for (const mode of modes) pages.push(await (await browser.newContext(mode)).newPage());
    for (const page of pages) page.setDefaultTimeout(pagePatience);
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** The violations of a page, each with its elements. */
  const faultsOf = async (page: Page, path: string): Promise<string[]> => {
    await page.goto(world.url + path, { waitUntil: 'load' });
    if (path === '/docs/api') await page.locator('.opblock-tag').first().waitFor();
    return faultsNow(page, path);
  };

  const faultsNow = async (page: Page, path: string): Promise<string[]> => {
    const violations = await axeIn(page);
    const isWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
    return [
      ...violations.map(({ id, elements }) => `${path}: ${id}: ${elements.join(' ')}`),
      ...(isWide ? [`${path}: wider than the window`] : []),
    ];
  };

  test.each(['/', '/docs', '/docs/guides/queries', '/docs?search=index'])(
    '%s, light on a desktop and dark on a phone',
    async (path) => {
      expect((await Promise.all(pages.map((page) => faultsOf(page, path)))).flat()).toEqual([]);
    },
    180_000,
  );

  test('Try it, as it opens, with an open operation, its answer and the form that signs in', async () => {
    const faultsIn = async (page: Page): Promise<string[]> => {
      const opened = await faultsOf(page, '/docs/api');
      await page.locator('#operations-tag-book').click();
      const operation = page.locator('.opblock', { hasText: '/query/book' }).first();
      await operation.locator('.opblock-summary-control').click();
      await operation.locator('button.execute').click();
      await operation.locator('.live-responses-table').waitFor();
      const answered = await faultsNow(page, 'an answer');
      await page.locator('button.authorize').first().click();
      await page.locator('.auth-container').first().waitFor();
      return [...opened, ...answered, ...(await faultsNow(page, 'the form'))];
    };
    expect((await Promise.all(pages.map(faultsIn))).flat()).toEqual([]);
  }, 180_000);

  test('every guide, in one of the two modes', async () => {
    const { text } = await world.send('GET', '/docs');
    const guides = [...text.matchAll(/href="\.(\/docs\/guides\/[^"]+)"/g)].map(([, path]) => path ?? '');
    expect(guides).toContain('/docs/guides/aggregation');
    const lists = await Promise.all(
      pages.map(async (page, at) => {
        const faults: string[] = [];
        for (let next = at; next < guides.length; next += pages.length)
          faults.push(...(await faultsOf(page, guides[next] ?? '')));
        return faults;
      }),
    );
    expect(lists.flat()).toEqual([]);
    // about forty pages, each of which takes a second or more
  }, 300_000);

  test('axe finds a violation that a page has', async () => {
    const [page] = pages;
    await page?.goto(`${world.url}/`);
    await page?.evaluate("document.body.insertAdjacentHTML('beforeend', '<button></button>')");
    const ids = page && (await axeIn(page)).map(({ id }) => id);
    expect(ids).toContain('button-name');
  });
});
