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
  type Types,
} from 'mongoose';
import type { LettersOf } from '../letters.ts';
import type { PathOptionName, SchemaOptionName, UnlessSlip } from './option-slips.ts';
import type { FieldLetter } from './permissions.ts';

export { Schema };

/** The type of ids in a definition; as a type, an id itself. */
export const ObjectId = Schema.Types.ObjectId;
export type ObjectId = Types.ObjectId;

/** Dossier's options of a path. Mongoose's types let wrong ones pass, as if they were fields of a nested document. */
interface PathOptions {
  readonly link: string;
  readonly map_to: string;
  readonly perms: Readonly<Record<string, LettersOf<FieldLetter>>>;
  readonly label: string;
  readonly description: string;
  readonly group: string;
  readonly icon: string;
  readonly hidden: boolean;
  readonly list: boolean;
}

/** What is checked no further: schemas, names of types, constructors. */
type Leaf = Schema | string | ((...given: never[]) => unknown) | (abstract new (...given: never[]) => unknown);

/** Fields and members of lists, each as it must be, at any depth. */
type CheckedFields<D> = { readonly [K in keyof D]: CheckedField<D[K]> };

/** A field: a type, options, or nested fields, of which one may be called `type`. */
type CheckedField<D> = D extends Leaf
  ? D
  : D extends { readonly type: infer T }
    ? T extends { readonly type: unknown }
      ? CheckedFields<D>
      : CheckedPathOptions<D>
    : D extends object
      ? CheckedFields<D>
      : D;

type CheckedPathOptions<D> = {
  readonly [K in keyof D]: K extends keyof PathOptions
    ? PathOptions[K]
    : K extends 'type'
      ? CheckedField<D[K]>
      : UnlessSlip<K, PathOptionName, D[K]>;
};

/** With another `typeKey`, what is an option cannot be seen here; the start checks it. */
type Checked<D, O> = O extends { readonly typeKey: string } ? D : CheckedFields<D>;

type CheckedOptions<O> = { readonly [K in keyof O]: UnlessSlip<K, SchemaOptionName, O[K]> };

/** The fields that every document has besides those of its definition. */
interface GenericFields {
  _deleted: boolean;
  _owner_id: Types.ObjectId | null;
  _updated_by_id: Types.ObjectId | null;
  createdAt: Date;
  updatedAt: Date;
}
type WithGenericFields<T> = T & Omit<GenericFields, keyof T>;

/** What the server adds to the model of users, which a definition with an email and a password is taken for. */
interface UserFields {
  name?: string | null;
  email_verified: boolean;
  admin: boolean;
  groups: string[];
}
type WithUserFields<D, T> = D extends { readonly email: unknown; readonly password: unknown }
  ? T & Omit<UserFields, keyof T>
  : T;

type Raw<D, O> = ApplySchemaOptions<InferRawDocType<D, ResolveSchemaOptions<O>>, ResolveSchemaOptions<O>>;
type Inferred<
  D extends SchemaDefinition<undefined, Raw<D, O>>,
  O extends SchemaOptions<InferRawDocType<D>>,
> = ReturnType<typeof Schema.create<D, O, Raw<D, O>, Methods<O>, Statics<O>>>;
/** A schema with the types that Mongoose infers, and the generic fields. */
type Defined<D extends SchemaDefinition<undefined, Raw<D, O>>, O extends SchemaOptions<InferRawDocType<D>>> =
  Inferred<D, O> extends Schema<
    infer R,
    infer M,
    infer I,
    infer Q,
    infer V,
    infer S,
    infer P,
    infer T,
    infer H,
    infer F,
    infer L
  >
    ? Schema<R, M, I, Q, V, S, P, T, WithUserFields<D, WithGenericFields<H>>, F, L>
    : never;
type Methods<O> = O extends { methods: infer M } ? { [K in keyof M]: OmitThisParameter<M[K]> } : object;
type Statics<O> = O extends { statics: infer S } ? { [K in keyof S]: OmitThisParameter<S[K]> } : object;

/**
 * Creates the schema of a model, as `new Schema(definition, options)` does. The compiler checks links, letters, row rules and the names of
 * options, and infers the types of the documents.
 */
export function defineModel<
  const D extends SchemaDefinition<undefined, Raw<D, O>>,
  const O extends SchemaOptions<InferRawDocType<D>> = Record<never, never>,
>(
  definition: D & Checked<D, O>,
  options?: O & CheckedOptions<O> & { statics?: SchemaOptionsStaticsPropertyType<Statics<O>, Model<Raw<D, O>>> },
): Defined<D, O> {
  definitions.add(definition);
  return new Schema(definition, options as object) as unknown as Defined<D, O>;
}

/** What models are defined of. A copy of a schema has the same definition. */
const definitions = new WeakSet();

/** Whether a schema is made by `defineModel`, so that names which Mongoose would ignore are faults. */
export const isDefined = ({ obj }: Schema): boolean => definitions.has(obj);
