/** What the server says, in the words of people. */
import { expect, test } from '@jest/globals';
import type { Field, Model } from '../src/api/models.ts';
import { withLinks, wordsOfRefusal } from '../src/api/server-words.ts';

const plain = { type: 'String', input: 'text', required: false, unique: false, index: false, array: false } as const;
const modelOf = (name: string, fields: Record<string, Field>): Model => ({ name, fields }) as object as Model;
const object = modelOf('object', { inventory_no: plain, a: plain, 'size.a': plain });

test.each<[err: string, paths: readonly string[], words: string]>([
  [
    'inventory_no must be unique, and this value exists already',
    ['inventory_no'],
    'Inventory no must be unique, and this value exists already',
  ],
  [
    'a must be unique, and a deleted object has this value: GET /api/object/6b0c?showDeleted=true',
    ['a'],
    'A must be unique, and a document in the trash has this value',
  ],
  ['a, size.a must be unique', ['a', 'size.a'], 'A, Size: A must be unique'],
  ['a is required. It has a name', ['a'], 'A is required. It has a name'],
  ['the server is busy', [], 'the server is busy'],
  ['$& must be short', ['$&'], '$& must be short'],
])('%j has the labels of %j', (err, paths, words) => {
  const errors = paths.map((path) => ({ path, kind: 'x', message: '' }));
  expect(wordsOfRefusal({ err, errors }, object)).toBe(words);
  expect(wordsOfRefusal({ err, errors }, undefined)).toBe(err);
});

test('links are named by their models, as far as these are known', () => {
  const loan = modelOf('loan', { object_ids: { ...plain, input: 'id', link: 'object', array: true } });
  const text =
    'this object cannot be deleted while other documents link to it: loan.object_ids, gone.x, documents of another model';
  expect(withLinks(text, new Map([['loan', loan]]))).toBe(
    'this object cannot be deleted while other documents link to it: Loans (Objects), gone.x, documents of another model',
  );
  expect([withLinks(text, undefined), withLinks('loan.object_ids', new Map())]).toEqual([text, 'loan.object_ids']);
});
