/** Figures: a number of a model's documents, or one for each day or value (types, and the choices that there are). */

/** What a number is of. */
export const measures = ['count', 'sum', 'average', 'min', 'max'] as const;
export const units = ['day', 'week', 'month', 'year'] as const;

export interface Figure {
  readonly of: (typeof measures)[number];
  /** Of numbers; null for a count. */
  readonly path: string | null;
  /** There is a number for each of its values; null for one number. */
  readonly by: string | null;
  /** The periods of a date; null for other values. */
  readonly unit: (typeof units)[number] | null;
  /** The time zone in which periods begin, of the IANA database; null for other values. */
  readonly zone: string | null;
}
