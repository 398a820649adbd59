/** An answer contains shaped or encoded values and the server's own texts: the compiler refuses anything else (`npm run check`). */
import { describe, expect, test } from '@jest/globals';
import { bytes, creationAnswer, data, json, success } from '../../src/operations/answer.ts';
import { shapeValue } from '../../src/policy/shape.ts';

const row: Readonly<Record<string, unknown>> = { _id: 1, password: 'x' };
const rows = [row];
const anything: unknown = row;
class Document {
  readonly password = 'x';
  toJSON(): unknown {
    return { password: this.password };
  }
}

describe('the compiler refuses', () => {
  test('stored rows, values of unknown types, objects with methods, and bytes of other code', () => {
    const refused = (): unknown[] => [
      // @ts-expect-error a row
      json(row),
      // @ts-expect-error a row inside an answer
      json({ status: 'ok', data: row }),
      // @ts-expect-error rows
      json({ rows }),
      // @ts-expect-error a row
      data(row),
      // @ts-expect-error rows
      data(rows),
      // @ts-expect-error anything
      data(anything),
      // @ts-expect-error an object
      data(row as object),
      // @ts-expect-error a document of a class
      data(new Document()),
      // @ts-expect-error a row
      success('done', { data: row }),
      // @ts-expect-error a row
      creationAnswer('/api/x/1', 'created', row),
      // @ts-expect-error bytes that the encoder did not write
      bytes({ body: Buffer.from(JSON.stringify(row)), headers: {} }),
    ];
    expect(refused().length).toBe(11);
  });
});

test('shaped values and the server\u2019s own texts are accepted', () => {
  expect(json({ count: 3, at: new Date(0), names: ['a'], none: undefined }).kind).toBe('json');
  expect(data(shapeValue(row))).toEqual({ kind: 'json', status: 200, value: { data: { _id: 1 } } });
  expect(success('done', { data: shapeValue(rows) })).toMatchObject({
    value: { status: 'ok', message: 'done', data: [{ _id: 1 }] },
  });
});
