/** What the paths of a model are, compiled once from Mongoose's schema: the types, and which paths are needed and present. */
import type { Schema } from 'mongoose';
import type { PathDisplay } from '../options/display.ts';
import type { IdType } from './id-types.ts';
import type { CastField, mongooseSchema } from './mongoose-keys.ts';
import type { Names } from './names.ts';
import type { FieldType } from './types/field-type.ts';

/** `immutable` of a path: true, or a function that is called with the document and has it as `this`. */
export type Immutable = true | ((this: unknown, document: unknown) => unknown);

/** A declared path. */
export interface Field extends CastField {
  /** In the documents that declare it, without positions in lists; `$*` stands for the keys of a map. */
  readonly path: string;
  readonly parts: readonly string[];
  /** The row of its type; undefined for a type of a plug-in, whose values Mongoose casts. */
  readonly type: FieldType | undefined;
  /** What the members of a list are, or the values of a map. */
  readonly member: Field | undefined;
  /** That of nested documents, of one or of a list. */
  readonly schema: ModelSchema | undefined;
  /** The alternatives of a union. */
  readonly alternatives: readonly Field[] | undefined;
  /** What a path is that names the field as a whole. */
  readonly whole: PathType;
  /** Whether `required` is set, be it for some documents only. */
  readonly isRequired: boolean;
  readonly isAlwaysRequired: boolean;
  /** The default as the model file gives it, which may be a function. */
  readonly default: unknown;
  /** Whether a new document has a value where none is given: lists have the empty one. */
  readonly isFilled: boolean;
  /** The values that the model file lists. */
  readonly enum: readonly unknown[] | undefined;
  /** The values besides null that documents which fit the schema have; undefined for any. */
  readonly allowed: ReadonlySet<unknown> | undefined;
  /** Of the values that are stored. */
  readonly bounds: PathBounds;
  /** Of the values that callers send. */
  readonly limits: PathLimits;
  /** What the model file says about it for people. */
  readonly display: PathDisplay;
  /** Whether it links to documents of another model. */
  readonly isLink: boolean;
  /** The type of the ids that a link holds, if it is another one than ObjectId. */
  readonly linkedIdType: IdType | undefined;
  readonly immutable: Immutable | undefined;
  /** Whether a getter computes what answers show. */
  readonly isComputed: boolean;
  /** Whether values are encrypted before they are stored. */
  readonly isEncrypted: boolean;
}

/** The type of a path: a value, a list of them, a document, anything (Mixed, or a map of it), or unknown. */
export type PathType =
  | { readonly kind: 'leaf'; readonly field: Field; readonly array: boolean }
  | { readonly kind: 'document'; readonly schema: ModelSchema | undefined; readonly array: boolean }
  | { readonly kind: 'mixed'; readonly map: boolean }
  | { readonly kind: 'unknown' };

/** The paths of an index with what each is indexed for, and its options. */
export type DeclaredIndex = ReturnType<Schema['indexes']>[number];

/** A kind of documents: the value of the discriminator key, and their schema. */
export interface Kind {
  readonly value: unknown;
  readonly schema: ModelSchema;
}

/** Names of digits, which are no positions. */
export interface DigitNames {
  /** The beginnings of paths and aliases that end with a name of digits; without positions. */
  readonly names: ReadonlySet<string>;
  /** How many positions follow each list: one for each list in a list. */
  readonly lists: ReadonlyMap<string, number>;
}

/** The other names of the times of creation and of the last change, by the standard names. */
export type TimestampNames = Readonly<Partial<Record<'createdAt' | 'updatedAt', string>>>;

/** What a text index reads as the language of a document. */
export interface TextLanguage {
  /** The name of the field in documents and nested documents. */
  readonly field: string;
  /** The indexed paths; `$**` for all. */
  readonly paths: readonly string[];
}

/** What the documents of a model consist of, those of one of its kinds, or nested ones. Each part is compiled when it is first read. */
export interface ModelSchema {
  /** By path; the values of a map are found through its field. */
  readonly declared: ReadonlyMap<string, Field>;
  /** The paths of nested objects without a schema of their own. */
  readonly nested: ReadonlySet<string>;
  /** Whether documents may have other fields. */
  readonly isOpen: boolean;
  /** The paths of aliases, by whole paths without positions. */
  readonly aliases: Readonly<Record<string, string>>;
  /** The last names of aliases. */
  readonly aliasNames: ReadonlySet<string>;
  /** The names of all virtuals, those of aliases included. */
  readonly virtuals: ReadonlySet<string>;
  /** The virtuals that answers show, without those of nested documents. */
  readonly shownVirtuals: readonly string[];
  /** The type of the documents' ids. */
  readonly idType: IdType;
  /** Whether `id` is a field of the author's. In all other models it is another name of `_id`. */
  readonly hasOwnId: boolean;
  /** The path that has the kind of a document. */
  readonly kindKey: string;
  /** The value of the key in these documents, if they are those of a kind. */
  readonly kindValue: unknown;
  readonly kinds: readonly Kind[];
  /** The values of the key, those of an `enum` that the model declares for it included; empty without kinds. */
  readonly kindValues: readonly unknown[];
  /** The paths of ids by the names under which answers show the linked documents. */
  readonly links: ReadonlyMap<string, string>;
  readonly numbered: DigitNames;
  readonly storedNames: Names;
  /** The names as answers show them, with those of virtuals. */
  readonly shownNames: Names;
  /**
   * The names in the documents that functions read: those that are stored, and those that Mongoose's own `populate` fills. Nested documents
   * may have virtuals.
   */
  readonly resultNames: Names;
  /** The password-named paths at any depth; `$*` stands for the keys of a map. */
  readonly secrets: readonly string[];
  /** The immutable paths at any depth, without those of stamps. */
  readonly immutables: ReadonlyMap<string, Immutable>;
  readonly timestampNames: TimestampNames;
  readonly textLanguage: TextLanguage | undefined;
  readonly indexes: readonly DeclaredIndex[];
  /** The collation of the collection. */
  readonly collation: NonNullable<Schema['options']['collation']> | undefined;
  readonly [mongooseSchema]: Schema;
}

/** A regular expression that limits texts. */
export interface Pattern {
  readonly pattern: string;
  readonly flags: string;
  /** What the model file says of a text that does not match. It may have `{VALUE}` and `{PATH}`. */
  readonly message?: string;
}

/** Absent limits do not apply. Of a list, those of its members. */
export interface PathLimits {
  readonly min?: number | Date;
  readonly max?: number | Date;
  readonly minlength?: number;
  readonly maxlength?: number;
  /** A regular expression of JavaScript. */
  readonly match?: Pattern;
  /** What the server does with a text before it checks it. */
  readonly trim?: true;
  readonly lowercase?: true;
  readonly uppercase?: true;
}

export type PathBounds = Pick<PathLimits, 'min' | 'max' | 'minlength' | 'maxlength'>;

/**
 * The fields that a body must have to create a document: always required and without a default. Lists have a default, the empty
 * list.
 */
export const requiredNames = ({ declared }: ModelSchema): ReadonlySet<string> =>
  new Set([...declared.values()].filter((field) => field.isAlwaysRequired && !field.isFilled).map(({ path }) => path));

/**
 * The paths that every document has since it was created: those that are always required, and those with a default, but for those whose
 * value may be an empty object.
 */
export const presentOf = ({ declared }: ModelSchema): readonly string[] =>
  [...declared.values()]
    .filter((field) => (field.isAlwaysRequired || field.isFilled) && !mayBeEmpty(field))
    .map(({ path }) => path);

/** Whether the value of a field may be an object without fields, which Mongoose does not store. */
export const mayBeEmpty = ({ type, schema }: Field): boolean =>
  type?.shape === 'any' || (type?.shape === 'document' && schema !== undefined && presentOf(schema).length === 0);
