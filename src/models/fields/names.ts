/** The names that a model declares at every level of its documents (types only). */

/** The names in a value: any, or those that are declared. */
export type Names = 'any' | DeclaredNames;

export interface DeclaredNames {
  /** Where there are discriminators, those of all of them. A plain value, such as a number, declares none. */
  readonly byName: ReadonlyMap<string, Names>;
  /** The names in the values of a map, whose keys are free. */
  readonly inValues?: Names;
  /** How many lists such documents are in, one in the other. */
  readonly lists?: number;
  readonly kinds?: KindNames;
}

/** The names in the documents of each discriminator. */
export interface KindNames {
  /** The name of the discriminator key. */
  readonly key: string;
  readonly byValue: ReadonlyMap<unknown, Names>;
  /** The names in all other documents: those of the schema itself. */
  readonly base: Names;
}
