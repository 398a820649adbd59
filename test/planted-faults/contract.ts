/**
 * Faults that the suite has to find: each changes an operator, drops a check, swaps an order or loses an await in one of the files that
 * most requests run. `npm run test:faults-planted` plants them one by one (CONTRIBUTING.md, "Planted faults").
 */

/** `from` is a text that the file has once, and `to` takes its place. `effect` is what is wrong then, for a user. */
type PlantedFault = readonly [from: string, to: string, effect: string];

/** The faults of one file. */
export interface FaultyFile {
  /** Below `src`. */
  readonly file: string;
  /** Paths of the tests that are to find them. */
  readonly tests: readonly string[];
  readonly faults: readonly PlantedFault[];
}
