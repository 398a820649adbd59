/** Adds rows to a table of the core, in the order of the documentation. */

/** Rows of a feature. */
export interface AddedRows<T> {
  /** The name of the row of the core that they follow; without it, or where the core has none of this name, they come last. */
  readonly after: string | undefined;
  readonly rows: readonly T[];
}

/** @param added those that follow the same row keep their order */
export function mergeRows<T>(
  core: readonly T[],
  added: readonly AddedRows<T>[],
  nameOf: (row: T) => string,
): readonly T[] {
  const names = new Set(core.map(nameOf));
  const rowsAfter = (name: string): readonly T[] => added.flatMap(({ after, rows }) => (after === name ? rows : []));
  const isLast = ({ after }: AddedRows<T>): boolean => after === undefined || !names.has(after);
  return [
    ...core.flatMap((row) => [row, ...rowsAfter(nameOf(row))]),
    ...added.filter(isLast).flatMap(({ rows }) => rows),
  ];
}
