/** All placeholders in the messages of validators are filled. */
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { fillPlaceholders, messageText, replacePlaceholders } from '../../../src/models/author/message-placeholders.ts';
import { limitsOf } from '../../../src/models/fields/path-limits.ts';

const properties = { path: 'n', value: "$' $& {PATH}", min: 3, max: () => 9, validator: () => 'called', message: 'm' };

test.each<[text: string, message: string]>([
  ['no placeholder, {path}, { PATH }, {}', 'no placeholder, {path}, { PATH }, {}'],
  ['{PATH}', 'n'],
  ['{PATH} and {PATH}, {MIN} to {MAX}, {MIN}', 'n and n, 3 to 9, 3'],
  ['{VALUE} {VALUE}', "$' $& {PATH} $' $& {PATH}"],
  ['{PATH}{PATH}{VALUE}', "nn$' $& {PATH}"],
  ['{OTHER} {VALIDATOR} {MESSAGE} {CONSTRUCTOR}', '{OTHER} {VALIDATOR} {MESSAGE} {CONSTRUCTOR}'],
])('%s', (text, message) => {
  expect(replacePlaceholders(text, properties)).toBe(message);
});

const twice = '{PATH}: {VALUE} is not {PATH}';
const refuse = { validator: () => false, message: twice };

test('validators of every kind and place have them, and descriptions the text', () => {
  const schema = new mongoose.Schema({
    own: { type: String, validate: refuse },
    needed: { type: String, required: [true, twice] },
    of: { type: String, enum: { values: ['a'], message: twice } },
    form: { type: String, match: [/a/, twice] },
    least: { type: Number, min: [3, '{PATH}, {PATH}: {MIN}, {MIN}'] },
    list: [{ type: String, validate: refuse }],
    map: { type: Map, of: { type: String, validate: refuse } },
    part: new mongoose.Schema({ own: { type: String, validate: refuse } }, { _id: false }),
    parts: [new mongoose.Schema({ own: { type: String, validate: refuse } }, { _id: false })],
    computed: {
      type: String,
      validate: { validator: () => false, message: ({ path }: { path: string }) => `${path}!` },
    },
  });
  fillPlaceholders(schema);
  fillPlaceholders(schema);
  const Made = mongoose.model('WithPlaceholders', schema);
  try {
    const values = { own: 'x', of: 'x', form: 'x', least: 1, list: ['x'], map: { k: 'x' }, computed: 'x' };
    const parts = { part: { own: 'x' }, parts: [{ own: 'x' }] };
    const { errors = {} } = new Made({ ...values, ...parts }).validateSync() ?? {};
    const messages = Object.fromEntries(Object.entries(errors).map(([path, { message }]) => [path, message]));
    expect(messages).toMatchObject({
      own: 'own: x is not own',
      needed: 'needed: undefined is not needed',
      of: 'of: x is not of',
      form: 'form: x is not form',
      least: 'least, least: 3, 3',
      'list.0': 'list.0: x is not list.0',
      'map.k': 'map.k: x is not map.k',
      'part.own': 'own: x is not own',
      'parts.0.own': 'own: x is not own',
      computed: 'computed!',
    });
    expect(limitsOf(schema.path('form')).match?.message).toBe(twice);
    expect([messageText('a'), messageText(() => 'a'), messageText(undefined)]).toEqual(['a', undefined, undefined]);
  } finally {
    mongoose.deleteModel('WithPlaceholders');
  }
});
