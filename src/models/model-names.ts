/** The names that models answer to. */
import { pluralOf } from './plural.ts';

export interface NamedModel {
  /** The name under which it is served: that of its file. */
  readonly name: string;
  /** The name under which its file compiles it, if it does. */
  readonly compiledAs?: string | undefined;
  /** The names of its discriminators. */
  readonly kinds?: readonly string[];
}

/**
 * Finds models by the names in code: that of `mongoose.model()`, that of the file, and those of discriminators. Letter case and number
 * (`Users` for `user`) do not matter, as in the names that Mongoose gives to collections; an exact name takes precedence.
 */
export class ModelNames {
  readonly #served = new Map<string, string>();

  constructor(models: readonly NamedModel[]) {
    const compiled = models.flatMap(({ name, compiledAs }) =>
      compiledAs === undefined ? [] : [[compiledAs, name] as const],
    );
    const own = models.map(({ name }) => [name, name] as const);
    const kinds = models.flatMap(({ name, kinds: all = [] }) => all.map((kind) => [kind, name] as const));
    const exact = [...compiled, ...own, ...kinds];
    for (const form of [(name: string) => name, lower, (name: string) => pluralOf(lower(name))])
      for (const [given, name] of exact) if (!this.#served.has(form(given))) this.#served.set(form(given), name);
  }

  /** The served name of a model; undefined for a name that no model answers to. */
  find(name: string): string | undefined {
    return this.#served.get(name) ?? this.#served.get(lower(name)) ?? this.#served.get(pluralOf(lower(name)));
  }
}

const lower = (name: string): string => name.toLowerCase();
