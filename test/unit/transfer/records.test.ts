/** Splitting files into records: lines, documents over several lines, lists; a broken record affects no other one. */
import { describe, expect, test } from '@jest/globals';
import { csvRecordsOf } from '../../../src/transfer/csv.ts';
import { parseDocument } from '../../../src/transfer/extended-json.ts';
import { type FileRecord, type RecordForm, recordsOf } from '../../../src/transfer/records.ts';

/** The bytes of a text in pieces of a size, so that records extend over several pieces. */
async function* piecesOf(text: string | Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text as string);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function all<T>(records: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const record of records) found.push(record);
  return found;
}

/** The records, which do not depend on where the pieces of the file end. */
async function split(text: string | Uint8Array, form: RecordForm = 'lines', max?: number): Promise<FileRecord[]> {
  const results = await Promise.all([1, 2, 7, 1 << 16].map((size) => all(recordsOf(piecesOf(text, size), form, max))));
  for (const other of results) expect(other).toEqual(results[0]);
  return results[0] ?? [];
}

describe('lines', () => {
  test('are records with their numbers; empty lines, Windows line ends and a byte order mark are skipped', async () => {
    expect(await split('\ufeff{"a":1}\r\n\r\n{"a":"}\\"{"}\n  \n{"a":[{}]}')).toEqual([
      { line: 1, content: '{"a":1}' },
      { line: 3, content: '{"a":"}\\"{"}' },
      { line: 5, content: '{"a":[{}]}' },
    ]);
  });

  test('that are broken end before the next document', async () => {
    expect(await split('{"a":{"b":1}\n{"a":2}\nrubbish\n{"a":"open\n{"a":3}\n}}\n{"a":4}\n[{"a":5}]\n{')).toEqual([
      { line: 1, content: '{"a":{"b":1}' },
      { line: 2, content: '{"a":2}' },
      { line: 3, content: 'rubbish' },
      { line: 4, content: '{"a":"open' },
      { line: 5, content: '{"a":3}' },
      { line: 6, content: '}}' },
      { line: 7, content: '{"a":4}' },
      { line: 8, content: '[{"a":5}]' },
      { line: 9, content: '{' },
    ]);
  });

  test('join to documents that are written over several lines', async () => {
    const pretty = '{\n\t"a": {\n\t\t"b": 1\n\t}\n}\n{\n\t"a": 2\n}\n';
    expect((await split(pretty, 'detect')).map(({ line }) => line)).toEqual([1, 6]);
  });

  test('have a maximum length and depth, and must be UTF-8', async () => {
    const deep = `${'{"a":'.repeat(221)}1${'}'.repeat(221)}`;
    const text = `{"a":"${'x'.repeat(3000)}"}\n${deep}\n`;
    const bytes = Buffer.concat([Buffer.from(text), Buffer.from([0x22, 0xff, 0x22]), Buffer.from('\n{"a":1}')]);
    expect(await split(bytes, 'lines', 2000)).toEqual([
      { line: 1, fault: 'is longer than 2000 bytes' },
      { line: 2, fault: 'has more than 220 levels' },
      { line: 3, fault: 'is not UTF-8' },
      { line: 4, content: '{"a":1}' },
    ]);
  });
});

describe('a list', () => {
  test('has its members as records', async () => {
    expect(await split(' [\n {"a": [1, 2]},\n {"a": ","}, {"b": "]"}\n]\n', 'detect')).toEqual([
      { line: 2, content: '{"a": [1, 2]}' },
      { line: 3, content: '{"a": ","}' },
      { line: 3, content: '{"b": "]"}' },
    ]);
    expect(await split('[]', 'detect')).toEqual([]);
  });

  test('that is not closed is reported, and text after a list is a record', async () => {
    expect(await split('[{"a":1},\n{"a":', 'detect')).toEqual([
      { line: 1, content: '{"a":1}' },
      { line: 2, content: '{"a":' },
      { line: 2, fault: 'the list is not closed: the file ends too early' },
    ]);
    expect(await split('[{"a":1}]\nmore', 'detect')).toEqual([
      { line: 1, content: '{"a":1}' },
      { line: 2, content: 'more' },
    ]);
  });
});

describe('Extended JSON', () => {
  test('takes the last value of a name that occurs twice', () => {
    expect(Object.entries(parseDocument('{"a":"x","a":"y"}'))).toEqual([['a', 'y']]);
  });

  test('keeps types, canonical and relaxed', () => {
    const read = parseDocument(
      '{"i":{"$numberInt":"1"},"d":{"$numberDouble":"1.0"},"n":5,"t":{"$date":"2020-01-01T00:00:00Z"}}',
    );
    expect(Object.values(read).map((value) => (value as object).constructor.name)).toEqual([
      ...['Int32', 'Double', 'Int32', 'Date'],
    ]);
  });

  test.each([
    ['[1]', 'is not an object'],
    ['{"$oid":"5f0000000000000000000000"}', 'is not an object'],
    ['1', 'is not an object'],
    ['{"a":', 'is not Extended JSON: line 1, column 6: expected a value, got the end'],
    ['{"a":{"$oid":"zz"}}', 'is not Extended JSON: '],
  ])('refuses %s', (text, reason) => {
    expect(() => parseDocument(text)).toThrow(reason);
  });
});

describe('CSV', () => {
  const csv = (text: string | Uint8Array): Promise<unknown[]> => all(csvRecordsOf(piecesOf(text, 5)));

  test('has cells by columns, without empty ones and without the quote that escapes formulas', async () => {
    expect(await csv('\ufefftitle,address.city\r\n"A ""b"",\nc",Rome\r\n\r\n\'=1+1,\r\n\'quoted\',x')).toEqual([
      { line: 2, content: { title: 'A "b",\nc', 'address.city': 'Rome' } },
      { line: 5, content: { title: '=1+1' } },
      { line: 6, content: { title: "'quoted'", 'address.city': 'x' } },
    ]);
  });

  test('may name its delimiter in the first line, and has rows of empty cells, which are skipped', async () => {
    const expected = [
      { line: 3, content: { a: '1', b: '2' } },
      { line: 6, content: { b: ',' } },
    ];
    for (const mark of ['', '\ufeff'])
      expect(await csv(`${mark}sep=;\r\na;b\r\n1;2\r\n;\r\n;;;\r\n;,\r\n"";\r\n`)).toEqual(expected);
    for (const empty of [',', ' , ', '"",""', '"", ', '" ","\t"', '"\n",', ',,', '""', '"","",""'])
      expect([empty, await csv(`a,b\n${empty}\n1,2\n${empty}`)]).toEqual([
        empty,
        [{ line: empty.includes('\n') ? 4 : 3, content: { a: '1', b: '2' } }],
      ]);
    // other characters that are invisible are text
    expect(await csv('a,b\n"","0"\n\u00a0,\n')).toEqual([
      { line: 2, content: { b: '0' } },
      { line: 3, content: { a: '\u00a0' } },
    ]);
    await expect(csv('sep=')).resolves.toEqual([]);
  });

  test('refuses a broken record and continues', async () => {
    const found = await csv('a,b\n1,2\n"bro"ken,2\n3\n4,5,6\n7,8\n"open,9\n10,11');
    expect((found as FileRecord[]).sort((one, other) => one.line - other.line)).toEqual([
      { line: 2, content: { a: '1', b: '2' } },
      { line: 3, fault: 'has a misplaced quote' },
      { line: 4, fault: 'has a different number of cells (1) than the header (2)' },
      { line: 5, fault: 'has a different number of cells (3) than the header (2)' },
      { line: 6, content: { a: '7', b: '8' } },
      { line: 8, fault: 'has a quote that is not closed' },
    ]);
  });

  test('may have any characters, and a record that is not UTF-8 does not affect the others', async () => {
    const broken = Buffer.concat([
      Buffer.from('name,\u00fcber\n"\ud83d\ude00 \u00e0",\ufeffb\n'),
      Buffer.from([0x61, 0xff]),
      Buffer.from(',2\n\ufffd,3'),
    ]);
    expect(await csv(broken)).toEqual([
      { line: 2, content: { name: '\ud83d\ude00 \u00e0', '\u00fcber': '\ufeffb' } },
      { line: 3, fault: 'is not UTF-8' },
      { line: 4, content: { name: '\ufffd', '\u00fcber': '3' } },
    ]);
    await expect(csv(Buffer.from([0x61, 0xff, 0x0a]))).rejects.toThrow('has a header that is not UTF-8');
  });

  test.each([
    ['', 'has no header'],
    ['a,,b\n', 'without a name for column 2'],
    ['a,a\n', 'two columns named "a"'],
    ['__proto__,a\n', '__proto__'],
    ['$where,a\n', '$where'],
    ['"a"b,c\n', 'misplaced quote'],
  ])('refuses the header %j', async (text, reason) => {
    const error: unknown = await csv(text).catch((thrown: unknown) => thrown);
    expect(JSON.stringify(error, ['message', 'reason']) + String(error)).toContain(reason);
  });
});
