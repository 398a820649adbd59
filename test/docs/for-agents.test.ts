/** The guides for agents: `/llms.txt` and each guide as Markdown. */
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { startServer, type TestServer } from '../support/server.ts';

const model = "module.exports = new (require('mongoose').Schema)({ title: String }, { perms: { admin: 'r' } });";
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ models: { 'ledger.js': model }, api_url: 'https://api.example.com/v1' });
});

describe('/llms.txt', () => {
  test('lists each guide once, by an address that answers with its Markdown', async () => {
    const { status, headers, text } = await server.get('/llms.txt');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/plain; charset=utf-8' });
    expect(text).toMatch(/^# Dossier\n\n> /);
    const addresses = [...text.matchAll(/\]\(https:\/\/api\.example\.com\/v1(\/docs\/[a-z-]+\.md)\): \S/g)].map(
      ([, path = '']) => path,
    );
    const listed = readFileSync('docs/README.md', 'utf8').matchAll(/^- \[[^\]]+\]\(([a-z-]+\.md)\)/gm);
    expect(addresses).toEqual([...listed].map(([, file = '']) => `/docs/${file}`));
    for (const path of addresses) {
      const guide = await server.get(path);
      expect({ path, status: guide.status, type: guide.headers.get('content-type') }).toEqual({
        ...{ path, status: 200, type: 'text/markdown; charset=utf-8' },
      });
      expect(guide.text).toBe(readFileSync(path.slice(1), 'utf8'));
    }
  });

  test('names the other descriptions of the server, and no model', async () => {
    const { text } = await server.get('/llms.txt');
    expect(text).toContain('https://api.example.com/v1/openapi.json');
    expect(text).toContain('https://api.example.com/v1/mcp');
    expect(text).not.toContain('ledger');
  });

  test('names MCP only where it is on', async () => {
    const without = await startServer({ models: {}, mcp: 'off' });
    expect((await without.get('/llms.txt')).text).not.toContain('/mcp)');
  });
});

describe('a guide as Markdown', () => {
  test.each([
    ['no guide', 'nothing.md'],
    ['another ending', 'models.txt'],
    ['the list itself', 'README.md'],
    ['a folder above', '..%2fpackage.json'],
    ['a folder above, twice encoded', '..%252fREADME.md'],
    ['a name of every object', '__proto__.md'],
    ['a zero byte', 'models.md%00'],
  ])('is no answer for %s', async (_what, file) => {
    expect((await server.get(`/docs/${file}`)).status).toBe(404);
  });

  test.each(['/docs/style.css', '/docs/api', '/docs'])('leaves %s as it is', async (path) => {
    const { status, headers } = await server.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).not.toContain('markdown');
  });

  test('exists for files of the repository that are guides alone', () => {
    expect(readdirSync('docs').filter((file) => file.endsWith('.md')).length).toBeGreaterThan(20);
  });
});
