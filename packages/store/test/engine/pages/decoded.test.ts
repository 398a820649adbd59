/** Documents on disk are kept as BSON, and the decoded values of a limited number of them. */
import { describe, expect, test } from '@jest/globals';
import { encode, FieldsDecoder } from 'dossier-language/values';
import { DecodedForms, memoryOf } from '../../../src/engine/pages/decoded.ts';
import { StoredDocument } from '../../../src/engine/stored-document.ts';

const bytes = encode({ _id: 1, a: 2, b: ['x'] });
const whole = { _id: 1, a: 2, b: ['x'] };

/** Decoded forms with room for two documents. */
const forms = (): DecodedForms => new DecodedForms(2 * memoryOf(0, bytes.length));
const stored = (kept?: DecodedForms): StoredDocument =>
  new StoredDocument({ sequence: 1, version: 1, size: bytes.length }, { bytes }, kept);

test('the values that were decoded last stay in memory', () => {
  const kept = forms();
  const documents = [stored(kept), stored(kept), stored(kept)];
  const values = documents.map(({ doc }) => doc);
  expect(values).toEqual([whole, whole, whole]);
  // backwards, because a document that is decoded again replaces another
  const isKept = [2, 1, 0].map((at) => documents[at]?.doc === values[at]);
  expect(isKept).toEqual([true, true, false]);
});

test('decoding a document again does not count it twice', () => {
  const kept = forms();
  const [first, second] = [stored(kept), stored(kept)];
  const before = first.doc;
  for (let time = 0; time < 5; time += 1) kept.add(first, memoryOf(0, bytes.length));
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

describe('fields of a document', () => {
  const decoderOf = (...names: readonly string[]): FieldsDecoder => new FieldsDecoder(new Set(names));

  /** Reads fields often enough for them to be kept. */
  const often = (document: StoredDocument, decoder: FieldsDecoder): unknown[] =>
    Array.from({ length: 6 }, () => document.fields(decoder));

  test('are kept if they are read often, together with those that are read later', () => {
    const document = stored(forms());
    const a = decoderOf('a');
    const reads = often(document, a);
    expect(reads).toEqual(reads.map(() => ({ a: 2 })));
    expect(new Set(reads).size).toBe(5);
    expect(document.fields(decoderOf('a', 'none'))).toEqual({ a: 2 });
    const both = document.fields(decoderOf('b'));
    expect(both).toEqual({ a: 2, b: ['x'] });
    for (const decoder of [a, decoderOf('b'), decoderOf('none', 'b'), decoderOf()])
      expect(document.fields(decoder)).toBe(both);
  });

  test('are replaced by the whole document if it is read, or if too many different fields are', () => {
    const [document, other] = [stored(forms()), stored(forms())];
    expect(often(document, decoderOf('a')).at(-1)).toEqual({ a: 2 });
    expect(document.doc).toEqual(whole);
    expect(document.fields(decoderOf('a'))).toBe(document.doc);
    for (let at = 0; at < 40; at += 1) other.fields(decoderOf(`name ${at}`));
    expect(other.fields(decoderOf('a'))).toEqual(whole);
  });

  test('are decoded again after they were dropped', () => {
    const document = stored(forms());
    const a = decoderOf('a');
    const [kept] = often(document, a).slice(-1);
    expect(document.fields(a)).toBe(kept);
    document.dropValues();
    expect(document.fields(a)).toEqual({ a: 2 });
    expect(document.fields(a)).not.toBe(kept);
  });

  test('of few documents replace those that are kept', () => {
    const a = decoderOf('a');
    const kept = new DecodedForms(4 * memoryOf(0, bytes.length));
    const documents = Array.from({ length: 20 }, () => stored(kept));
    const scan = (): unknown[] => documents.map((document) => document.fields(a));
    for (let time = 0; time < 6; time += 1) scan();
    const scans = [scan(), scan()];
    const hits = documents.filter((_document, at) => scans[1]?.[at] === scans[0]?.[at]).length;
    expect(hits).toBeGreaterThan(1);
    expect(hits).toBeLessThan(8);
  });
});

test('a replaced document takes no space from others', () => {
  const kept = forms();
  const [first, second, third, fourth] = [stored(kept), stored(kept), stored(kept), stored(kept)];
  const [, values] = [first.doc, second.doc];
  for (const document of [first, first, third]) document.replaced();
  expect([third.doc, second.doc === values]).toEqual([whole, true]);
  expect([fourth.doc, second.doc === values]).toEqual([whole, false]);
});

test('a document only in memory keeps its values, and one in the log is decoded on demand', () => {
  const made = new StoredDocument({ sequence: 1, version: 1, size: bytes.length }, { doc: whole });
  made.dropValues();
  expect(made.doc).toBe(whole);
  expect(made.bytes).toEqual(bytes);
  made.logged(forms());
  expect(made.doc).not.toBe(whole);
  expect(made.doc).toEqual(whole);
});

test('a pinned document keeps its values while others are decoded', () => {
  const kept = new DecodedForms(1);
  const pinned = stored(kept).pinned();
  const { doc } = pinned;
  for (let time = 0; time < 5; time += 1) expect(stored(kept).doc).toEqual(whole);
  expect(pinned.doc).toBe(doc);
});

test('the values of documents whose page leaves memory are dropped, and take no space from others', () => {
  const kept = forms();
  const [first, second, third] = [stored(kept), stored(kept), stored(kept)];
  const [gone, stays] = [first.doc, second.doc];
  kept.evict([first, undefined]);
  expect(third.doc).toEqual(whole);
  expect(second.doc).toBe(stays);
  expect(first.doc).not.toBe(gone);
});
