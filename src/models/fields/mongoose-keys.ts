/** The keys of what fields have of Mongoose; only `models/` reads it. */
import type { SchemaType } from 'mongoose';

/** Of a field: its schema type. */
export const mongooseType: unique symbol = Symbol('schema type of Mongoose');
/** Of fields: the schema that they are compiled from. */
export const mongooseSchema: unique symbol = Symbol('schema of Mongoose');

/** A field as far as values are cast by it. */
export interface CastField {
  /** The name of its type, which may be that of a plug-in. */
  readonly typeName: string;
  /** The row of its type, as far as faults name it. */
  readonly type: { readonly rule?: string } | undefined;
  /** Whether setters of the model file change its values. */
  readonly hasOwnSetters: boolean;
  readonly [mongooseType]: SchemaType;
}
