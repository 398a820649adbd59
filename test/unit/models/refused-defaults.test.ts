/** Which defaults the limits of their own field refuse. */
import { expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { refusedDefaults } from '../../../src/models/loading/tolerated.ts';

const refusedOf = (definition: object): readonly string[] => refusedDefaults(new Schema(definition));

const size = { type: String, enum: ['S', 'M'] };
const sized = (value: unknown) => ({ ...size, default: value });
const throwing = (): never => {
  throw new Error('a function of a model file has run');
};

test.each<readonly [string, object, string]>([
  ['enum of texts', { size: sized('XL') }, 'size has the default "XL", which its enum ("S", "M") refuses'],
  [
    'enum of numbers',
    { n: { type: Number, enum: [1, 2], default: 3 } },
    'n has the default 3, which its enum (1, 2) refuses',
  ],
  ['min', { n: { type: Number, min: 1, default: 0 } }, 'n has the default 0, which its min (1) refuses'],
  [
    'max with a message',
    { n: { type: Number, max: [9, 'much'], default: 10 } },
    'n has the default 10, which its max (9) refuses',
  ],
  [
    'minlength',
    { a: { type: String, minLength: 3, default: 'ab' } },
    'a has the default "ab", which its minlength (3) refuses',
  ],
  [
    'maxlength',
    { a: { type: String, maxlength: 1, default: 'ab' } },
    'a has the default "ab", which its maxlength (1) refuses',
  ],
  [
    'match',
    { a: { type: String, match: /^a/, default: 'b' } },
    'a has the default "b", which its match (/^a/) refuses',
  ],
  ['type', { n: { type: Number, default: 'many' } }, 'n has the default "many", which its type (Number) refuses'],
  [
    'a nested field',
    { part: { size: sized('XL') } },
    'part.size has the default "XL", which its enum ("S", "M") refuses',
  ],
  [
    'a list',
    { sizes: { type: [String], enum: ['S'], default: ['S', 'L'] } },
    'sizes has the default "L", which its enum ("S") refuses',
  ],
  [
    'a list of lists',
    { n: { type: [[{ type: Number, max: 1 }]], default: [[0, 2]] } },
    'n has the default 2, which its max (1) refuses',
  ],
  [
    'a map',
    { n: { type: Map, of: { type: Number, max: 1 }, default: { a: 2 } } },
    'n.$* has the default 2, which its max (1) refuses',
  ],
  [
    'a field of a nested schema',
    { part: new Schema({ size: sized('XL') }) },
    'part.size has the default "XL", which its enum ("S", "M") refuses',
  ],
  [
    'a value of nested documents',
    { parts: { type: [new Schema({ size })], default: [{ size: 'XL' }] } },
    'parts.size has the default "XL", which its enum ("S", "M") refuses',
  ],
])('%s', (_name, definition, expected) => {
  expect(refusedOf(definition)).toEqual([expected]);
});

test.each<readonly [string, object]>([
  [
    'values that are allowed',
    { size: sized('S'), n: { type: Number, min: 0, default: 0 }, list: { type: [size], default: ['M'] } },
  ],
  ['no value', { size: sized(null), other: sized(undefined), list: [size], part: new Schema({ size }) }],
  ['a text that a setter makes one', { a: { type: String, enum: ['a'], lowercase: true, trim: true, default: ' A' } }],
  [
    'functions, which do not run',
    {
      size: sized(throwing),
      at: { type: Date, min: throwing, default: new Date(0) },
      a: { ...sized('XL'), set: throwing },
      b: { type: String, validate: throwing, default: 'x' },
      list: { type: [size], default: throwing },
    },
  ],
  ['an empty required text', { a: { type: String, required: true, match: /^a/, default: '' } }],
])('accepts %s', (_name, definition) => {
  expect(refusedOf(definition)).toEqual([]);
});
