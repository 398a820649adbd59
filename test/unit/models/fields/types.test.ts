/** The table of the types of paths: every type of Mongoose has a row, and every row is complete. */
import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import addFormats from 'ajv-formats';
import mongoose, { Schema } from 'mongoose';
import { castByType } from '../../../../src/models/fields/cast.ts';
import { compileSchema } from '../../../../src/models/fields/compile-schema.ts';
import type { Field } from '../../../../src/models/fields/model-schema.ts';
import type { FieldType } from '../../../../src/models/fields/types/field-type.ts';
import { fieldTypes } from '../../../../src/models/fields/types/index.ts';
import { acceptLeaf } from '../../../../src/models/fields/types/read-value.ts';
import { storedType } from '../../../../src/models/fields/values/bson-types.ts';
import { typeText } from '../../../../src/typegen/type-text.ts';

const inner = new Schema({ a: String });
const { Types } = Schema;

/** A path of each type that Mongoose has. */
const schema = new Schema({
  Array: { type: [String] },
  DocumentArray: { type: [inner] },
  Subdocument: { type: inner },
  Map: { type: Map, of: String },
  Union: { type: Types.Union, of: [String, Number] },
  ...Object.fromEntries(
    Object.entries(Types)
      .filter(
        ([name]) => !['Array', 'DocumentArray', 'DocumentArrayElement', 'Subdocument', 'Map', 'Union'].includes(name),
      )
      .map(([name, type]) => [name, { type }]),
  ),
});
const { declared } = compileSchema(schema);
const fieldOf = (name: string): Field => declared.get(name) as Field;
const singles = fieldTypes.filter(({ shape }) => shape === 'value');

test.each(Object.keys(Types).filter((name) => name !== 'DocumentArrayElement'))("Mongoose's %s has a row", (name) =>
  expect(fieldOf(name).type).toBeDefined(),
);

test('no two rows have one name', () => {
  expect(new Set(fieldTypes.map(({ name }) => name)).size).toBe(fieldTypes.length);
});

describe.each(singles.map((row): [string, FieldType] => [row.name, row]))('%s', (name, row) => {
  const field = fieldOf(name);
  const ajv = new Ajv({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);

  test('its sample fits its JSON Schema, which is a type of TypeScript', () => {
    expect(ajv.compile(row.jsonSchema)(row.sample)).toBe(true);
    expect(typeText(row.jsonSchema, 'answer')).toMatch(/^(string|number|boolean)( \| string)?$/);
  });

  test('its sample is accepted, and stored in a type that filters find', () => {
    const accepted = acceptLeaf('path', row.sample, { kind: 'leaf', field, array: false });
    const document = new (mongoose.model(`Sample${name}`, new Schema({ at: schema.path(name).options }), undefined, {
      overwriteModels: true,
    }))({ at: accepted });
    expect(document.validateSync()).toBeUndefined();
    expect(row.stored).toContain(storedType(document.get('at', undefined, { getters: false })));
    expect(row.stored).toContain(storedType(castByType('path', row.sample, field)));
  });

  test('a fault states what is accepted, for bodies and for filters', () => {
    const value = { a: [1] };
    for (const read of [
      () => acceptLeaf('path', value, { kind: 'leaf', field, array: false }),
      () => castByType('path', value, field),
    ])
      expect(read).toThrow(expect.objectContaining({ reason: expect.stringMatching(/^path must be (?!of type)/) }));
  });

  test('an empty field of a form is null where an empty text is no value', () => {
    const read = (): unknown => acceptLeaf('path', '', { kind: 'leaf', field, array: false });
    if (row.isNullWhenEmpty === true) expect(read()).toBeNull();
    else expect(row.jsonSchema).toMatchObject({ type: 'string' });
  });
});
