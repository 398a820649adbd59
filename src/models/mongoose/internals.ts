/** The properties of Mongoose's schemas and schema types that it does not declare, each with its type. The only casts to them. */
import type { Schema, SchemaType } from 'mongoose';

/** A validator as a schema type stores it. Each limit is stored under the name of its validator, such as `min`. */
export interface StoredValidator {
  /** The option that has made it, or `user defined`. */
  readonly type?: string;
  readonly validator: unknown;
  readonly [limit: string]: unknown;
}

/** A setter: `lowercase`, `trim`, or the `set` of a model file. */
export type Setter = (this: unknown, value: unknown, ...others: unknown[]) => unknown;

interface TypeParts {
  readonly options: Readonly<Record<string, unknown>>;
  readonly setters: Setter[];
  readonly getters: readonly unknown[];
  readonly validators: StoredValidator[];
  /** Mongoose runs this one alone where there is no value. */
  requiredValidator?: unknown;
  readonly isRequired?: boolean;
  /** What the option `required` was given. */
  readonly originalRequiredValue?: unknown;
  readonly defaultValue?: unknown;
  readonly $immutable?: unknown;
  readonly enumValues?: readonly unknown[];
  /** Casts in place of the type's own function, as the option `cast` sets it. */
  _castFunction?: unknown;
  cast(value: unknown): unknown;
  applySetters(value: unknown): unknown;
  castForQuery(operator: null, value: unknown): unknown;
  doValidateSync(value: unknown): Error | null | undefined;
}

export const typeParts = (type: SchemaType): TypeParts => type as unknown as TypeParts;

/** Setters that Mongoose adds for the option `immutable`, which may add its own twice, and that the server adds to links by texts. */
const addedSetters: ReadonlySet<string> = new Set(['immutableSetter', 'linkedIdSetter']);

/** Whether a type has setters of a model file, besides those that Mongoose derives from options. */
export function hasOwnSetters(type: SchemaType): boolean {
  const { setters, options } = typeParts(type);
  if (setters.length === 0) return false;
  const others = setters.filter(({ name }) => !addedSetters.has(name));
  return others.length > ['lowercase', 'uppercase', 'trim'].filter((name) => Boolean(options[name])).length;
}

/** The class of nested documents. */
export interface InnerClass {
  readonly schema?: Schema;
  /** The middleware that the class runs, once a model that has it is compiled; its documents run that of the prototype. */
  readonly _middleware?: Hooks;
  readonly prototype: { readonly $__middleware?: Hooks };
  readonly discriminators?: Readonly<Record<string, InnerClass>> | null;
}

/** The types, the schema and the class inside of a type. */
interface Inner {
  readonly schema?: Schema;
  readonly Constructor?: InnerClass;
  /** The type of a list's members. */
  readonly embeddedSchemaType?: SchemaType;
  /** The type of a map's values. */
  readonly $__schemaType?: SchemaType;
  /** The alternatives of a union. */
  readonly schemaTypes?: readonly SchemaType[];
}

export const innerOf = (type: SchemaType): Inner => type;

/** A middleware as a schema stores it. */
export interface Hook {
  readonly fn: (this: unknown, ...given: unknown[]) => unknown;
  readonly document?: boolean | null;
  readonly query?: boolean | null;
}

/** Middleware by the name of what it runs before or after. */
interface Hooks {
  readonly _pres: Map<string, Hook[]>;
  readonly _posts: Map<string, Hook[]>;
  /** The last argument puts it in front of all others. */
  pre(name: string, options: object, middleware: object, error: null, first: true): void;
}

interface SchemaParts {
  readonly options: Readonly<Record<string, unknown>>;
  readonly aliases: Record<string, string>;
  /** By the paths of nested objects without a schema. */
  readonly nested: object;
  readonly tree: Record<string, unknown>;
  /** Members of lists, such as `tags.$`. A nested object of documents in lists has no type, and is the text `nested`. */
  readonly subpaths: Readonly<Record<string, SchemaType | 'nested'>>;
  readonly s: { readonly hooks: Hooks };
  /** How methods have been added, by their names. */
  readonly methodOptions?: Readonly<Record<string, { readonly suppressWarning?: boolean }>>;
  /** The names of which Mongoose warns itself. */
  readonly reserved: object;
  /** The middleware of documents. @param isNested of nested ones */
  _getDocumentMiddleware(isNested: boolean): Hooks;
  /** The schemas of discriminators, once the model is compiled. */
  readonly discriminators?: Readonly<Record<string, Schema>>;
  /** Discriminators that wait until the model is compiled. */
  readonly _applyDiscriminators?: Map<string, { readonly schema: Schema }>;
  /** Of a compiled schema with discriminators, and of those. */
  readonly discriminatorMapping?: { readonly value: unknown; readonly isRoot: boolean };
}

export const schemaParts = (schema: Schema): SchemaParts => schema as unknown as SchemaParts;
