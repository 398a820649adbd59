/** Documents that schemas accept and refuse, by MongoDB's manual ("$jsonSchema"). */
import { Decimal128, Double, ObjectId } from 'bson';
import type { Doc, Value } from '../src/values/types.ts';

/** A schema, and documents that it accepts and refuses. */
export interface SchemaCase {
  readonly schema: Doc;
  readonly accepts: readonly Doc[];
  readonly refuses: readonly Doc[];
}

/** Values of the property `a` that a schema accepts and refuses. */
const property = (schema: Doc, accepts: readonly Value[], refuses: readonly Value[]): SchemaCase => ({
  schema: { properties: { a: schema } },
  accepts: accepts.map((a) => ({ a })),
  refuses: refuses.map((a) => ({ a })),
});

const decimal = (text: string): Decimal128 => Decimal128.fromString(text);
const anyA = { bsonType: 'int' };

export const schemaCases: readonly SchemaCase[] = [
  { schema: {}, accepts: [{}, { a: 1 }], refuses: [] },
  { schema: { title: 'A thing', description: 'of a kind' }, accepts: [{}], refuses: [] },
  { schema: { bsonType: 'object' }, accepts: [{}], refuses: [] },
  { schema: { bsonType: 'array' }, accepts: [], refuses: [{}, { a: [] }] },
  { schema: { required: ['a', 'b'] }, accepts: [{ a: null, b: 1 }], refuses: [{ a: 1 }, {}] },
  { schema: { required: ['constructor', '__proto__'] }, accepts: [], refuses: [{}] },
  property({ bsonType: 'int' }, [1, undefined], [new Double(1), 1n, '1', null]),
  property({ bsonType: ['int', 'null'] }, [1, null], ['x']),
  property({ bsonType: 'number' }, [1, 1n, 1.5, decimal('1')], ['1']),
  property({ bsonType: 'objectId' }, [new ObjectId()], ['x']),
  property({ type: 'number' }, [1, 1n, 1.5], ['1', true]),
  property({ type: ['string', 'boolean'] }, ['x', true], [1, null]),
  property({ type: 'object' }, [{}], [[], 1]),
  property(
    { enum: [1, 'x', null, { p: 1, q: [2] }] },
    [1, new Double(1), 'x', null, { q: [2], p: 1 }],
    [2, 'X', { p: 1 }],
  ),
  property({ maximum: 5 }, [5, -1, 'x', decimal('5.0')], [6, 5.1, decimal('5.1')]),
  property({ maximum: 5, exclusiveMaximum: true }, [4.9], [5, 6]),
  property({ minimum: 5, exclusiveMinimum: false }, [5, 6], [4]),
  property({ minimum: 5, exclusiveMinimum: true }, [5.1], [5]),
  property({ multipleOf: 3 }, [9, 0, 'x', 9n], [10, NaN, Infinity]),
  property({ multipleOf: 0.1 }, [0.3, decimal('0.7')], [0.35]),
  property({ multipleOf: decimal('2.5') }, [5, 7.5], [6]),
  property({ maxLength: 2, minLength: 1 }, ['a', 'äö', '\u{1f600}x', 5], ['', 'abc']),
  property({ pattern: '^a' }, ['ab', 5], ['ba']),
  property({ maxItems: 2, minItems: 1 }, [[1], [1, 2], 'x'], [[], [1, 2, 3]]),
  property(
    { uniqueItems: true },
    [[1, '1'], 'x'],
    [
      [1, new Double(1)],
      [
        { p: 1, q: 2 },
        { q: 2, p: 1 },
      ],
    ],
  ),
  property({ uniqueItems: false }, [[1, 1]], []),
  property({ items: { bsonType: 'int' } }, [[1, 2], [], 'x'], [[1, 'x']]),
  property({ items: [{ bsonType: 'int' }, { bsonType: 'string' }] }, [[1, 'x'], [1], [1, 'x', true]], [['x', 1]]),
  property({ items: [{ bsonType: 'int' }], additionalItems: false }, [[1], []], [[1, 2]]),
  property({ items: [anyA], additionalItems: { bsonType: 'string' } }, [[1, 'x']], [[1, 2]]),
  property({ items: anyA, additionalItems: false }, [[1, 2]], []),
  property({ maxProperties: 1, minProperties: 1 }, [{ x: 1 }, 5], [{}, { x: 1, y: 1 }]),
  property({ properties: { b: { bsonType: 'int' } }, required: ['b'] }, [{ b: 1 }, 'x'], [{ b: 'x' }, {}]),
  property({ patternProperties: { '^n': { bsonType: 'int' } } }, [{ n1: 1, x: 'x' }], [{ n1: 'x' }]),
  property({ properties: { b: anyA }, additionalProperties: false }, [{ b: 1 }, {}], [{ b: 1, c: 1 }]),
  property(
    { properties: { b: {} }, patternProperties: { '^n': {} }, additionalProperties: { bsonType: 'string' } },
    [{ b: 1, n: 1, z: 'x' }],
    [{ z: 1 }],
  ),
  property({ additionalProperties: false }, [{}, 5], [{ constructor: 1 }]),
  property({ dependencies: { b: ['c', 'd'] } }, [{ b: 1, c: 1, d: 1 }, { c: 1 }], [{ b: 1, c: 1 }]),
  property({ dependencies: { b: { properties: { c: anyA } } } }, [{ b: 1, c: 1 }, { c: 'x' }], [{ b: 1, c: 'x' }]),
  property({ allOf: [{ minimum: 1 }, { maximum: 3 }] }, [2], [0, 4]),
  property({ anyOf: [{ bsonType: 'int' }, { bsonType: 'string' }] }, [2, 'x'], [true]),
  property({ oneOf: [{ minimum: 1 }, { maximum: 3 }] }, [0, 4], [2]),
  property({ not: { bsonType: 'int' } }, ['x'], [1]),
  property({ not: { required: ['b'] } }, [{}], [{ b: 1 }, 5]),
];

/** Schemas that cannot be read, with the code of the error. */
export const badSchemas: readonly (readonly [schema: Value, code: number])[] = [
  [1, 14],
  [{ properties: 1 }, 14],
  [{ properties: { a: 1 } }, 14],
  [{ noSuchKeyword: 1 }, 9],
  ...['$ref', '$schema', 'default', 'definitions', 'format', 'id'].map((name): readonly [Value, number] => [
    { [name]: 'x' },
    9,
  ]),
  [{ type: 'integer' }, 9],
  [{ type: 'int' }, 2],
  [{ bsonType: 'nosuch' }, 2],
  [{ type: 'object', bsonType: 'object' }, 9],
  [{ type: [] }, 9],
  [{ bsonType: ['int', 'int'] }, 9],
  [{ bsonType: 1 }, 14],
  [{ required: [] }, 9],
  [{ required: ['a', 'a'] }, 9],
  [{ required: [1] }, 14],
  [{ required: 'a' }, 14],
  [{ enum: [] }, 9],
  [{ enum: [1, new Double(1)] }, 9],
  [{ maximum: 'x' }, 14],
  [{ exclusiveMaximum: true }, 9],
  [{ maximum: 1, exclusiveMaximum: 1 }, 14],
  [{ multipleOf: 0 }, 9],
  [{ multipleOf: -1 }, 9],
  [{ multipleOf: NaN }, 9],
  [{ maxLength: -1 }, 9],
  [{ maxLength: 1.5 }, 9],
  [{ pattern: 1 }, 14],
  [{ pattern: '(' }, 51091],
  [{ items: 1 }, 14],
  [{ additionalItems: 1 }, 14],
  [{ uniqueItems: 1 }, 14],
  [{ additionalProperties: 1 }, 14],
  [{ dependencies: { a: 1 } }, 14],
  [{ dependencies: { a: [] } }, 9],
  [{ allOf: [] }, 2],
  [{ anyOf: {} }, 14],
  [{ not: [] }, 14],
  [{ title: 1 }, 14],
];
