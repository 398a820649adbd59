/** Records of comma-separated text, wherever the text is cut. */
import { expect, test } from '@jest/globals';
import { RecordCounter } from '../src/documents/export/record-counter.ts';

const counted = (pieces: readonly Uint8Array[]): { records: number; isWhole: boolean } => {
  const counter = new RecordCounter();
  for (const piece of pieces) counter.add(piece);
  return { records: counter.records, isWhole: counter.isWhole };
};

test.each([
  ['nothing', '', 0, false],
  ['a header', '_id,name\r\n', 1, true],
  ['records', '_id\r\n1\r\n2\r\n', 3, true],
  ['line breaks and quotes in cells', '_id,name\r\n1,"a\r\n""b"",\nc"\r\n2,""\r\n', 3, true],
  ['a record without its end', '_id\r\n1\r\n2', 2, false],
  ['a cell without its end', '_id,name\r\n1,"a\r\n', 1, false],
])('%s', (_, text, records, isWhole) => {
  const bytes = new TextEncoder().encode(text);
  for (let at = 0; at <= bytes.length; at++)
    expect(counted([bytes.subarray(0, at), bytes.subarray(at), new Uint8Array()])).toEqual({ records, isWhole });
});
