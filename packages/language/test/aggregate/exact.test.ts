/** Exact results of expressions: types of numbers, missing values, error codes. */
import { describe, expect, test } from '@jest/globals';
import { deserialize, EJSON, serialize } from 'bson';
import { compileExpression } from '../../src/aggregate/index.ts';
import { StoreError } from '../../src/errors.ts';
import { decode } from '../../src/values/decode.ts';
import { encode } from '../../src/values/encode.ts';
import type { Doc, Value } from '../../src/values/types.ts';
import { context } from './context.ts';
import { exactCases1 } from './exact-cases-1.ts';
import { exactCases2 } from './exact-cases-2.ts';
import { exactSample } from './exact-sample.ts';

const docOf = (text: string): Doc => decode(serialize(EJSON.parse(text, { relaxed: false }) as Doc));

function show(value: Value): string {
  if (value === undefined) return 'missing';
  const plain = deserialize(encode({ v: value }), { promoteValues: false, bsonRegExp: true });
  return EJSON.stringify(plain, { relaxed: false }).slice('{"v":'.length, -1);
}

function outcome(expression: Value, doc: Doc): string | number {
  try {
    return show(compileExpression(expression, context)(doc));
  } catch (error) {
    if (error instanceof StoreError) return error.code;
    throw error;
  }
}

describe('exact results of expressions', () => {
  const doc = docOf(exactSample);
  test.each([...exactCases1, ...exactCases2])('%s', (expression, value) => {
    expect(outcome(docOf(`{"e":${expression}}`)['e'], doc)).toBe(value);
  });
});
