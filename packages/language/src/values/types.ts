/** What a stored value is in memory: the BSON types, each in the one form that keeps it exactly. */
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
 * A JavaScript number is an int when it is a whole number in the range of 32 bits (and not -0), a double otherwise; that
 * is what the BSON encoder makes of it. A double that would be taken for an int is a `Double`, a long is a `bigint`.
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

/** Documents as they travel between the steps of a command, in groups, so that a long command can yield between them. */
export type Batches = AsyncIterable<readonly Doc[]>;
