/** What the server knows of a model once its file is loaded. */
import type { Model, Schema } from 'mongoose';
import type { ModelOptions } from './options.ts';
import type { FieldPerms } from './permissions.ts';

/** A link: an id path that points to another model. */
export interface Link {
  /** The path of the id in the document, such as `author_id`. */
  readonly path: string;
  /** The path at which the linked document is shown, such as `author`. */
  readonly as: string;
  /** The model that it points to. */
  readonly model: string;
  /** The path holds a list of ids. */
  readonly array: boolean;
  /** A stamp tells who did something; cascading deletion does not follow it. */
  readonly stamp: boolean;
}

/** The key under which an entry holds its Mongoose model; only `models/mongoose` reads it. */
export const mongooseModel: unique symbol = Symbol('mongoose model');

/** A model, ready to be served. */
export interface ModelEntry {
  readonly name: string;
  readonly collection: string;
  /** Where it was defined; undefined for built-in models. */
  readonly file: string | undefined;
  /** The name under which its file compiled it. */
  readonly compiledAs: string | undefined;
  readonly schema: Schema;
  readonly options: ModelOptions;
  /** Letters of single paths. */
  readonly fieldPerms: FieldPerms;
  readonly links: readonly Link[];
  /** Links of other models that point here. */
  readonly linkedFrom: readonly { readonly model: string; readonly link: Link }[];
  /** The paths of its text index, `$**` for all of them; none without an index. */
  readonly textPaths: readonly string[];
  /** The schema has virtuals or getters of its own, so answers need them run. */
  readonly computed: boolean;
  /** Paths with `select: false`. */
  readonly unasked: readonly string[];
  /** Middleware of its own that runs only where a document is saved, such as `pre('save')`. */
  readonly saveHooks: readonly string[];
  readonly [mongooseModel]: Model<Record<string, unknown>>;
}
