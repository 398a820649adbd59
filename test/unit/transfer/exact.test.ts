/** Documents that a copy writes as the bytes that it has read. */
import { expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { exactDocument, idOf } from '../../../src/transfer/copy/documents.ts';

const { BSON } = mongoose.mongo;

const bytesOf = (...fields: [string, unknown][]): Uint8Array => BSON.serialize(new Map(fields));

test.each([
  ['fields in the order of JavaScript', bytesOf(['_id', 1], ['b', 2])],
  ['names that are whole numbers behind others', bytesOf(['_id', 1], ['b', 2], ['10', 3], ['2', 4])],
])('a document with %s has the same bytes, and its id', (_, bytes) => {
  const document = exactDocument(bytes);
  expect(Buffer.from(BSON.serialize(document))).toEqual(Buffer.from(bytes));
  expect(idOf(document)).toEqual(new BSON.Int32(1));
});
