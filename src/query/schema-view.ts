/**
 * A schema as one caller sees it (types only). Filters, sorts, searches, fields and pipelines are checked against it. The policy
 * creates it.
 */
import type { ModelSchema } from '../models/fields/model-schema.ts';
import type { Names } from '../models/fields/names.ts';

/** The names that no answer shows and no stage of a pipeline sees. */
export interface HiddenNames {
  /** Key names in lower-case ASCII letters, hidden at any depth and in any letter case. */
  readonly keys: readonly string[];
  /** Dotted paths, hidden with everything below them. */
  readonly paths: readonly string[];
  /** The names that the schema declares. All others are hidden: their paths are stored, but have left the schema. */
  readonly names: Names;
}

/** The view. Paths are those of stored documents: aliases are already resolved. */
export interface SchemaView {
  readonly schema: ModelSchema;
  readonly hidden: HiddenNames;
  /** Whether a path may be named and shown. */
  readonly shows: (path: string) => boolean;
  /** Whether a key may be named and shown at any depth, even in values that no schema describes. */
  readonly showsKey: (key: string) => boolean;
  /** Whether the value at a path has, or may have, hidden parts. */
  readonly holdsHidden: (path: string) => boolean;
  /** The names of stored documents, without those of virtuals. */
  readonly storedNames: Names;
  /** Whether an object at the path may have hidden parts: a free-form object may have any, and a nested document those that have left the schema. */
  readonly mayHoldHidden: (path: string) => boolean;
  /** Whether the schema itself declares hidden paths. */
  readonly declaresHidden: boolean;
  /** The view of documents that no schema describes, such as the output of a pipeline stage. */
  readonly free: SchemaView;
}
