/** Keys of indexes as text. Pure. */

/** The paths of an index in their order, each with its direction or kind. */
export type IndexKey = Readonly<Record<string, number | string>>;

export const keyText = (key: IndexKey): string =>
  Object.entries(key)
    .map(([path, way]) => (way === 1 ? path : `${path} (${way === -1 ? 'descending' : way})`))
    .join(' + ');
