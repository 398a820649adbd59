/** The sections of a form: groups of the model file, and nested documents in them. */
import { expect, test } from '@jest/globals';
import type { Field } from '../src/api/models.ts';
import { partsBelow, sectionsOf } from '../src/document/sections.ts';

const plain: Field = { type: 'String', input: 'text', required: false, unique: false, index: false, array: false };
const fields = {
  title: plain,
  rank: { ...plain, group: 'Handling' },
  'address.city': plain,
  'address.geo.lat': plain,
  'address.note': { ...plain, group: 'Notes' },
  'owner.name': plain,
  last: plain,
};
const model = { fields, nested: { address: { group: 'Handling' }, owner: { label: 'Keeper' } } };

test('a path is in its own group, otherwise in that of the nested document around it', () => {
  expect(sectionsOf(model, Object.keys(fields))).toEqual([
    ['', ['title', 'owner.name', 'last']],
    ['Handling', ['rank', 'address.city', 'address.geo.lat']],
    ['Notes', ['address.note']],
  ]);
});

test('the parts of a level are in the order of the paths', () => {
  const paths = ['title', 'address.city', 'last', 'address.geo.lat', 'address.geo.lon', 'addressed'];
  expect(partsBelow(paths, '')).toEqual([
    ['title', ['title']],
    ['address', ['address.city', 'address.geo.lat', 'address.geo.lon']],
    ['last', ['last']],
    ['addressed', ['addressed']],
  ]);
  expect(partsBelow(['address.city', 'address.geo.lat', 'address.geo.lon'], 'address')).toEqual([
    ['address.city', ['address.city']],
    ['address.geo', ['address.geo.lat', 'address.geo.lon']],
  ]);
});
