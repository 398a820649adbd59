/** Adds Dossier's options of models and links to Mongoose's types. Types only. */
import type { LettersOf } from '../letters.ts';
import type { ModelFileOptions } from './options.ts';
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
  > {
    /** Role → letters of `crud`, for all rows or for those of a filter. Without it the model is for admins only. */
    perms?: ModelFileOptions['perms'];
    /** Statics that `/call` may run: a list of names (each needs `c`), or name → letter, or `{ needs, on }`. */
    callable_statics?: ModelFileOptions['callable_statics'];
    /** Overrides of the query limits for this model. */
    query_limits?: ModelFileOptions['query_limits'];
    /** Switches of `/query` (true), `/aggregate` (true) and `/bulkwrite` (false). */
    advanced_queries?: ModelFileOptions['advanced_queries'];
    /** false keeps this model's answers out of the cache. */
    cache?: ModelFileOptions['cache'];
    /** true: never served. */
    internal?: ModelFileOptions['internal'];
    /** true: `PUT /api` loads and saves, as `/update` does, so that save middleware and all validators run. */
    save_on_put?: ModelFileOptions['save_on_put'];
    /** true: links to documents that do not exist or are deleted are refused. */
    check_links?: ModelFileOptions['check_links'];
    /** Deletion of a document that others link to: `keep` (default) keeps the links, `refuse` refuses the deletion. */
    on_referenced_delete?: ModelFileOptions['on_referenced_delete'];
    /** Each write leaves an entry in the history of its document: true, or which entries are kept, such as `{ keep: '90d', min: 5 }`. */
    history?: ModelFileOptions['history'];
    /** How long after their deletion soft-deleted documents are removed permanently, such as `30d`. */
    trash?: ModelFileOptions['trash'];
    /** true: each write of a document is a record of the audit log. */
    audit?: ModelFileOptions['audit'];
  }

  interface SchemaTypeOptions<T, EnforcedDocType, THydratedDocumentType> {
    /** The model that the ids of this path point to; its case does not matter. */
    link?: string;
    /** The name under which the linked document is shown; by default the path without `_id`. */
    map_to?: string;
    /** The name under which the linked model shows the documents that link to it, when they are populated. */
    reverse?: string | ListMethod;
    /** Role → letters of `cru` for this path and all below it; a role that is not named has none. */
    perms?: Readonly<Record<string, LettersOf<FieldLetter>>>;
  }
}
