/** What every view receives (types only). */
export interface ViewParts {
  /** The parts of the path behind the name of the view. */
  readonly path: readonly string[];
}
