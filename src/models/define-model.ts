/** Defines the schema of a model, with the types of its documents and of Dossier's options. */
import './schema-options.ts';
import {
  type ApplySchemaOptions,
  type InferRawDocType,
  type Model,
  type ResolveSchemaOptions,
  Schema,
  type SchemaDefinition,
  type SchemaOptions,
  type SchemaOptionsStaticsPropertyType,
} from 'mongoose';
import type { LettersOf } from './letters.ts';
import type { FieldLetter } from './permissions.ts';

/** Dossier's options of a path. Mongoose's types let wrong ones pass, as if they were fields of a nested document. */
interface PathOptions {
  readonly link: string;
  readonly map_to: string;
  readonly perms: Readonly<Record<string, LettersOf<FieldLetter>>>;
}

/** A definition with each option as it must be, at any depth. */
type Checked<D> = D extends
  Schema | string | ((...given: never[]) => unknown) | (abstract new (...given: never[]) => unknown)
  ? D
  : D extends { readonly type: unknown }
    ? {
        readonly [K in keyof D]: K extends keyof PathOptions ? PathOptions[K] : K extends 'type' ? Checked<D[K]> : D[K];
      }
    : D extends object
      ? { readonly [K in keyof D]: Checked<D[K]> }
      : D;

type Raw<D, O> = ApplySchemaOptions<InferRawDocType<D, ResolveSchemaOptions<O>>, ResolveSchemaOptions<O>>;
/** A schema with the types that Mongoose infers. */
type Defined<
  D extends SchemaDefinition<undefined, Raw<D, O>>,
  O extends SchemaOptions<InferRawDocType<D>>,
> = ReturnType<typeof Schema.create<D, O, Raw<D, O>, Methods<O>, Statics<O>>>;
type Methods<O> = O extends { methods: infer M } ? { [K in keyof M]: OmitThisParameter<M[K]> } : object;
type Statics<O> = O extends { statics: infer S } ? { [K in keyof S]: OmitThisParameter<S[K]> } : object;

/**
 * Creates the schema of a model, as `new Schema(definition, options)` does. The compiler checks links, letters and row rules, and infers
 * the types of the documents.
 */
export function defineModel<
  const D extends SchemaDefinition<undefined, Raw<D, O>>,
  const O extends SchemaOptions<InferRawDocType<D>>,
>(
  definition: D & Checked<D>,
  options?: O & { statics?: SchemaOptionsStaticsPropertyType<Statics<O>, Model<Raw<D, O>>> },
): Defined<D, O> {
  return new Schema(definition, options as object) as unknown as Defined<D, O>;
}
