/** What a collection is, besides its documents and indexes: its names, its collation and its options. */
import type { Collation } from 'dossier-language/values';
import type { CollectionOptions } from './collection-options.ts';

/** The names and traits of a collection. */
export interface Identity {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  /** The default collation of commands and new indexes. */
  readonly collation: Collation | undefined;
  readonly options: CollectionOptions;
}

/** What `create` sets. */
export type Traits = Partial<Pick<Identity, 'collation' | 'options'>>;

/** Collection ids start at 1. */
export const missingId = 0;

/** A collection by its identity. */
export class CollectionIdentity implements Identity {
  readonly id: number;
  readonly db: string;
  readonly name: string;
  readonly uuid: Uint8Array;
  readonly collation: Collation | undefined;
  /** `collMod` changes them. */
  options: CollectionOptions;

  constructor({ id, db, name, uuid, collation, options }: Identity) {
    this.id = id;
    this.db = db;
    this.name = name;
    this.uuid = uuid;
    this.collation = collation;
    this.options = options;
  }

  /** False for the result of `missing`. */
  get exists(): boolean {
    return this.id !== missingId;
  }

  /** `db.name`. */
  get ns(): string {
    return `${this.db}.${this.name}`;
  }

  /** The same traits under another name. */
  protected named(db: string, name: string): Identity {
    const { id, uuid, collation, options } = this;
    return { id, db, name, uuid, collation, options };
  }
}
