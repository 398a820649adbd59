/** `/openapi.json`: valid by a validator that we did not write, per caller, and true of the answers. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { openWorld, type Json, type Person, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const documentFor = async (as: Person) => (await world.send('GET', '/openapi.json', { as })).body;

test.each(['anonymous', 'eve', 'root'] as const)('the document for %s is valid OpenAPI 3.1', async (as) => {
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'));
  try {
    const file = join(folder, 'openapi.json');
    writeFileSync(file, JSON.stringify(await documentFor(as)));
    const out = execFileSync(process.execPath, [
      '--input-type=module',
      '-e',
      `import { Validator } from '@seriousme/openapi-schema-validator';
       const validator = new Validator();
       const result = await validator.validate(process.argv[1]);
       console.log(JSON.stringify({ ...result, version: validator.version }));`,
      file,
    ]);
    expect(JSON.parse(out.toString())).toEqual({ valid: true, version: '3.1' });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('only what the caller has some right to', async () => {
  const pathsFor = async (as: Person) => (await documentFor(as))['paths'] as Record<string, Json>;
  const anonymous = await pathsFor('anonymous');
  expect(Object.keys(anonymous['/api/book'] ?? {})).toEqual(['get']);
  expect(JSON.stringify(anonymous)).not.toMatch(/ledger|note|\/cache\/stats/);
  const eve = await pathsFor('eve');
  expect(Object.keys(eve['/api/book'] ?? {}).sort()).toEqual(['get', 'post']);
  expect(JSON.stringify(eve)).not.toMatch(/ledger|\/cache\/stats/);
  expect(eve['/query/shut']).toBeUndefined();
  expect(eve['/bulkwrite/book']).toBeUndefined();
  const root = await pathsFor('root');
  expect(Object.keys(root)).toEqual(expect.arrayContaining(['/api/ledger/{id}', '/cache/stats']));
});

test('every operation has a name of its own', async () => {
  const paths = (await documentFor('root'))['paths'] as Record<string, Record<string, Json>>;
  const names = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId as string),
  );
  expect(new Set(names).size).toBe(names.length);
});

describe('answers are as described', () => {
  const requests: [string, string, string, unknown?][] = [
    ['GET', '/api/book', '/api/book?autopopulate=1&page=1&limit=1'],
    ['GET', '/api/book/{id}', '/api/book/:annBook?populate=author'],
    ['GET', '/api/note', '/api/note'],
    ['GET', '/count/note', '/count/note'],
    ['POST', '/query/wiki', '/query/wiki', { query: {} }],
    ['POST', '/aggregate/wiki', '/aggregate/wiki', [{ $count: 'n' }]],
    ['POST', '/api/wiki', '/api/wiki', { title: 'x' }],
    ['PUT', '/api/wiki/{id}', '/api/wiki/:annWiki', { count: null }],
    ['PUT', '/update/wiki/{id}', '/update/wiki/:annWiki', { count: 4 }],
    ['DELETE', '/api/wiki/{id}', '/api/wiki/:eveWiki'],
    ['GET', '/model', '/model'],
    ['GET', '/model/{name}', '/model/user'],
    ['GET', '/cache/clear', '/cache/clear'],
    ['GET', '/api/user', '/api/user'],
    ['GET', '/api/book/{id}', '/api/book/0123456789abcdef01234567'],
    ['GET', '/api/book', '/api/book?nosuch=1'],
    ['POST', '/api/wiki', '/api/wiki', { count: 'x' }],
  ];
  test.each(requests.map(([method, path, url, body]) => [method, path, url, body] as const))(
    '%s %s %s',
    async (method, path, url, body) => {
      const document = await documentFor('root');
      const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
      ajv.addSchema({ ...document, $id: 'openapi' });
      const filled = url.replace(/:(\w+)/, (_all, name: string) => world.ids[name] ?? '');
      const answer = await world.send(method, filled, { as: 'root', ...(body === undefined ? {} : { body }) });
      const operation = (document['paths'] as Json)[path][method.toLowerCase()] as Json;
      const status = String(answer.status) in operation['responses'] ? String(answer.status) : 'default';
      expect(status).toBe(answer.status < 400 ? String(answer.status) : 'default');
      const pointer = [
        'paths',
        path,
        method.toLowerCase(),
        'responses',
        status,
        'content',
        'application/json',
        'schema',
      ]
        .map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
        .join('/');
      const validate = ajv.compile({ $ref: `openapi#/${pointer}` });
      validate(answer.body);
      expect(validate.errors).toBeNull();
    },
  );
});
