/** The types of loaded models. */
import type { Model } from 'mongoose';
import type { IdType } from './fields/id-types.ts';
import type { ModelSchema } from './fields/model-schema.ts';
import type { UnservedModel } from './loading/model-names.ts';
import type { DocumentRule } from './mongoose/document-rules.ts';
import type { IdleMiddleware } from './mongoose/idle-middleware.ts';
import type { ModelOptions } from './options/options.ts';
import type { FieldPerms } from './options/permissions.ts';

/** A link: an id path that points to another model. */
export interface Link {
  /** The path of the id in the document, such as `author_id`. */
  readonly path: string;
  /** The path at which the linked document is shown, such as `author`. */
  readonly as: string;
  /** The model that it points to. */
  readonly model: string;
  /** Whether the path contains a list of ids. */
  readonly array: boolean;
  /** Whether the path has the texts of the ids, which are of another type: by a `ref` of type String. */
  readonly asText: boolean;
  /** Whether the link is a stamp, which cascading deletions do not follow. */
  readonly stamp: boolean;
  /** The name under which the linked model shows the documents that link to it, if it does. */
  readonly reverse: string | undefined;
}

/** The value by which a document links to another one. @param id of the linked document */
export const storedLink = ({ asText }: Pick<Link, 'asText'>, id: unknown): unknown => (asText ? String(id) : id);

/** A path, or a virtual, that names a model which a file compiles and does not export. Requests do not follow it. */
export interface UnservedLink {
  readonly path: string;
  readonly model: UnservedModel;
}

/** What the start warns of about a model of another application, which Mongoose would leave without effect, too. */
export interface ModelWarning {
  readonly kind: 'rule' | 'middleware' | 'populate';
  /** A sentence, without the name of the model. */
  readonly message: string;
}

/** A link of another model to this one, as this one shows it. */
export interface ReverseLink {
  /** The name under which the linking documents are shown. */
  readonly as: string;
  /** The model that links. */
  readonly model: string;
  /** The path in that model whose values are those of `local`. */
  readonly path: string;
  /** The path of this model: `_id`, or another one where a virtual names it. */
  readonly local: string;
  /** Whether `path` has the texts of the `_id`, which is of another type. */
  readonly asText?: boolean;
  /** What is shown: a list of the linking documents, the first of them, or their number. */
  readonly shape: 'list' | 'one' | 'count';
  /** The discriminators whose documents show it, by the value of their key; all documents without. */
  readonly kinds?: { readonly key: string; readonly values: ReadonlySet<unknown> } | undefined;
}

/** The key of an entry's Mongoose model; only `models/mongoose.ts` reads it. */
export const mongooseModel: unique symbol = Symbol('mongoose model');

/** A model, ready to be served. */
export interface ModelEntry {
  readonly name: string;
  readonly collection: string;
  /** The file that defines it; undefined for built-in models. */
  readonly file: string | undefined;
  /** The name under which its file compiled it. */
  readonly compiledAs: string | undefined;
  /** What its documents consist of. */
  readonly schema: ModelSchema;
  /** The type of its documents' ids. */
  readonly idType: IdType;
  readonly options: ModelOptions;
  /** The names at the top of its documents that its file declares, also in discriminators; the server adds others. */
  readonly declaredNames: readonly string[];
  /** Letters of single paths. */
  readonly fieldPerms: FieldPerms;
  /** The paths that no caller reads, names or writes: those of the server's own use, and those with `secret: true`. */
  readonly ownPaths: readonly string[];
  /** Whether it is one of the server's own models, which callers read under its perms, and which only operations of its own write. */
  readonly isOwn: boolean;
  /** Whether its changes are published: false for an internal model that the server writes without a commit. */
  readonly publishes: boolean;
  readonly links: readonly Link[];
  readonly unservedLinks: readonly UnservedLink[];
  readonly warnings: readonly ModelWarning[];
  /** The links of other models to this one. */
  readonly linkedFrom: readonly { readonly model: string; readonly link: Link }[];
  /** Those of them that this model shows. */
  readonly reverses: readonly ReverseLink[];
  /** The paths of its text index, `$**` for all of them; none without an index. */
  readonly textPaths: readonly string[];
  /** Whether the schema has virtuals or getters, which must run for answers. */
  readonly computed: boolean;
  /** Paths with `select: false`. */
  readonly unselected: readonly string[];
  /** The model's middleware that runs only when a document is saved, such as `pre('save')`. */
  readonly saveHooks: readonly string[];
  /** The rules of its schema that read the document. */
  readonly documentRules: readonly DocumentRule[];
  /** Whether new documents are saved by Mongoose: for middleware, or what else of the model file only `save` respects. */
  readonly createsBySave: boolean;
  /** Whether changes load and save the document, because middleware or a rule needs it or the model file asks for it. */
  readonly changesBySave: boolean;
  /** Its middleware that no request runs, grouped by what to use instead. */
  readonly idleMiddleware: readonly IdleMiddleware[];
  readonly [mongooseModel]: Model<Record<string, unknown>>;
}

/** Whether the changes of a model are published to subscribers. */
export const hasChanges = ({ isOwn, publishes }: Pick<ModelEntry, 'isOwn' | 'publishes'>): boolean =>
  !isOwn || publishes;

/** The name of a model in messages: callers know those of the server itself, such as `_audit`, without the underscore. */
export const messageName = ({ name }: Pick<ModelEntry, 'name'>): string => name.replace(/^_/, '');
