/** The check of bodies of fixed shape: which part of a body it reports, and by which keyword. */
import { expect, test } from '@jest/globals';
import { email, type JsonSchema, listOf, object, text } from '../../../src/docs/openapi/shapes.ts';
import { compileCheck, compileNames, ownCheck, refusals } from '../../../src/operations/body-check.ts';
import { operationGroups } from '../../../src/start/operations.ts';

const name = { ...text, maxLength: 3 };
const names = { ...listOf(name), minItems: 1, maxItems: 2 };
const schema = object({ email, at: object({ name }) }, { names: { oneOf: [name, names] }, own: ownCheck(text) });
const at = { name: 'a' };

test.each([
  [{ email: 'a@x.test', at }, undefined],
  [{ email: 'a@x.test', at, names: 'abc', own: 1, more: {} }, undefined],
  [{ email: 'a@x.test', at, names: ['a', 'b'] }, undefined],
  [undefined, { path: '', keyword: 'type' }],
  [null, { path: '', keyword: 'type' }],
  [[], { path: '', keyword: 'type' }],
  ['text', { path: '', keyword: 'type' }],
  [{ at }, { path: 'email', keyword: 'required' }],
  [
    { email: 1, at },
    { path: 'email', keyword: 'type' },
  ],
  [
    { email: 'none', at },
    { path: 'email', keyword: 'format' },
  ],
  [
    { email: 'a@x.test', at: {} },
    { path: 'at.name', keyword: 'required' },
  ],
  [
    { email: 'a@x.test', at: { name: 'long' } },
    { path: 'at.name', keyword: 'maxLength' },
  ],
  [
    { email: 'a@x.test', at, names: 'long' },
    { path: 'names', keyword: 'maxLength' },
  ],
  [
    { email: 'a@x.test', at, names: [] },
    { path: 'names', keyword: 'minItems' },
  ],
  [
    { email: 'a@x.test', at, names: ['a', 'b', 'c'] },
    { path: 'names', keyword: 'maxItems' },
  ],
  [
    { email: 'a@x.test', at, names: ['a', 1] },
    { path: 'names.1', keyword: 'type' },
  ],
  [
    { email: 'a@x.test', at, names: { a: 1 } },
    { path: 'names', keyword: 'type' },
  ],
])('%j', (body, fault) => expect(compileCheck(schema)(body)).toEqual(fault));

const closed = object({ email }, { own: text });
const refusal = (name: string): string => `${name} is unknown; there are email, own`;

test.each<[unknown, string | undefined]>([
  [{ email: 'a@x.test' }, undefined],
  [{ email: 'a@x.test', own: 'a', _any: 1 }, undefined],
  [{ other: 1 }, refusal('other')],
  [{ emial: 1 }, `${refusal('emial')}; did you mean "email"?`],
  [JSON.parse('{"email":"a@x.test","__proto__":1}'), undefined],
  [{ constructor: 1 }, refusal('constructor')],
  [{ ['x'.repeat(100)]: 1 }, refusal('x'.repeat(40))],
  [['other'], undefined],
  [null, undefined],
])('names that a schema does not have: %j', (body, reason) => {
  expect(compileNames(closed)?.(body)?.reason).toBe(reason);
  expect(compileNames({ oneOf: [closed, names] })?.(body)?.reason).toBe(reason);
});

test('a schema that allows other names needs no check', () => {
  expect(compileNames({ ...closed, additionalProperties: true })).toBeUndefined();
  expect(compileNames({ oneOf: [names, { type: 'object' }] })).toBeUndefined();
});

test('a part that the operation checks itself may be missing', () => {
  expect(compileCheck(object({ password: ownCheck(text) }))({})).toBeUndefined();
});

test('an unknown keyword stops the start', () => {
  expect(() => compileCheck({ type: 'object', minProperties: 1 })).toThrow(
    'the body check does not support the keyword minProperties',
  );
});

test('every checked body has a schema that compiles', () => {
  const bodies = operationGroups.flatMap(({ operations }) => operations.map(({ input }) => input?.body));
  const checked = bodies.filter((body) => body?.refuse !== undefined);
  expect(checked.length).toBeGreaterThan(8);
  for (const body of checked) expect(() => compileCheck(body?.schema as JsonSchema)).not.toThrow();
});

test.each([
  ['names', 'names must be a list'],
  ['names.0', 'names must be a list'],
  ['', 'send names'],
  ['other', 'send names'],
  ['constructor', 'send names'],
])('a fault at %j is refused by the rule of its name', (path, reason) => {
  expect(refusals({ names: 'must be a list' }, 'send names')({ path, keyword: 'type' }).reason).toBe(reason);
});
