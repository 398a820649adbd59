/** The table of the types of ids: one text for each id, and none for anything else. */
import { describe, expect, test } from '@jest/globals';
import { idFrom, idText, type IdType } from '../../../../src/models/fields/id-types.ts';
import { idTypes } from '../../../../src/models/fields/types/index.ts';
import { mongo } from '../../../../src/models/mongoose.ts';

const { Binary, Int32, Long, ObjectId, UUID } = mongo.BSON;
const typeOf = (name: string): IdType => idTypes.get(name) as IdType;
const uuid = '018f3a00-0000-7000-8000-0000000000ab';

/** By type: values and the texts under which their documents are found. */
const accepted: Readonly<Record<string, readonly (readonly [unknown, string])[]>> = {
  ObjectId: [
    ['A'.repeat(24), 'a'.repeat(24)],
    [new ObjectId('b'.repeat(24)), 'b'.repeat(24)],
  ],
  String: [
    ['a', 'a'],
    ['A', 'A'],
    ['a'.repeat(24), 'a'.repeat(24)],
    ['1', '1'],
    ['__proto__', '__proto__'],
    ['...', '...'],
    ['é'.repeat(512), 'é'.repeat(512)],
    ['😀', '😀'],
  ],
  Number: [
    ['0', '0'],
    ['-0', '0'],
    [-0, '0'],
    ['-12', '-12'],
    [12, '12'],
    [12n, '12'],
    [Long.fromNumber(12), '12'],
    [new Int32(12), '12'],
    ['9007199254740991', '9007199254740991'],
  ],
  UUID: [
    [uuid, uuid],
    [uuid.toUpperCase(), uuid],
    [new UUID(uuid), uuid],
    [new Binary(new UUID(uuid).buffer, 4), uuid],
  ],
};

const refused: Readonly<Record<string, readonly unknown[]>> = {
  ObjectId: ['', 'a'.repeat(23), 'a'.repeat(25), `${'a'.repeat(23)}g`, ` ${'a'.repeat(23)}`, 1, new UUID(uuid)],
  String: ['', '.', '..', 'a\0', '\ud800', 'é'.repeat(513), 1, new ObjectId(), {}, ['a'], null, undefined],
  Number: [
    '',
    ' 1',
    '1 ',
    '01',
    '1e3',
    '0x10',
    '+1',
    '1.0',
    '1.5',
    1.5,
    NaN,
    Infinity,
    '9007199254740992',
    2 ** 53,
    '--1',
    true,
    {},
  ],
  UUID: [
    uuid.replaceAll('-', ''),
    `{${uuid}}`,
    `${uuid}0`,
    uuid.slice(1),
    1,
    new Binary(new UUID(uuid).buffer, 3),
    new ObjectId(),
  ],
};

describe.each([...idTypes.keys()])('%s', (name) => {
  test.each(accepted[name] ?? [])('%p is an id', (value, text) => {
    expect(idText(typeOf(name), value)).toBe(text);
    expect(idText(typeOf(name), typeOf(name).parse(text))).toBe(text);
  });
  test.each((refused[name] ?? []).map((value) => [value]))('%p is none', (value) => {
    expect(idFrom(typeOf(name), value)).toBeUndefined();
  });
});
