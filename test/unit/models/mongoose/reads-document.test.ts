/** Which functions can read the document that they are called for. */
import { runInThisContext } from 'node:vm';
import { expect, test } from '@jest/globals';
import { isOwnFunction, readsThis, takesParameters } from '../../../../src/models/mongoose/reads-document.ts';

/** Functions as a model file has them: the compiler of the tests would change them. */
const made = (code: string): unknown => runInThisContext(`(${code})`);

test.each([
  'function (v) { return this.a; }',
  'function named() { return [1].map(() => this.a); }',
  'async function () { await this.save(); }',
  'function* () { yield this; }',
  '({ validator(v) { return this.a; } }).validator',
  '({ async validator(v) { return this.a; } }).validator',
  "({ ['com' + 'puted'](v) { return this.a; } }).computed",
  '({ get(v) { return super.get(v); } }).get',
  "function () { return eval('th' + 'is'); }",
  'function (inner) { return inner.apply(this, arguments); }',
])('%s does', (code) => {
  expect(readsThis(made(code))).toBe(true);
});

test.each([
  'function (v) { return v; }',
  'function (v) { return v.thisYear; }',
  '(v) => this.a',
  'v => this.a',
  'async v => this.a',
  'async (v) => { return this.a; }',
  '({ a }) => this.a ?? a',
  'function () { return this.a; }.bind({})',
  'class { get() { return this.a; } }',
  'class Name {}',
  'Date.now',
  'String',
  '5',
  'undefined',
])('%s does not', (code) => {
  expect(readsThis(made(code))).toBe(false);
});

test('the parameters of a function', () => {
  const counts = ['() => 1', '(a) => 1', '(a, b) => 1', '(...all) => 1', 'function () { return arguments[1]; }'].map(
    (code) => [1, 2].map((count) => takesParameters(made(code), count)),
  );
  expect(counts).toEqual([
    [false, false],
    [true, false],
    [true, true],
    [true, true],
    [true, true],
  ]);
  expect([Date.now, String, class {}, 'text'].map((one) => isOwnFunction(one) || takesParameters(one, 1))).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
