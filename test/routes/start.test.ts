/** What stops a start because of a file of routes, and what does not (docs/routes.md). */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServer } from '../support/server.ts';
import { openRoutes, routeFile } from './world.ts';

const valid = { method: 'GET', path: '/own/:year', access: 'all' };

/** A file whose route has these parts besides the valid ones, as source. */
const withParts = (parts: string): string =>
  routeFile(`export default defineRoute({ ...${JSON.stringify(valid)}, handler: () => 1, ${parts} });`);

const faults: readonly (readonly [name: string, text: string, fault: string])[] = [
  ['no access', withParts('access: undefined'), "GET /own/:year has no access: write 'all', 'user'"],
  ['an unknown access', withParts("access: 'owner'"), "access must be 'all', 'user', 'admin'"],
  ['an access of two kinds', withParts("access: { group: 'press', model: 'film' }"), 'access must be'],
  [
    'an unknown model',
    withParts("access: { model: 'flim', letter: 'r' }"),
    'access.model must be the name of a model, got "flim"; did you mean "film"?',
  ],
  ['an internal model', withParts("access: { model: '_session', letter: 'r' }"), 'access.model must be'],
  ['an unknown letter', withParts("access: { model: 'film', letter: 'x' }"), 'access.letter must be one of c, r, u, d'],
  ['a reserved group', withParts("access: { group: 'admin' }"), 'access.group must be the name of a group'],
  ['an unknown key', withParts('methods: 1'), 'methods is no key of a route, which are method, path, '],
  ['an unknown method', withParts("method: 'get'"), 'method must be one of GET, POST, PUT, PATCH, DELETE, got "get"'],
  ['no handler', withParts('handler: undefined'), 'handler must be a function'],
  ['a body of a GET', withParts('body: {}'), 'a GET has no body'],
  ['a bad duration', withParts('timeout: 5'), 'timeout must be a duration such as 30s'],
  ['a long duration', withParts("timeout: '1h'"), 'timeout must be at most 10m'],
  ['a long summary', withParts(`summary: '${'a'.repeat(201)}'`), 'summary must be text'],
  ['a relative path', withParts("path: 'own'"), 'path must begin with / and a name'],
  ['the root', withParts("path: '/'"), 'path must begin with / and a name'],
  ['a parameter first', withParts("path: '/:own'"), 'path must begin with / and a name'],
  ['an empty part', withParts("path: '/own//a'"), 'path must have parts of letters'],
  ['a slash at the end', withParts("path: '/own/'"), 'path must have parts of letters'],
  ['an encoded part', withParts("path: '/own/%61'"), 'path must have parts of letters'],
  ['a part of dots', withParts("path: '/own/..'"), 'must not have the part ".."'],
  ['a prototype key', withParts("path: '/__proto__'"), 'must not have the part "__proto__"'],
  ['a prototype key as a parameter', withParts("path: '/own/:constructor'"), 'must not have the part ":constructor"'],
  ['a parameter twice', withParts("path: '/own/:a/:a'"), 'must not have :a twice'],
  ['a segment of documents', withParts("path: '/api/film/top'"), 'paths that begin with /api are those of the server'],
  ['a segment in other letters', withParts("path: '/LOGIN/own'"), 'paths that begin with /login are'],
  ['a segment of what is switched off', withParts("path: '/mcp'"), 'paths that begin with /mcp are'],
  ['a schema that is none', withParts('query: 1'), 'query must be a JSON Schema or a Standard Schema, got 1'],
  ['a list as a schema', withParts('query: []'), 'query must be a JSON Schema or a Standard Schema'],
  ['a bad JSON Schema', withParts("query: { type: 'text' }"), 'query is no valid JSON Schema'],
  ['an unknown keyword', withParts("query: { year: { type: 'integer' } }"), 'unknown keyword: "year"'],
  [
    'an unknown format',
    withParts("query: { type: 'string', format: 'soon' }"),
    'no valid JSON Schema: unknown format "soon" at path',
  ],
  [
    'a pattern without a limit of time',
    withParts(String.raw`query: { type: 'string', pattern: '^(?=(a+)+$)b' }`),
    'the pattern ^(?=(a+)+$)b could take very long',
  ],
  ['a schema elsewhere', withParts("query: { $ref: 'https://example.com/a.json' }"), "can't resolve reference"],
  ['an asynchronous schema', withParts('query: { $async: true }'), '$async is no keyword of JSON Schema'],
  [
    'a schema of an unknown draft',
    withParts("query: { $schema: 'https://example.com/own' }"),
    'no schema with key or ref',
  ],
  ['a bad schema of the answer', withParts("answer: { type: 'text' }"), 'answer is no valid JSON Schema'],
  [
    'another version of Standard Schema',
    withParts("query: { '~standard': { version: 2, validate: () => 1 } }"),
    'query must be a Standard Schema of version 1',
  ],
  [
    'a parameter that the path lacks',
    withParts('params: { properties: { month: {} } }'),
    'params has month, which the path does not name',
  ],
  ['no route', routeFile('export default 5;'), 'the default export must be defineRoute({…}) or a list of them, got 5'],
  ['no default export', routeFile('export const own = 1;'), 'the default export must be'],
  ['a syntax error', routeFile('export default {'), 'bad.ts: '],
  ['an error', routeFile("throw new Error('not today');"), 'not today'],
];

test('each fault is named with its file, all of them at once', async () => {
  const files = Object.fromEntries(faults.map(([, text], at) => [`f${String(at).padStart(2, '0')}bad`, text]));
  const error = (await openRoutes(files).catch((thrown: unknown) => thrown)) as { readonly faults: readonly string[] };
  for (const [at, [name, , fault]] of faults.entries()) {
    const file = `f${String(at).padStart(2, '0')}bad.ts: `;
    const found = error.faults.filter((one) => one.includes(file)).map((one) => one.slice(one.indexOf(file)));
    expect([name, found]).toEqual([name, [expect.stringContaining(fault)]]);
    expect(found[0]).not.toContain('\n');
  }
});

test.each([
  ["'/own/:year'", 'GET /own/:year is taken by GET /own/:year of '],
  ["'/Own/:year'", 'GET /Own/:year is taken by GET /own/:year of '],
  ["'/own/:month'", 'GET /own/:month is taken by GET /own/:year of '],
  ["'/own/:month', method: 'POST'", 'POST /own/:month: GET /own/:year of '],
])('a path that another file has taken stops the start: %s', async (path, fault) => {
  const files = { first: withParts(''), second: withParts(`path: ${path}`) };
  await expect(openRoutes(files)).rejects.toThrow(fault);
});

test('a folder that does not exist has no routes, and neither have routers of Express, other texts and names with _', async () => {
  const server = await openRoutes({
    _own: 'export default 5;',
    'notes.md': 'x',
    'own.test.ts': 'export default 5;',
    'router.cjs':
      "require('dossier'); const router = require('express').Router(); router.get('/', () => undefined); module.exports = router;",
    'router.mjs': "import 'dossier'; import { Router } from 'express'; export default Router();",
    'routes.cjs': 'process.exit(1);',
    own: withParts(''),
  });
  expect((await server.get('/own/1')).body).toEqual({ data: 1 });
  const without = await openRoutes({}, { routes_dir: '/nowhere/at/all' });
  expect((await without.get('/own/1')).status).toBe(404);
});

test.each([
  [
    'own.cjs',
    "const { defineRoute } = require('dossier'); module.exports = defineRoute({ method: 'GET', path: '/own', access: 'all', handler: () => 'cjs' });",
    'cjs',
  ],
  [
    'own.mjs',
    "import { defineRoute } from 'dossier'; export default [defineRoute({ method: 'GET', path: '/own', access: 'all', handler: () => 'mjs' })];",
    'mjs',
  ],
  [
    'own.js',
    "// a route of dossier\nexport default { method: 'GET', path: '/own', access: 'all', handler() { return this.path; } };",
    '/own',
  ],
])('%s is loaded as a model file is', async (name, text, data) => {
  const server = await openRoutes({ [name]: text });
  expect((await server.get('/own')).body).toEqual({ data });
  await server.close();
});

test('a route and a model file share the modules that they import', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dossier-routes-'));
  const write = async (name: string, text: string): Promise<void> => {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  };
  await write(
    'models/film.ts',
    "import mongoose, { Schema } from 'mongoose'; export default mongoose.model('film', new Schema({ title: String }, { perms: { all: 'crud' } }));",
  );
  await write(
    'routes/own.ts',
    "import { defineRoute } from 'dossier'; import Film from '../models/film.ts'; export default defineRoute({ method: 'GET', path: '/own', access: 'all', handler: () => Film.countDocuments() });",
  );
  const server = await startServer({ models: join(folder, 'models'), routes_dir: join(folder, 'routes') });
  await server.post('/api/film', { title: 'Alien' });
  expect((await server.get('/own')).body).toEqual({ data: 1 });
  await rm(folder, { recursive: true, force: true });
});
