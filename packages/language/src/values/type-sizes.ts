/** The bytes that values of BSON take, by their type. A value of most types can be skipped without reading it. */

/** The type of a string. */
export const stringType = 0x02;

/** By type: the bytes of a value of fixed size, -1 for other types. */
export const fixedSizes = sizesBy(
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
  [0x7f, 0],
  [0xff, 0],
);

/** By type: the bytes of a value besides those that the length at its beginning counts, -1 for types without one. */
export const sizesBesides = sizesBy([0x02, 4], [0x03, 0], [0x04, 0], [0x05, 5], [0x0d, 4], [0x0e, 4], [0x0f, 0]);

function sizesBy(...sizes: readonly (readonly [type: number, size: number])[]): Int8Array {
  const table = new Int8Array(256).fill(-1);
  for (const [type, size] of sizes) table[type] = size;
  return table;
}
