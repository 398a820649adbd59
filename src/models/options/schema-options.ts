/** Adds the core's options of models and links to Mongoose's types; features add theirs. Types only. */
import type { LettersOf } from '../letters.ts';
import type { CoreFileOptions } from './options.ts';
import type { FieldLetter } from './permissions.ts';

/** Never a value of `reverse`: a list such as `[[String]]` is taken for these options, and has a method of that name. */
type ListMethod = unknown[]['reverse'];

// Declarations of one interface merge only when their type parameters have the same names; the new members need none of them.
declare module 'mongoose' {
  interface SchemaOptions<
    DocType,
    TInstanceMethods,
    QueryHelpers,
    TStaticMethods,
    TVirtuals,
    THydratedDocumentType,
    TModelType,
  > extends CoreFileOptions {}

  interface SchemaTypeOptions<T, EnforcedDocType, THydratedDocumentType> {
    /** The model that the ids of this path point to; its case does not matter. */
    link?: string;
    /** The name under which the linked document is shown; by default the path without `_id`. */
    map_to?: string;
    /** The name under which the linked model shows the documents that link to it, when they are populated. */
    reverse?: string | ListMethod;
    /** Role → letters of `cru` for this path and all below it; a role that is not named has none. */
    perms?: Readonly<Record<string, LettersOf<FieldLetter>>>;
    /** true, at the top of a document: no caller reads, names or writes the path, admins neither; code of the project does. */
    secret?: boolean;
    /** The name of the path for people, in the console and in OpenAPI. */
    label?: string;
    /** What the path means, below its input and in OpenAPI. */
    description?: string;
    /** The heading below which forms of the console show the path. */
    group?: string;
    /** What forms of the console show before the label: an emoji, or the name of an icon. */
    icon?: string;
    /** true: the console does not show the path. It protects nothing. */
    hidden?: boolean;
    /** Whether the tables of the console show the path at first. */
    list?: boolean;
  }
}
