/** What a form sends, and what a table downloads. */
import { describe, expect, test } from '@jest/globals';
import { titleOf, valueAt } from '../src/api/fields.ts';
import type { OwnModel } from '../src/api/models.ts';
import { bodyOf, changesOf, compared, formPaths, givenIn, pathsOfKind, updateOf } from '../src/document/edits.ts';
import { csvOf } from '../src/pages/queries/csv.ts';
import { dateOf, localOf } from '../src/parts/dates.ts';

const document = { _id: '1', title: 'A', address: { city: 'Oslo' }, tags: ['x'] };

describe('edits', () => {
  test('only changed values are sent, by their paths', () => {
    const edits = new Map<string, unknown>([
      ['title', 'A'],
      ['address.city', 'Rome'],
      ['tags', ['x', 'y']],
      ['pages', null],
      ['password', undefined],
    ]);
    const changes = changesOf(document, edits);
    expect([...changes.keys()]).toEqual(['address.city', 'tags']);
    expect(updateOf(changes)).toEqual({ $set: { 'address.city': 'Rome', tags: ['x', 'y'] } });
  });

  test('an emptied value is removed', () => {
    expect(updateOf(changesOf(document, new Map([['title', null]])))).toEqual({ $unset: { title: 1 } });
  });

  test('a new document is nested by its paths', () => {
    const edits = new Map<string, unknown>([
      ['title', 'B'],
      ['address.city', 'Oslo'],
      ['address.zip', '1'],
      ['pages', null],
    ]);
    const body = { title: 'B', address: { city: 'Oslo', zip: '1' } };
    expect([bodyOf(givenIn(edits)), bodyOf(edits)]).toEqual([body, { ...body, pages: null }]);
  });

  test('a form has the id of a new document, unless the server makes it', () => {
    const field = { required: true, unique: true, index: true, array: false };
    const formOf = (type: string, letter: 'c' | 'u'): readonly string[] =>
      formPaths(
        {
          fields: { _id: { ...field, type }, title: { ...field, type: 'String' } },
          rights: { fields: { _id: 'cr', title: 'cru' } },
        } as unknown as OwnModel,
        letter,
      );
    for (const type of ['String', 'Number', 'UUID']) {
      expect(formOf(type, 'c')).toEqual(['_id', 'title']);
      expect(formOf(type, 'u')).toEqual(['title']);
    }
    expect(formOf('ObjectId', 'c')).toEqual(['title']);
  });

  test('a form has the fields of its kind', () => {
    const field = {
      type: 'String',
      input: 'text',
      required: false,
      unique: false,
      index: false,
      array: false,
    } as const;
    const fields = {
      name: field,
      url: { ...field, kinds: ['hook'] },
      at: { ...field, kinds: ['email', 'hook'] },
      km: { ...field, kinds: ['walk'] },
    };
    const model = { fields, kinds: { key: 'type', values: ['email', 'hook'] } };
    const paths = Object.keys(fields);
    expect(pathsOfKind(model, paths, 'hook')).toEqual(paths);
    expect(pathsOfKind(model, paths, 'email')).toEqual(['name', 'at', 'km']);
    expect(pathsOfKind(model, paths, undefined)).toEqual(['name', 'km']);
    expect(pathsOfKind({ fields }, paths, undefined)).toEqual(paths);
  });

  test.each([
    ['another field each', { tags: [] }, { pages: 2 }, { both: [], mine: ['pages'], theirs: ['tags'] }],
    ['one field', { title: 'Theirs' }, { title: 'Mine' }, { both: ['title'], mine: [], theirs: [] }],
    ['one field, to one value', { title: 'Same' }, { title: 'Same' }, { both: [], mine: [], theirs: ['title'] }],
    ['one field, which both empty', { title: undefined }, { title: null }, { both: [], mine: [], theirs: ['title'] }],
    ['a field, and one of them none', {}, { title: null }, { both: [], mine: ['title'], theirs: [] }],
  ] as const)('two users change %s', (_, theirs, mine, expected) => {
    const edits = new Map<string, unknown>(Object.entries(mine));
    expect(
      compared(['title', 'tags', 'pages'], (path) => valueAt(document, path), { ...document, ...theirs }, edits),
    ).toEqual(expected);
  });
});

test('only own properties are read', () => {
  expect(valueAt(document, 'address.city')).toBe('Oslo');
  expect(valueAt(document, '__proto__.toString')).toBeUndefined();
  expect(valueAt(document, 'title.length')).toBeUndefined();
  expect(titleOf({ _id: '1', title: '  ' }, undefined)).toBe('1');
  expect(titleOf({ _id: '1', name: '', email: 'ida@x.test' }, undefined)).toBe('ida@x.test');
});

test('CSV: quotes, and no formulas', () => {
  const rows = [{ a: 'x,"y"', b: { c: 1 } }, { a: '=1+1', b: -1 }, { a: null }];
  expect(csvOf(['a', 'b'], rows)).toBe('a,b\r\n"x,""y""","{""c"":1}"\r\n\'=1+1,-1\r\n,');
});

test('a local time converts back to its date', () => {
  const date = '2020-02-29T12:30:15.123Z';
  expect(dateOf(localOf(date))).toBe(date);
  expect([localOf('x'), localOf(undefined), dateOf('')]).toEqual(['', '', null]);
});
