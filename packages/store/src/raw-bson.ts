/**
 * Walks BSON bytes without decoding them: element boundaries, the documents of an array, and moving `_id` to the front.
 */
import { StoreError } from 'dossier-language/errors';

/** One element of a document: its type byte, its name, and where it and its value start and end. */
export interface RawElement {
  readonly type: number;
  readonly name: string;
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

const documentType = 3;
const arrayType = 4;

/** Bytes of a value whose type has a fixed size. */
const fixedSizes: ReadonlyMap<number, number> = new Map([
  [0x01, 8],
  [0x06, 0],
  [0x07, 12],
  [0x08, 1],
  [0x09, 8],
  [0x0a, 0],
  [0x10, 4],
  [0x11, 8],
  [0x12, 8],
  [0x13, 16],
  [0xff, 0],
  [0x7f, 0],
]);

/** Bytes to add to the length that precedes a value: the four of the length itself, if it does not include them. */
const measuredSizes: ReadonlyMap<number, number> = new Map([
  [0x02, 4],
  [documentType, 0],
  [arrayType, 0],
  [0x05, 5],
  [0x0c, 16],
  [0x0d, 4],
  [0x0e, 4],
  [0x0f, 0],
]);

const invalid = (): StoreError => new StoreError(22, 'the message contains invalid BSON');

/** Reads a little-endian int32. */
const int32At = (bytes: Uint8Array, at: number): number =>
  (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);

/** The declared length of the document at an offset, checked against the available bytes. */
export function documentLength(bytes: Uint8Array, at: number): number {
  if (at + 5 > bytes.length) throw invalid();
  const length = int32At(bytes, at);
  if (length < 5 || at + length > bytes.length || bytes[at + length - 1] !== 0) throw invalid();
  return length;
}

/** The elements of the document at an offset. */
export function* elementsOf(bytes: Uint8Array, at = 0): Generator<RawElement> {
  const last = at + documentLength(bytes, at) - 1;
  let position = at + 4;
  while (position < last) {
    const type = bytes[position] ?? 0;
    const nameEnd = bytes.indexOf(0, position + 1);
    if (nameEnd < 0 || nameEnd >= last) throw invalid();
    const value = nameEnd + 1;
    const end = value + sizeOf(bytes, type, value);
    if (end > last) throw invalid();
    yield { type, name: textOf(bytes, position + 1, nameEnd), start: position, value, end };
    position = end;
  }
}

function sizeOf(bytes: Uint8Array, type: number, at: number): number {
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return fixed;
  if (type === 0x0b) return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
  const added = measuredSizes.get(type);
  const length = int32At(bytes, at);
  if (added === undefined || length < 0 || at + 4 > bytes.length) throw invalid();
  return length + added;
}

const textOf = (bytes: Uint8Array, start: number, end: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('utf8');

/** The bytes of each document of an array value. @throws StoreError if the array contains anything else */
export function documentsOf(bytes: Uint8Array, at: number): Uint8Array[] {
  const documents: Uint8Array[] = [];
  for (const element of elementsOf(bytes, at)) {
    if (element.type !== documentType) throw new StoreError(14, 'an array of documents must contain documents only');
    documents.push(bytes.subarray(element.value, element.end));
  }
  return documents;
}

/** A document without one of its elements. */
export function withoutElement(bytes: Uint8Array, element: RawElement): Uint8Array {
  const shorter = Buffer.allocUnsafe(bytes.length - (element.end - element.start));
  shorter.set(bytes.subarray(0, element.start), 0);
  shorter.set(bytes.subarray(element.end), element.start);
  shorter.writeInt32LE(shorter.length, 0);
  return shorter;
}

/** A copy of a document with its `_id` as the first element, as MongoDB stores it; undefined if it has none. */
export function withIdFirst(bytes: Uint8Array): Uint8Array | undefined {
  for (const element of elementsOf(bytes)) {
    if (element.name !== '_id') continue;
    const copy = Buffer.allocUnsafeSlow(bytes.length);
    const size = element.end - element.start;
    copy.set(bytes.subarray(0, 4), 0);
    copy.set(bytes.subarray(element.start, element.end), 4);
    copy.set(bytes.subarray(4, element.start), 4 + size);
    copy.set(bytes.subarray(element.end), element.end);
    return copy;
  }
  return undefined;
}
