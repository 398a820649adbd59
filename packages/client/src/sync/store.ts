/** Where `sync` keeps the copy of a collection. */

/** A change of a copy. */
export type SyncChange<Row, Id> =
  | { readonly event: 'post' | 'put'; readonly id: Id; readonly item: Row }
  | { readonly event: 'del'; readonly id: Id }
  /** Marks all rows that the store has. `post` and `put` remove the mark of their row. */
  | { readonly event: 'mark' }
  /** Removes the rows that are still marked. */
  | { readonly event: 'sweep' };

/** A store of rows, and of the position that they have reached. Rows of a store with another type must be assignable to its type. */
export interface SyncStore<Row, Id = string | number> {
  /** The text that the last `apply` was given; undefined for a store that is empty or new. */
  readonly position: () => string | undefined | Promise<string | undefined>;
  /**
   * Applies changes in their order and stores the position, all or nothing, in one transaction. A store whose position is not `from`
   * any more stays as it is: another process has changed it.
   * @returns whether it has applied them
   */
  readonly apply: (
    changes: readonly SyncChange<Row, Id>[],
    position: string,
    from: string | undefined,
  ) => boolean | Promise<boolean>;
  /** Removes all rows and the position. */
  readonly clear: () => void | Promise<void>;
}
