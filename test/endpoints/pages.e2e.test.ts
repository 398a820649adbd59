/** The built-in pages: readable without JavaScript, with a strict content policy, and tested in a browser. */
import { readdirSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { guideGroups, guidesOf } from '../../src/features/pages/guide-list.ts';
import { guideHtml } from '../../src/features/pages/guides.ts';
import { signIn } from '../console/library.ts';
import { inBrowser, openBrowser, pagePatience } from '../support/browser.ts';
import { openReading, type World } from '../support/fixtures/reading/index.ts';
import { openPrefixProxy } from '../support/prefix-proxy.ts';
import { startServer } from '../support/server.ts';

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const paths = ['/', '/docs', '/docs/guides/start', '/docs/api'];

describe('as text', () => {
  test.each(paths)('%s', async (path) => {
    const { status, headers, text } = await world.send('GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; /);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(text).toMatch(/^<!doctype html>/);
    expect(text).not.toMatch(/<script>| style=| on\w+=|https?:\/\/(?!127\.0\.0\.1)/);
  });

  test('the reference lists endpoints, parameters, operators, stages and settings', async () => {
    const { text } = await world.send('GET', '/docs');
    for (const name of ['/api/:model', 'populate[]=', '$elemMatch', '$lookup', '$regexMatch', 'MAX_BODY_SIZE', '429'])
      expect(text).toContain(name);
  });

  test('every guide is a page', async () => {
    const { text } = await world.send('GET', '/docs');
    const found = pathsIn(text, '/docs').filter((path) => path.startsWith('/docs/guides/'));
    expect(found).toContain('/docs/guides/aggregation');
    expect(found.slice(0, 3)).toEqual(['/docs/guides/start', '/docs/guides/command', '/docs/guides/recipes']);
    for (const path of found) {
      const guide = await world.send('GET', path);
      expect([path, guide.status]).toEqual([path, 200]);
      expect(guide.text).toContain('<h1');
    }
  });

  test('every guide is in one group, once', async () => {
    const names = readdirSync('docs').flatMap((file) => (/^[a-z-]+\.md$/.test(file) ? [file.slice(0, -3)] : []));
    const groups = await guideGroups();
    expect(
      guidesOf(groups)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(names.sort());
    expect(groups.filter(({ guides }) => guides.length === 0)).toEqual([]);
  });

  test('the titles of the list are those of the guides, and their headings are on their pages', async () => {
    for (const { name, title, text, headings } of guidesOf(await guideGroups())) {
      expect(text.split('\n', 1)[0]?.replaceAll('`', '')).toBe(`# ${title}`);
      const page = guideHtml(text, new Set(), './');
      const shown = [...page.matchAll(/<h[23] id="([^"]+)"/g)].map(([, id]) => id);
      expect([name, headings.map(({ id }) => id)]).toEqual([name, shown]);
    }
  });

  test('a guide has all guides and its own headings beside it, and the previous and the next one below', async () => {
    const { text, headers } = await world.send('GET', '/docs/guides/queries');
    const partOf = (label: string): string =>
      new RegExp(`<nav [^>]*aria-label="${label}".*?</nav>`, 's').exec(text)?.[0] ?? '';
    const guides = guidesOf(await guideGroups());
    expect(pathsIn(partOf('Guides'), '/docs/guides/queries').filter((path) => path !== '/docs')).toEqual(
      guides.map(({ name }) => `/docs/guides/${name}`),
    );
    expect(partOf('Guides').match(/aria-current="page">[^<]+/g)).toEqual(['aria-current="page">Queries']);
    const queries = guides.find(({ name }) => name === 'queries');
    expect(hrefsIn(partOf('On this page'))).toEqual(queries?.headings.map(({ id }) => `#${id}`));
    const at = guides.findIndex(({ name }) => name === 'queries');
    expect(pathsIn(partOf('Previous and next guide'), '/docs/guides/queries')).toEqual(
      [guides[at - 1], guides[at + 1]].map((guide) => `/docs/guides/${guide?.name}`),
    );
    expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; .*form-action 'self'/);
  });

  test.each<[search: string, first: RegExp | undefined]>([
    ['webhooks', /href="\.\/docs\/guides\/webhooks">Webhooks</],
    ['CURSORS', /href="\.\/docs\/guides\/queries">Queries</],
    ['embedded sharing', /href="\.\/docs\/guides\/store#sharing-it-dossier-store">The embedded store: /],
    ['nothing has these words', undefined],
    ['  ', undefined],
    [`"><script>alert('1')</script>`, undefined],
  ])('a search for %s', async (sought, first) => {
    const { status, text } = await world.send('GET', `/docs?search=${encodeURIComponent(sought)}`);
    expect(status).toBe(200);
    const [found] = /<ul class="found">.*?<\/a>/s.exec(text) ?? [];
    if (first === undefined) expect(text).toContain('No title and no heading');
    else expect(found).toMatch(first);
    expect(text).not.toContain('<script');
  });

  test('a search takes one text', async () => {
    for (const query of ['search=a&search=b', 'search[a]=b'])
      expect((await world.send('GET', `/docs?${query}`)).body).toMatchObject({ err: 'search: takes one value' });
  });

  test('code and tables of a guide can be scrolled by the keyboard, and have accessible names', () => {
    expect(guideHtml('```sh\nls <x>\n```\n\n| A `b` | C |\n| --- | --- |\n| d | e |\n', new Set(), './')).toMatch(
      /^<pre tabindex="0" role="group" aria-label="Code"><code class="language-sh">ls &lt;x&gt;\n<\/code><\/pre>\n<div class="table" tabindex="0" role="group" aria-label="Table: A b, C"><table>/,
    );
  });

  test('every link of a guide leads to a page, and every anchor to a heading', async () => {
    const htmlOf = new Map<string, string>();
    const read = async (path: string): Promise<string> => {
      const known = htmlOf.get(path);
      if (known !== undefined) return known;
      const { status, text } = await world.send('GET', path);
      const found = status === 200 ? text : '';
      htmlOf.set(path, found);
      return found;
    };
    const dead: string[] = [];
    const anchors: string[] = [];
    for (const from of pathsIn(await read('/docs'), '/docs').filter((path) => path.startsWith('/docs/guides/')))
      for (const href of hrefsIn(await read(from))) {
        if (/^(https?|data):/.test(href)) continue;
        const { pathname, hash } = new URL(href, `http://x${from}`);
        // its addresses behind # are views
        if (pathname === '/console') continue;
        const there = await read(pathname);
        if (hash !== '') anchors.push(href);
        if (there === '' || (hash !== '' && !there.includes(` id="${decodeURIComponent(hash.slice(1))}"`)))
          dead.push(`${from} → ${href}`);
      }
    expect(dead).toEqual([]);
    expect(anchors).toContain('../../docs/guides/store#sharing-it-dossier-store');
    expect(anchors).toContain('#limits');
  });

  test('headings of a guide have ids like those of GitHub, and links to files that are not served become text', () => {
    const text =
      '# A `b_c`: d & e – f\n\n## It\n\n## It\n\n## It-1\n\n[*x*](decisions/) [y](./b.md#q) [z](c.md) [é](#é)\n';
    const anchor = (id: string): string => ` <a class="anchor" href="#${id}" aria-hidden="true" tabindex="-1">#</a>`;
    expect(guideHtml(text, new Set(['b']), '../../')).toBe(
      '<h1 id="a-b_c-d--e--f">A <code>b_c</code>: d &amp; e – f</h1>\n' +
        `<h2 id="it">It${anchor('it')}</h2>\n<h2 id="it-1">It${anchor('it-1')}</h2>\n<h2 id="it-1-1">It-1${anchor('it-1-1')}</h2>\n` +
        '<p><em>x</em> <a href="../../docs/guides/b#q">y</a> z <a href="#é">é</a></p>\n',
    );
  });

  test('/ lists only models that the caller may read', async () => {
    const server = await startServer({
      models: {
        inbox: ({ Schema }) => new Schema({ a: String }, { perms: { all: 'c' } }),
        shut: ({ Schema }) => new Schema({ a: String }, { perms: { all: 'r' }, advanced_queries: { query: false } }),
      },
    });
    const { text } = await server.get('/');
    expect(text).not.toContain('inbox');
    expect(text).toContain('GET /api/shut');
    expect(text).not.toContain('POST /query/shut');
  });

  test('one menu, with the name of the project', async () => {
    const app_name = 'Films <&> more';
    const server = await startServer({ console: { app_name } });
    const menuOf = (text: string): string[] =>
      [...(/<nav aria-label="Main">.*?<\/nav>/s.exec(text)?.[0].matchAll(/<a [^>]*>([^<]+)/g) ?? [])].map(
        ([, name]) => name ?? '',
      );
    for (const path of ['/', '/docs', '/docs/guides/start', '/docs/api']) {
      const { text } = await server.get(path);
      expect([path, menuOf(text)]).toEqual([path, ['Console', 'Guides', 'Models', 'OpenAPI']]);
      expect(text).toContain('<a class="name" href="');
      expect(text).toMatch(/>Films &#60;&#38;&#62; more<\/a>/);
      expect(text).not.toContain('Films <');
    }
    const without = await startServer({ console: { enabled: false } });
    expect(menuOf((await without.get('/')).text)).toEqual(['Guides', 'Models', 'OpenAPI']);
  });

  test.each(['book', 'ledger', 'nosuch', '__proto__'])('/docs/models/%s leads to the console', async (name) => {
    const { status, headers } = await world.send('GET', `/docs/models/${name}`);
    expect([status, headers.get('location')]).toEqual([302, `../../console#/reference/${name}`]);
  });

  test('without the console the addresses of models lead to where they are described', async () => {
    const server = await startServer({ console: { enabled: false } });
    const { headers } = await server.send('GET', '/docs/models/user');
    expect(headers.get('location')).toBe('../../docs#models');
    const { text } = await server.get('/docs');
    expect(text).toContain('<h2 id="models">');
    expect(text).not.toContain('console#');
    expect((await server.get('/')).text).not.toContain('console#');
  });

  test.each([
    ['dossier_colours=dark', 'dark'],
    ['a=b; dossier_colours=light; c=d', 'light'],
    ['dossier_colours=auto', undefined],
    ['dossier_colours="><script>', undefined],
    ['not_dossier_colours=dark', undefined],
    ['', undefined],
  ])('the cookie %j gives pages the colours %s', async (cookie, colours) => {
    for (const path of paths) {
      const { headers, text } = await world.send('GET', path, { headers: { cookie } });
      expect(/<html lang="en" (?:data-colours="(.*?)")?>/.exec(text)?.[1]).toBe(colours);
      expect(text).toContain(`<meta name="color-scheme" content="${colours ?? 'light dark'}"`);
      expect(headers.get('vary')).toContain('Cookie');
    }
  });

  test('models that the caller may not see are absent', async () => {
    expect((await world.send('GET', '/')).text).not.toMatch(/ledger|note/);
  });

  test.each([
    '/docs/nosuch',
    '/docs/guides/nosuch',
    '/docs/guides/..%2f..%2fpackage',
    '/docs/api/package.json',
    '/docs/..%2f..%2fpackage.json',
  ])('%s is a 404 in JSON', async (path) => {
    const { status, body } = await world.send('GET', path, { headers: { accept: 'text/html' } });
    expect([status, body['status']]).toEqual([404, 'fail']);
  });
});

/** The targets of the links of a page. */
const hrefsIn = (text: string): string[] => [...text.matchAll(/ href="([^"]+)"/g)].map(([, href]) => href ?? '');

/** The paths to which the links of a page lead. */
const pathsIn = (text: string, from: string): string[] =>
  hrefsIn(text).map((href) => new URL(href, `http://x${from}`).pathname);

inBrowser('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());

  /** A page and its faults: errors, and requests to other hosts. */
  const open = async (colorScheme: 'light' | 'dark'): Promise<{ page: Page; faults: string[] }> => {
    const page = await browser.newPage({ colorScheme });
    page.setDefaultTimeout(pagePatience);
    const faults: string[] = [];
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(world.url) && !request.url().startsWith('data:')) faults.push(request.url());
    });
    return { page, faults };
  };

  test.each(['light', 'dark'] as const)(
    '%s pages',
    async (colorScheme) => {
      const { page, faults } = await open(colorScheme);
      for (const path of paths) {
        await page.goto(world.url + path, { waitUntil: 'load' });
        const [back, text] = await page.evaluate<string[]>(
          'Object.values((({ backgroundColor, color }) => ({ backgroundColor, color }))(getComputedStyle(document.body)))',
        );
        expect([path, brightness(back ?? '') > brightness(text ?? '')]).toEqual([path, colorScheme === 'light']);
        expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth')).toBe(true);
      }
      expect(faults).toEqual([]);
    },
    180_000,
  );

  test('pages have the colours, the font and the header of the console', async () => {
    const shown = `(() => {
      const { backgroundColor, color, fontFamily } = getComputedStyle(document.body);
      const { height, borderBottomColor } = getComputedStyle(document.querySelector('header'));
      const name = [...document.querySelectorAll('header a')].find((link) => link.textContent === 'Dossier');
      const { fontSize, fontWeight } = getComputedStyle(name);
      return { backgroundColor, color, fontFamily, height, borderBottomColor, fontSize, fontWeight };
    })()`;
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page } = await open(colorScheme);
      await page.goto(`${world.url}/`, { waitUntil: 'load' });
      const ours = await page.evaluate(shown);
      await signIn(page, world.url, 'root');
      expect({ colorScheme, shown: ours }).toEqual({ colorScheme, shown: await page.evaluate(shown) });
    }
  });

  test('pages have the colours that are chosen in the console, also below a path that a proxy removes', async () => {
    const proxy = await openPrefixProxy('/inner/v4', () => world.url);
    const { page } = await open('light');
    await signIn(page, proxy.url, 'root');
    const isDark = async (path: string): Promise<boolean> => {
      await page.goto(proxy.url + path, { waitUntil: 'load' });
      const back = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      return brightness(back) < 128;
    };
    const choose = async (name: string): Promise<void> => {
      await page.goto(`${proxy.url}/console`);
      await page.getByRole('button', { name: /^Account of/ }).click();
      await page.getByRole('menuitem', { name }).click();
      await page.getByRole('menuitem', { name }).waitFor({ state: 'detached' });
    };
    await choose('Dark');
    for (const path of paths) expect([path, await isDark(path)]).toEqual([path, true]);
    await choose('As the system');
    expect(await isDark('/docs')).toBe(false);
    proxy.close();
  });

  test('below a path that a proxy removes, pages have their style, and links and requests stay there', async () => {
    const proxy = await openPrefixProxy('/inner/v4', () => world.url);
    const { page } = await open('light');
    const elsewhere: string[] = [];
    page.on('response', (answer) => {
      if (!answer.url().startsWith(proxy.url) || answer.status() >= 400) elsewhere.push(answer.url());
    });
    for (const path of ['/', '/docs', '/docs?search=index', '/docs/guides/queries', '/docs/guides/queries/']) {
      await page.goto(proxy.url + path, { waitUntil: 'load' });
      const links = await page.evaluate<string[]>("[...document.querySelectorAll('a')].map((link) => link.href)");
      expect(links.filter((link) => link.startsWith('http://127.') && !link.startsWith(`${proxy.url}/`))).toEqual([]);
      expect(await page.evaluate("getComputedStyle(document.querySelector('nav')).display")).toBe('flex');
    }
    await page.getByRole('link', { name: 'OpenAPI' }).first().click();
    await page.locator('#operations-tag-book').click();
    const list = page.locator(String.raw`[id="operations-book-documents\\.list\\.book"]`);
    await list.locator('.opblock-summary-control').click();
    await list.locator('button.execute').click();
    await list.locator('.live-responses-table').waitFor();
    expect(await list.locator('.live-responses-table').textContent()).toContain('Book of ann');
    expect(elsewhere).toEqual([]);
    proxy.close();
  });

  test('the reference signs in and sends requests', async () => {
    const { page, faults } = await open('light');
    await page.goto(`${world.url}/docs/api`);
    await page.locator('#operations-tag-book').click();
    const list = page.locator(String.raw`[id="operations-book-documents\\.list\\.book"]`);
    await list.locator('.opblock-summary-control').click();
    await list.locator('button.execute').click();
    await list.locator('.live-responses-table').waitFor();
    expect(await list.locator('.live-responses-table').textContent()).toContain('Book of ann');
    await page.locator('button.authorize').first().click();
    const basic = page.locator('.auth-container', { hasText: 'basic' });
    await basic.locator('input').first().fill('eve@x.test');
    await basic.locator('input[type=password]').fill('pw-eve-1');
    await basic.locator('button.authorize').click();
    await page.locator('.dialog-ux button.close-modal, .dialog-ux .btn-done').first().click();
    await list.locator('button.execute').click();
    await list.locator('.curl', { hasText: 'Authorization: Basic' }).waitFor();
    expect(faults).toEqual([]);
  });

  test('the reference shows the operations of the caller who signed in', async () => {
    const { body } = await world.as('eve', 'POST', '/login/apikey');
    const { page, faults } = await open('light');
    await page.goto(`${world.url}/docs/api`);
    // notes have no rights for anonymous callers
    await page.locator('#operations-tag-book').waitFor();
    const notes = page.locator('#operations-tag-note');
    expect(await notes.count()).toBe(0);
    await page.locator('button.authorize').first().click();
    const form = page.locator('.auth-container', { hasText: 'basic' });
    const signIn = async (password: string): Promise<void> => {
      await form.locator('input').first().fill('eve@x.test');
      await form.locator('input[type=password]').fill(password);
      await form.locator('button.authorize').click();
    };
    const signOut = form.locator('button', { hasText: 'Logout' });

    await signIn('wrong');
    await form.locator('.errors').waitFor();
    expect(await page.locator('#operations-tag-book').count()).toBe(1);
    expect(await notes.count()).toBe(0);
    // the browser itself reports the status
    expect(faults.splice(0)).toEqual([expect.stringContaining('401')]);
    await signOut.click();

    await signIn('pw-eve-1');
    await notes.waitFor();
    expect(await form.locator('.errors').count()).toBe(0);
    await signOut.click();
    await notes.waitFor({ state: 'detached' });

    const key = page.locator('.auth-container', { hasText: 'apikeyHeader' });
    await key.locator('input').first().fill(String(body['apikey']));
    await key.locator('button.authorize').click();
    await notes.waitFor();
    expect(faults).toEqual([]);
  });
});

const brightness = (colour: string): number =>
  (colour.match(/\d+/g) ?? []).slice(0, 3).reduce((sum, part) => sum + Number(part), 0);
