/** Options of model files that features add to those of the core (`options.ts`). */

/** An option: its check, its value where a file does not set it, and what a model with it has. */
export interface AddedOption<T = unknown> {
  readonly name: string;
  /** As the documentation lists it. */
  readonly meaning: string;
  /**
   * Checks the value of a file; `undefined` for a file without the option.
   * @param statics names of the schema's statics
   * @throws Error with a sentence that names the option
   */
  readonly read: (value: unknown, statics: ReadonlySet<string>) => T;
  /** An index of the models that have the option. */
  readonly index?: Readonly<Record<string, 1 | -1>>;
  /** Whether the description of a model has its name, as a switch. */
  readonly isDescribed?: true;
}

/** The options that the features of a server add. */
export interface AddedOptions {
  readonly rows: readonly AddedOption[];
  /** Those of features that the server does not have, by their names: the names of the features. */
  readonly leftOut: ReadonlyMap<string, string>;
}

/** The options of a server without features. */
export const noneAdded: AddedOptions = { rows: [], leftOut: new Map() };

/** @throws Error naming an option whose feature the server does not have: the file expects what would not happen */
export function refuseLeftOut(
  given: Readonly<Record<string, unknown>>,
  { leftOut }: Pick<AddedOptions, 'leftOut'>,
): void {
  for (const [name, feature] of leftOut) {
    const value = given[name];
    if (value !== undefined && value !== false)
      throw new Error(`${name} is an option of the feature ${feature}, which this server does not have: remove it`);
  }
}

/** The values of one model, by their rows. */
export class AddedValues {
  readonly #values: ReadonlyMap<AddedOption, unknown>;

  constructor(rows: readonly AddedOption[], given: Readonly<Record<string, unknown>>, statics: ReadonlySet<string>) {
    this.#values = new Map(rows.map((row) => [row, row.read(given[row.name], statics)]));
  }

  /** @throws Error where the server does not have the feature of the option */
  valueOf<T>(row: AddedOption<T>): T {
    if (!this.#values.has(row)) throw new Error(`this server has no option ${row.name}: its feature has been left out`);
    return this.#values.get(row) as T;
  }

  /** The options that the model has: those whose value is neither `undefined` nor `false`. */
  get set(): readonly AddedOption[] {
    return [...this.#values].flatMap(([row, value]) => (value === undefined || value === false ? [] : [row]));
  }
}
