/** A schema as one caller sees it: what filters, sorts, searches, fields and pipelines are read against (types only). The policy makes it. */
import type { Schema } from 'mongoose';

/** What no answer shows and no stage of a pipeline sees. */
export interface Hidden {
  /** Names of keys, of ASCII letters in lower case: hidden at any depth and in any letter case. */
  readonly keys: readonly string[];
  /** Dotted paths, hidden with everything below them. */
  readonly paths: readonly string[];
}

/** Paths are those of stored documents: aliases are replaced by what they stand for. */
export interface SchemaView {
  readonly schema: Schema;
  readonly hidden: Hidden;
  /** Whether a path may be named and shown. */
  readonly shows: (path: string) => boolean;
  /** Whether a key may be named and shown wherever it stands, in values that no schema describes too. */
  readonly showsKey: (key: string) => boolean;
  /** Whether a path stands for a document that has hidden parts, or may have some. */
  readonly holdsHidden: (path: string) => boolean;
  /** The same for an object at the path: in a free-form one there may be anything. */
  readonly mayHoldHidden: (path: string) => boolean;
  /** Whether the schema itself declares hidden paths. */
  readonly declaresHidden: boolean;
  /** The view of documents that no schema describes, such as those that a stage of a pipeline has made. */
  readonly free: SchemaView;
}
