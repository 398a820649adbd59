/** Adds rows to a table of the core, in the order of the documentation. */

/** Rows of a feature. */
export interface AddedRows<T> {
  /** The name of the row that they follow, of the core or of a feature; without it, or where there is no such row, they come last. */
  readonly after: string | undefined;
  readonly rows: readonly T[];
}

/** @param added those that follow the same row keep their order */
export function mergeRows<T>(
  core: readonly T[],
  added: readonly AddedRows<T>[],
  nameOf: (row: T) => string,
): readonly T[] {
  const names = new Set([...core, ...added.flatMap(({ rows }) => rows)].map(nameOf));
  const isAfter = (row: T, { after }: AddedRows<T>): boolean => after === nameOf(row);
  const withFollowing = (row: T): readonly T[] => [
    row,
    ...added.filter((one) => isAfter(row, one)).flatMap(({ rows }) => rows.flatMap(withFollowing)),
  ];
  const last = added.filter(({ after }) => after === undefined || !names.has(after));
  return [...core, ...last.flatMap(({ rows }) => rows)].flatMap(withFollowing);
}
