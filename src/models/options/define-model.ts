/** Defines the schema of a model, with the types of its documents and of Dossier's options. */
import './schema-options.ts';
import {
  type AddDefaultId,
  type ApplySchemaOptions,
  type FlattenMaps,
  type HydratedDocument,
  type IfAny,
  type InferRawDocType,
  type Model,
  type Require_id,
  type ResolveSchemaOptions,
  Schema,
  type SchemaDefinition,
  type SchemaOptions,
  type SchemaOptionsStaticsPropertyType,
  type SchemaTypeOptions,
  type SubdocsToPOJOs,
  type Types,
} from 'mongoose';
import type { LettersOf } from '../letters.ts';
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

/**
 * A nested schema with the types of its documents. For the members of a list, Mongoose takes them only from a schema with a type of raw documents,
 * which `new Schema` does not infer. And the compiler infers a schema that is written where it is used from that place, so that its documents
 * have no fields.
 */
type TypedSchema<S extends Schema> =
  S extends Schema<
    infer ignoredRaw,
    infer ignoredModel,
    infer I,
    infer Q,
    infer V,
    infer ignoredStatics,
    infer P,
    infer T
  >
    ? SchemaOf<T extends Has<GenericFields> ? Omit<T, keyof GenericFields> : T, IfAny<I, object, I>, Q, V, P>
    : never;

type SchemaOf<T, I, Q, V, P> = Schema<
  P extends { _id: false } ? RawMember<T> : Require_id<RawMember<T>>,
  Model<T>,
  I,
  Q,
  V,
  object,
  P,
  never,
  HydratedDocument<T, AddDefaultId<T, V, P> & I, Q, AddDefaultId<T, V, P>, T, ResolveSchemaOptions<P>>
>;
type RawMember<T> = FlattenMaps<SubdocsToPOJOs<T>>;
type Has<T> = { readonly [K in keyof T]: unknown };

/** The definition of which Mongoose infers the types: with the fields that the server adds, and with types of the documents of nested schemas. */
type Typed<D> = TypedFields<D> & Omit<AddedFields<D>, keyof D> extends infer N extends SchemaDefinition ? N : never;

type TypedFields<D> = { [K in keyof D]: TypedField<D[K]> };

type TypedField<F> = F extends Schema
  ? TypedSchema<F>
  : F extends Leaf
    ? F
    : F extends readonly (infer Item)[]
      ? TypedItem<Item>[]
      : F extends { readonly type: infer T }
        ? T extends { readonly type: unknown }
          ? TypedFields<F>
          : { [K in keyof F]: K extends 'type' | 'of' ? TypedField<F[K]> : F[K] }
        : F extends object
          ? TypedFields<F>
          : F;

/** A member of a list: a schema may be the type of its options. */
type TypedItem<F> = F extends { readonly type: infer S extends Schema } ? TypedSchema<S> : TypedField<F>;

/** A field by the type of its values, which every document has. */
interface FieldOf<T> {
  readonly required: true;
  readonly __rawDocTypeHint: T;
  readonly __hydratedDocTypeHint: T;
}

/** The fields that every document has besides those of its definition. */
interface GenericFields {
  readonly _deleted: FieldOf<boolean>;
  readonly _owner_id: FieldOf<Types.ObjectId | null>;
  readonly _updated_by_id: FieldOf<Types.ObjectId | null>;
  readonly createdAt: FieldOf<Date>;
  readonly updatedAt: FieldOf<Date>;
}

/** What the server adds to the model of users, which a definition with an email and a password is taken for. */
interface UserFields {
  readonly name: StringConstructor;
  readonly email_verified: FieldOf<boolean>;
  readonly admin: FieldOf<boolean>;
  readonly groups: FieldOf<string[]>;
}
type AddedFields<D> = D extends { readonly email: unknown; readonly password: unknown }
  ? GenericFields & UserFields
  : GenericFields;

type Raw<N, O> = ApplySchemaOptions<InferRawDocType<N, ResolveSchemaOptions<O>>, ResolveSchemaOptions<O>>;
/** A schema with the types that Mongoose infers, and with those of the values of virtuals, in place of which Mongoose has their functions. */
type Defined<N extends SchemaDefinition, O extends SchemaOptions<InferRawDocType<N>>> = O extends { virtuals: object }
  ? WithVirtuals<Created<N, O>, Virtuals<O>>
  : Created<N, O>;
type Created<N extends SchemaDefinition, O extends SchemaOptions<InferRawDocType<N>>> = ReturnType<
  typeof Schema.create<N, O, Raw<N, O>, Methods<O>, Statics<O>>
>;
type WithVirtuals<S, V> =
  S extends Schema<
    infer R,
    infer M,
    infer I,
    infer Q,
    infer ignoredVirtuals,
    infer T,
    infer P,
    infer D,
    infer ignoredDocument,
    infer N,
    infer L
  >
    ? Schema<
        R,
        M,
        I,
        Q,
        AddDefaultId<R, V, P>,
        T,
        P,
        D,
        HydratedDocument<R, AddDefaultId<R, V, P> & I, Q, AddDefaultId<R, V, P>, R, ResolveSchemaOptions<P>>,
        N,
        L
      >
    : never;
/** The values of the virtuals of options. */
type Virtuals<O> = O extends { virtuals: infer V }
  ? { [K in keyof V]: V[K] extends { get: (...given: never[]) => infer R } ? R : unknown }
  : object;
/** A document, as `this` of its virtuals. */
type DocumentOf<N, O> = HydratedDocument<Raw<N, O>, Methods<O>, object, Virtuals<O>>;
type Methods<O> = O extends { methods: infer M } ? { [K in keyof M]: OmitThisParameter<M[K]> } : object;
type Statics<O> = O extends { statics: infer S } ? { [K in keyof S]: OmitThisParameter<S[K]> } : object;

/**
 * Creates the schema of a model, as `new Schema(definition, options)` does. The compiler checks links, letters, row rules and the names of
 * options, and infers the types of the documents.
 */
export function defineModel<
  const D extends SchemaDefinition,
  const O extends SchemaOptions<InferRawDocType<Typed<D>>> = Record<never, never>,
>(
  definition: D & Checked<D, O>,
  options?: O &
    CheckedOptions<O> & {
      statics?: SchemaOptionsStaticsPropertyType<Statics<O>, Model<Raw<Typed<D>, O>>>;
      virtuals?: ThisType<DocumentOf<Typed<D>, O>>;
    },
): Defined<Typed<D>, O> {
  definitions.add(definition);
  return new Schema(definition, options as object) as unknown as Defined<Typed<D>, O>;
}

/** What models are defined of. A copy of a schema has the same definition. */
const definitions = new WeakSet();

/** Whether a schema is made by `defineModel`, so that names which Mongoose would ignore are faults. */
export const isDefined = ({ obj }: Schema): boolean => definitions.has(obj);

/** The names of a type without those of an index signature. */
type DeclaredNames<T> = keyof {
  [K in keyof T as K extends string ? (string extends K ? never : K) : never]: true;
} &
  string;

/** Options of Mongoose that its types lack. */
type UndeclaredSchemaOption = 'clusteredIndex' | 'discriminators' | 'indexes' | 'pluralization' | 'strictPopulate';

/** The names of the options of a path, Dossier's included. */
type PathOptionName = DeclaredNames<SchemaTypeOptions<unknown>> | 'castNonArrays' | 'options';

/** The names of the options of a schema, Dossier's included. */
type SchemaOptionName = DeclaredNames<SchemaOptions> | UndeclaredSchemaOption;

/** A name with one letter less. */
type Deletions<Name extends string, Before extends string = ''> = Name extends `${infer Letter}${infer Rest}`
  ? `${Before}${Rest}` | Deletions<Rest, `${Before}${Letter}`>
  : never;

/** A name with two neighbouring letters swapped. */
type Swaps<Name extends string, Before extends string = ''> = Name extends `${infer One}${infer Other}${infer Rest}`
  ? `${Before}${Other}${One}${Rest}` | Swaps<`${Other}${Rest}`, `${Before}${One}`>
  : never;

/** Whether two types have a member in common. */
type Meet<A, B> = [Extract<A, B>] extends [never] ? false : true;

/** The known names of which a name is a slip: one letter too many, one missing, or two swapped. */
type SlipOf<Name extends string, Known extends string> = Known extends string
  ? true extends Meet<Deletions<Name>, Known> | Meet<Deletions<Known>, Name> | Meet<Swaps<Known>, Name>
    ? Known
    : never
  : never;

/**
 * What no value of a misspelt option is. It is an object, because a text or another literal makes the type of all options `never` where their
 * values are literals: the compiler then reports the first option, and not this one.
 */
interface DidYouMean<Name> {
  readonly 'did you mean': Name;
}

/** What the value of an option must be so that its name is accepted: anything for a known name and for one of a plugin; none for a slip. */
type UnlessSlip<Name, Known extends string, Value> = Name extends Known
  ? Value
  : Name extends string
    ? [SlipOf<Name, Known>] extends [never]
      ? Value
      : DidYouMean<SlipOf<Name, Known>>
    : Value;
