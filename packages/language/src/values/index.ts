/** BSON values in memory: types, decoding, encoding, order, equality, numbers, paths. */
export * from './collation.ts';
export * from './decode.ts';
export * from './distinct.ts';
export * from './encode.ts';
export * from './growth.ts';
export * from './key.ts';
export * from './kind.ts';
export * from './number.ts';
export * from './order.ts';
export * from './path.ts';
export * from './same.ts';
export * from './show.ts';
export * from './types.ts';
