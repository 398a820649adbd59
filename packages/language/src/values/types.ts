/** The types of stored values in memory: each BSON type in the one form that preserves it. */
import type {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  DBRef,
  Decimal128,
  Double,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';

/**
 * A JavaScript number is an int if it is whole, within 32 bits and not -0, and a double otherwise, as in the BSON
 * encoder. A double that would count as an int is a `Double`; a long is a `bigint`.
 */
export type Value =
  | null
  | undefined
  | boolean
  | number
  | bigint
  | string
  | Date
  | ObjectId
  | Decimal128
  | Double
  | Binary
  | BSONRegExp
  | BSONSymbol
  | Timestamp
  | Code
  | DBRef
  | MinKey
  | MaxKey
  | Value[]
  | Doc;

/** A document. Documents in the store are never changed, only replaced. */
export interface Doc {
  readonly [key: string]: Value;
}

/** Documents in groups, so that a long command can yield between the steps. */
export type Batches = AsyncIterable<readonly Doc[]>;
