import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
  UUID,
} from 'bson';
import { decode, FieldsDecoder } from '../src/values/decode.ts';
import { encode } from '../src/values/encode.ts';
import { kindOf } from '../src/values/kind.ts';

/** A value as a client sends it, and its kind in memory. */
const rows: readonly (readonly [name: string, sent: unknown, kind: string])[] = [
  ['an int', 5, 'int'],
  ['the smallest int', -2147483648, 'int'],
  ['a number beyond ints', 2147483648, 'double'],
  ['a fraction', 1.5, 'double'],
  ['a double without fraction', new Double(3), 'double'],
  ['a double without fraction beyond ints', new Double(1e10), 'double'],
  ['minus zero', -0, 'double'],
  ['zero as a double', new Double(0), 'double'],
  ['NaN', NaN, 'double'],
  ['infinity', -Infinity, 'double'],
  ['a long that would fit an int', Long.fromNumber(7), 'long'],
  ['the largest long', Long.MAX_VALUE, 'long'],
  ['the smallest long', Long.MIN_VALUE, 'long'],
  ['an int by class', new Int32(7), 'int'],
  ['a decimal', Decimal128.fromString('1.10'), 'decimal'],
  ['a decimal NaN', Decimal128.fromString('NaN'), 'decimal'],
  ['a string', 'hello', 'string'],
  ['an empty string', '', 'string'],
  ['a long string', 'x'.repeat(2000), 'string'],
  ['letters beyond ASCII', 'Zürich – 😀', 'string'],
  ['a long text beyond ASCII', 'ß€😀'.repeat(300), 'string'],
  ['a string with a zero', 'a\0b', 'string'],
  ['a replacement character', 'a\uFFFDb', 'string'],
  ['true', true, 'bool'],
  ['null', null, 'null'],
  ['an old date', new Date(-62135596800000), 'date'],
  ['a date', new Date(1700000000123), 'date'],
  ['an ObjectId', new ObjectId('65a1b2c3d4e5f60718293a4b'), 'objectId'],
  ['bytes', new Binary(Buffer.from([1, 2, 255])), 'binData'],
  ['old bytes', new Binary(Buffer.from([1, 2, 255]), 2), 'binData'],
  ['a UUID', new UUID('00112233-4455-6677-8899-aabbccddeeff'), 'binData'],
  ['a regular expression', new BSONRegExp('^a', 'imsx'), 'regex'],
  ['a JavaScript regular expression', /a+/i, 'regex'],
  ['code', new Code('return 1'), 'javascript'],
  ['code with a scope', new Code('return a', { a: 1 }), 'javascriptWithScope'],
  ['a symbol', new BSONSymbol('s'), 'symbol'],
  ['a timestamp', new Timestamp({ t: 4_000_000_000, i: 7 }), 'timestamp'],
  ['MinKey', new MinKey(), 'minKey'],
  ['MaxKey', new MaxKey(), 'maxKey'],
  ['a document', { a: { b: { c: [] } } }, 'object'],
  ['an array', [1, [2, [3, { a: 1 }]]], 'array'],
  ['a reference by convention', new DBRef('users', new ObjectId('65a1b2c3d4e5f60718293a4b')), 'object'],
];

describe('decoding and encoding preserve the bytes', () => {
  test.each(rows)('%s', (_name, sent, kind) => {
    const bytes = serialize({ v: sent });
    const doc = decode(bytes);
    expect(kindOf(doc['v']).name).toBe(kind);
    expect(Buffer.from(encode(doc)).toString('hex')).toBe(Buffer.from(bytes).toString('hex'));
  });

  test('__proto__ is an ordinary field', () => {
    const sent: Record<string, unknown> = {};
    Object.defineProperty(sent, '__proto__', { value: { admin: true }, enumerable: true });
    const bytes = serialize(sent);
    const doc = decode(bytes);
    expect(Object.keys(doc)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(doc)).toBe(Object.prototype);
    expect(Buffer.from(encode(doc)).equals(Buffer.from(bytes))).toBe(true);
  });

  test('a DBPointer keeps its type', () => {
    const pointer = Buffer.concat([Buffer.from('0c7600020000006100', 'hex'), Buffer.alloc(12, 1), Buffer.from([0])]);
    const whole = Buffer.concat([Buffer.from([pointer.length + 4, 0, 0, 0]), pointer]);
    expect(kindOf(decode(whole)['v']).name).toBe('dbPointer');
    expect(Buffer.from(encode(decode(whole))).equals(whole)).toBe(true);
  });

  test.each(rows)('%s is skipped or decoded as one field of several', (_name, sent) => {
    const bytes = serialize({ before: sent, v: 1, after: sent, va: 2 });
    const whole = decode(bytes);
    expect(new FieldsDecoder(new Set(['v'])).decode(bytes).doc).toEqual({ v: 1 });
    expect(new FieldsDecoder(new Set(['after', 'missing', 'before'])).decode(bytes).doc).toEqual({
      before: whole['before'],
      after: whole['after'],
    });
    expect(new FieldsDecoder(new Set<string>()).decode(bytes).doc).toEqual({});
  });

  test.each(['__proto__', 'ä', '😀', '\uFFFD', ''])('the field %j is decoded alone', (name) => {
    const sent: Record<string, unknown> = { first: 'x'.repeat(50), last: [1] };
    Object.defineProperty(sent, name, { value: 5, enumerable: true });
    const doc = new FieldsDecoder(new Set([name])).decode(serialize(sent)).doc;
    expect(Object.entries(doc)).toEqual([[name, 5]]);
    expect(Object.getPrototypeOf(doc)).toBe(Object.prototype);
  });

  test('a DBPointer is skipped', () => {
    const pointer = Buffer.concat([Buffer.from('0c7600020000006100', 'hex'), Buffer.alloc(12, 1)]);
    const after = Buffer.from('106e000500000000', 'hex');
    const bytes = Buffer.concat([Buffer.from([pointer.length + after.length + 4, 0, 0, 0]), pointer, after]);
    expect(new FieldsDecoder(new Set(['n'])).decode(bytes).doc).toEqual({ n: 5 });
  });

  test('a lone surrogate does not select the field of a replacement character', () => {
    expect(new FieldsDecoder(new Set(['\uD800'])).decode(serialize({ '\uFFFD': 1 })).doc).toEqual({});
  });

  test('an undefined field is omitted; an undefined member is null', () => {
    expect(decode(encode({ a: undefined, b: [undefined, 1] }))).toEqual({ b: [null, 1] });
  });
});

const good = Buffer.from(serialize({ name: 'x', n: 1 }));
const changed = (at: number, byte: number): Buffer => {
  const copy = Buffer.from(good);
  copy[at] = byte;
  return copy;
};

describe('bytes that are not a document', () => {
  test.each<readonly [string, Uint8Array, number]>([
    ['nothing', Buffer.alloc(0), 22],
    ['a length only', Buffer.from([5, 0, 0, 0]), 22],
    ['a length that is too large', changed(0, 200), 22],
    ['a length that is too small', changed(0, 10), 22],
    ['bytes after the end', Buffer.concat([good, Buffer.from([0])]), 22],
    ['cut short', good.subarray(0, good.length - 2), 22],
    ['an unknown type', changed(4, 0x20), 22],
    ['a string with a length of 0', changed(10, 0), 22],
    ['a string that is too long', changed(10, 100), 22],
    ['a string that is not UTF-8', changed(14, 0xff), 22],
    ['a negative length of bytes', Buffer.from('1000000005760000000080000000000000', 'hex').subarray(0, 16), 22],
  ])('%s is refused', (_name, bytes, code) => {
    expect(() => decode(bytes)).toThrow(expect.objectContaining({ code }));
    expect(() => new FieldsDecoder(new Set(['name', 'n', 'v', ''])).decode(bytes).doc).toThrow(
      expect.objectContaining({ code }),
    );
  });

  test('nesting is limited when decoding and encoding', () => {
    let deep: Record<string, unknown> = { end: 1 };
    for (let level = 0; level < 250; level += 1) deep = { a: deep };
    const bytes = serialize(deep);
    expect(() => decode(bytes)).toThrow(expect.objectContaining({ code: 15 }));
    expect(() => encode(deep as never)).toThrow(expect.objectContaining({ code: 15 }));
  });
});
