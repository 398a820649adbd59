/** Documents on disk are kept as BSON, and the values of a bounded number of them. */
import { expect, test } from '@jest/globals';
import { encode, fieldsDecoder } from 'dossier-language/values';
import { DecodedForms } from '../../../src/engine/pages/decoded.ts';
import { StoredDocument } from '../../../src/engine/stored-document.ts';

const bytes = encode({ _id: 1, a: 2, b: ['x'] });
const whole = { _id: 1, a: 2, b: ['x'] };

/** Decoded forms with room for two documents. */
const forms = (): DecodedForms => new DecodedForms(2 * (bytes.length * 3 + 500));
const stored = (kept?: DecodedForms): StoredDocument =>
  new StoredDocument({ sequence: 1, version: 1, size: bytes.length }, { bytes }, kept);

test('the values that were decoded last stay in memory', () => {
  const kept = forms();
  const documents = [stored(kept), stored(kept), stored(kept)];
  const values = documents.map(({ doc }) => doc);
  expect(values).toEqual([whole, whole, whole]);
  // backwards, since a document that comes back takes the place of another
  const isKept = [2, 1, 0].map((at) => documents[at]?.doc === values[at]);
  expect(isKept).toEqual([true, true, false]);
});

test('decoding a document again does not count it twice', () => {
  const kept = forms();
  const [first, second] = [stored(kept), stored(kept)];
  const before = first.doc;
  for (let time = 0; time < 5; time += 1) kept.add(first);
  expect(second.doc).toEqual(whole);
  expect(first.doc).toBe(before);
});

test('a document that is larger than the limit keeps its values until the next one', () => {
  const kept = new DecodedForms(1);
  const [first, second] = [stored(kept), stored(kept)];
  const { doc } = first;
  expect(first.doc).toBe(doc);
  expect(second.doc).toEqual(whole);
  expect(first.doc).not.toBe(doc);
});

test('a document of which fields are read often is decoded whole', () => {
  const document = stored(forms());
  const decodeFields = fieldsDecoder(new Set(['a']));
  const found = Array.from({ length: 20 }, () => document.fields(decodeFields));
  expect(found[0]).toEqual({ a: 2 });
  expect(found.at(-1)).toEqual(whole);
  expect(found.at(-1)).toBe(document.doc);
});

test('a document in memory only keeps its values, and one that is written has them decoded when they are needed', () => {
  const made = new StoredDocument({ sequence: 1, version: 1, size: bytes.length }, { doc: whole });
  made.forget();
  expect(made.doc).toBe(whole);
  expect(made.bytes).toEqual(bytes);
  made.written(forms());
  expect(made.doc).not.toBe(whole);
  expect(made.doc).toEqual(whole);
});

test('a pinned document keeps its values, whatever else is decoded', () => {
  const kept = new DecodedForms(1);
  const pinned = stored(kept).pinned();
  const { doc } = pinned;
  for (let time = 0; time < 5; time += 1) expect(stored(kept).doc).toEqual(whole);
  expect(pinned.doc).toBe(doc);
});
