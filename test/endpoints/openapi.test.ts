/** `/openapi.json`: valid by an independent validator, specific to the caller, and consistent with the answers. */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describedGroups, fetchDescribed } from '../support/described.ts';
import { openReading, type Person, type World } from '../support/fixtures/reading/index.ts';

type Json = Record<string, any>;

let world: World;
beforeAll(async () => {
  world = await openReading();
});

const documentFor = async (as: Person) => (await world.as(as, 'GET', '/openapi.json')).body;

const validator = new Validator();
test.each(['anonymous', 'eve', 'root'] as const)('the document for %s is valid OpenAPI 3.1', async (as) => {
  const result = await validator.validate(await documentFor(as));
  expect({ ...result, version: validator.version }).toEqual({ valid: true, version: '3.1' });
});

test('only operations on which the caller has some right are described', async () => {
  const pathsFor = async (as: Person) => (await documentFor(as))['paths'] as Record<string, Json>;
  const anonymous = await pathsFor('anonymous');
  expect(Object.keys(anonymous['/api/book'] ?? {})).toEqual(['get']);
  expect(JSON.stringify(anonymous)).not.toMatch(/ledger|note|\/cache\/stats/);
  const eve = await pathsFor('eve');
  expect(Object.keys(eve['/api/book'] ?? {}).sort()).toEqual(['get', 'post', 'put']);
  expect(JSON.stringify(eve)).not.toMatch(/ledger|\/cache\/stats/);
  expect(eve['/query/shut']).toBeUndefined();
  expect(eve['/bulkwrite/book']).toBeUndefined();
  const root = await pathsFor('root');
  expect(Object.keys(root)).toEqual(expect.arrayContaining(['/api/ledger/{id}', '/cache/stats', '/setup/data']));
  for (const paths of [anonymous, eve]) expect(paths['/setup/data']).toBeUndefined();
});

test('operations declare their own failures', async () => {
  const paths = (await documentFor('root'))['paths'] as Record<string, Record<string, Json>>;
  const declared = (method: string, path: string): string[] =>
    Object.keys((paths[path]?.[method]?.['responses'] ?? {}) as Json).filter((status) => /^[45]/.test(status));
  const always = ['400', '401', '429', '500', '503'];
  expect(declared('get', '/health')).toEqual(always);
  expect(declared('get', '/login/logout')).toEqual([...always, '403', '507'].sort());
  expect(declared('post', '/login/recover')).toEqual([...always, '403', '404', '409', '413', '415', '507'].sort());
  expect(declared('post', '/setup')).toEqual([...always, '403', '409', '413', '415', '507'].sort());
  expect(declared('get', '/api/book/{id}')).toEqual([...always, '403', '404', '410', '412', '413'].sort());
  expect(declared('post', '/query/book')).toEqual([...always, '403', '404', '413', '415'].sort());
  expect(declared('put', '/api/book/{id}')).toEqual(
    [...always, '403', '404', '409', '410', '412', '413', '415', '422', '507'].sort(),
  );
  expect(declared('post', '/aggregate/book')).toEqual([...always, '403', '404', '409', '413', '415', '507'].sort());
});

test('the operationId is the name of the operation, with the model and the function if any', async () => {
  const names = describedGroups.flatMap(({ operations }) => operations.map(({ name }) => name));
  expect(new Set(names).size).toBe(names.length);
  const paths = (await documentFor('root'))['paths'] as Record<string, Record<string, Json>>;
  const idOf = (method: string, path: string) => paths[path]?.[method]?.['operationId'];
  expect(idOf('get', '/api/book')).toBe('documents.list.book');
  expect(idOf('put', '/api/book/{id}')).toBe('documents.change.book');
  expect(idOf('post', '/login')).toBe('sessions.login');
  const ids = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId }) => operationId as string),
  );
  expect(new Set(ids).size).toBe(ids.length);
  const described = new Set(ids.map((id) => id.split('.', 2).join('.')));
  // the models of this test have no histories, no functions and no bulk writes
  expect(names.filter((name) => !described.has(name))).toEqual([
    'history.list',
    'history.forget',
    'history.revert',
    'history.get',
    'history.all',
    'documents.bulkWrite',
    'functions.call',
    'functions.callByQuery',
    'functions.callForDocument',
    'functions.callForDocumentByQuery',
    // disabled by settings
    'account.signUp',
    'metrics.read',
  ]);
});

describe('answers are validated against the document', () => {
  const noId = '0'.repeat(24);
  const failure = { status: 'fail', message: 'm', err: 'e' };
  const rows: readonly (readonly [string, string, number, unknown, RegExp | undefined])[] = [
    ['GET', '/count/book', 200, { count: 1 }, undefined],
    ['GET', '/count/book', 200, { count: 'one' }, /count must be integer/],
    ['GET', '/count/book', 200, { count: 1, more: 1 }, /additional properties/],
    ['GET', '/count/book', 201, { count: 1 }, /has only 200/],
    ['GET', '/count/nosuch', 200, { count: 1 }, /no such path/],
    ['PATCH', '/count/book', 200, { count: 1 }, /no such path or method/],
    ['GET', '/api/book', 200, { data: [{ _id: 'x', id: 'x' }] }, /_id must match/],
    ['GET', '/api/book', 200, { data: [{ _id: noId, id: noId, price: 'dear' }] }, /price must be/],
    ['GET', '/csv/book', 200, {}, /has only text.csv/],
    ['GET', '/nowhere', 404, failure, undefined],
    ['GET', '/nowhere', 404, { ...failure, stack: 'at' }, /additional properties/],
    ['GET', '/nowhere', 402, failure, /no such status/],
    ['GET', '/count/book', 404, failure, undefined],
    ['GET', '/count/book', 409, failure, /has only 200,400/],
    ['POST', '/setup', 404, failure, /has only 201,400/],
    ['HEAD', '/cache/clear', 405, failure, undefined],
    ['GET', '/count/book', 431, failure, undefined],
    ['GET', '/call/book/any', 402, { ...failure, message: 'Refused' }, undefined],
  ];
  test.each(rows)('%s %s %i %j', async (method, path, status, answer, fault) => {
    const faked = jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(Response.json(answer, { status }));
    const seen = fetchDescribed(world.url + path, { method });
    await (fault === undefined ? expect(seen).resolves.toBeDefined() : expect(seen).rejects.toThrow(fault));
    faked.mockRestore();
  });
});
