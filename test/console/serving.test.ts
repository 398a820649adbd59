/** How the console is served: policy, caching, compression, and the setting that disables it. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { codingOf } from '../../src/features/console/files.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});

/** The names of the files that the index loads. */
const filesOf = (index: string): string[] =>
  [...index.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, name]) => name ?? '').filter((name) => name !== 'data:,');

const raw = async (path: string, encoding: string): Promise<{ headers: Headers; body: Buffer }> => {
  const { request } = await import('node:http');
  return new Promise((done, failed) => {
    request(server.url + path, { agent: false, headers: { 'accept-encoding': encoding } }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () =>
        done({ headers: new Headers(answer.headers as Record<string, string>), body: Buffer.concat(pieces) }),
      );
    })
      .on('error', failed)
      .end();
  });
};

describe('the page', () => {
  test('has a strict policy with a new nonce each time, and is not cached', async () => {
    const [first, second] = [await server.get('/console'), await server.get('/console')];
    expect(first.status).toBe(200);
    expect(first.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(first.headers.get('cache-control')).toBe('no-store');
    const policy = first.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; script-src 'self'; style-src 'self' 'nonce-[\w+/]{22}=='; img-src 'self' data:; font-src 'self'; connect-src 'self'$/,
    );
    const [nonce] = /(?<=nonce-)[^']+/.exec(policy) ?? [];
    expect(first.text).toContain(`nonce="${nonce}"`);
    expect(second.headers.get('content-security-policy')).not.toBe(policy);
    expect(first.text).not.toMatch(/<script>| style=| on\w+=|https?:\/\/|\{\{/);
  });

  test('names its files by relative URLs, so that it can be served below any path', async () => {
    const { text } = await server.get('/console');
    const names = filesOf(text);
    expect(names.length).toBeGreaterThanOrEqual(2);
    for (const name of names) expect(name).toMatch(/^\.\/console\/[\w.-]+-[\w-]{8}\.(js|css)$/);
  });

  test('with a trailing slash redirects to the one without', async () => {
    const { status, headers } = await server.get('/console/');
    expect([status, headers.get('location')]).toEqual([302, '../console']);
  });

  test('is compressed by an encoding that the caller accepts', async () => {
    const [br, gzip, plain] = [
      await raw('/console', 'gzip, br'),
      await raw('/console', 'gzip'),
      await raw('/console', 'identity'),
    ];
    expect([br, gzip, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
    expect(brotliDecompressSync(br.body).toString()).toMatch(/^<!doctype html>/);
    expect(gunzipSync(gzip.body).toString()).toMatch(/^<!doctype html>/);
    expect(plain.body.toString()).toMatch(/^<!doctype html>/);
  });

  test('is linked from the home page', async () => {
    expect((await server.get('/')).text).toContain('href="./console"');
  });
});

describe('its files', () => {
  test('are cached for a year, and are compressed by an encoding that the caller accepts', async () => {
    for (const name of filesOf((await server.get('/console')).text)) {
      const path = name.slice(1);
      const [br, gzip, plain] = [
        await raw(path, 'br;q=1.0, gzip;q=0.5'),
        await raw(path, 'br;q=0, *'),
        await raw(path, ''),
      ];
      for (const { headers } of [br, gzip, plain]) {
        expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(headers.get('vary')).toContain('Accept-Encoding');
        expect(headers.get('content-type')).toBe(
          path.endsWith('js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8',
        );
      }
      expect([br, gzip, plain].map(({ headers }) => headers.get('content-encoding'))).toEqual(['br', 'gzip', null]);
      expect(brotliDecompressSync(br.body)).toEqual(plain.body);
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
    }
  });

  test.each([
    'index.html',
    'x-abcdefgh.js',
    '..%2fpackage.json',
    '..%2f..%2f..%2fpackage-abcdefgh.js',
    'index.html.gz',
  ])('%s is a 404', async (name) => {
    const { status, body } = await server.get(`/console/${name}`);
    expect([status, body['status']]).toEqual([404, 'fail']);
  });

  test('the first load is under 250 KB, compressed by gzip', async () => {
    const sizes = filesOf((await server.get('/console')).text).map(
      (name) => readFileSync(`packages/console/dist/${name.slice('./console/'.length)}.gz`).length,
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  test('use neither eval nor new Function', () => {
    const folder = 'packages/console/dist';
    for (const name of readdirSync(folder).filter((file) => file.endsWith('.js')))
      expect([name, /\beval\(|new Function\(/.test(readFileSync(`${folder}/${name}`, 'utf8'))]).toEqual([name, false]);
  });
});

test.each<[name: string, shown: string]>([
  ['Dossier', 'Dossier'],
  ['Films & more', 'Films &#38; more'],
  [
    `"><script>alert('1')</script>{{nonce}}$&`,
    '&#34;&#62;&#60;script&#62;alert(&#39;1&#39;)&#60;/script&#62;{{nonce}}$&#38;',
  ],
])('APP_NAME is the title of the page, as text: %s', async (app_name, shown) => {
  const named = await startServer({ console: { app_name } });
  const { text } = await named.get('/console');
  expect(text).toContain(`<title>${shown}</title>`);
  expect(text).toContain(`<meta name="application-name" content="${shown}"`);
});

test('CONSOLE_ENABLED=false removes the page, its files and the link', async () => {
  const names = filesOf((await server.get('/console')).text);
  const without = await startServer({ console: { enabled: false } });
  expect((await without.get('/console')).status).toBe(404);
  expect((await without.get(names[0]?.slice(1) ?? '')).status).toBe(404);
  expect((await without.get('/')).text).not.toContain('/console');
});

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['br', 'br'],
  ['gzip, deflate, BR', 'br'],
  ['gzip;q=0.2, br;q=0', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['br;q=x', undefined],
])('Accept-Encoding: %s gives %s', (accepted, coding) => {
  expect(codingOf(accepted)).toBe(coding);
});
