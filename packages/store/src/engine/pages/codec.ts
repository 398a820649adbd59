/** Encodes nodes to the bytes of pages and back. */
import { ByteReader, type ByteWriter } from './bytes.ts';
import type { NodeContent, Ref } from './node.ts';
import { entryBytes, type StoredShape } from './shape.ts';

const leafKind = 0;
const innerKind = 1;

/** Writes a node. @param pageOf the page of a child */
export function encodeNode<K, V>(
  writer: ByteWriter,
  { keys, values, children }: NodeContent<K, V>,
  { codec }: StoredShape<K, V>,
  pageOf: (child: Ref<K, V>) => number,
): void {
  writer.byte(children === undefined ? leafKind : innerKind);
  writer.uint32(keys.length);
  for (const key of keys) codec.writeKey(writer, key);
  for (const value of values) codec.writeValue(writer, value);
  for (const child of children ?? []) {
    writer.double(pageOf(child));
    writer.double(child.count);
  }
}

/** The node of a page. @param refTo creates the reference to a child */
export function decodeNode<K, V>(
  bytes: Uint8Array,
  { codec, sizeOf }: StoredShape<K, V>,
  refTo: (page: number, count: number) => Ref<K, V>,
): NodeContent<K, V> {
  const reader = new ByteReader(bytes);
  const isLeaf = reader.byte() === leafKind;
  const keys = Array.from({ length: reader.uint32() }, () => codec.readKey(reader));
  const values = isLeaf ? keys.map((key) => codec.readValue(reader, key)) : [];
  const children = isLeaf ? undefined : [0, ...keys].map(() => refTo(reader.double(), reader.double()));
  const size = isLeaf
    ? keys.reduce((sum, key, at) => sum + sizeOf(key, values[at]), 0)
    : keys.reduce((sum, key) => sum + sizeOf(key) + entryBytes, entryBytes);
  return { keys, values, children, bytes: size };
}
