/** All models of a server, by case-insensitive name. Internal models are for the server's own use and are never served. */
import { unknownModel } from '../errors.ts';
import type { ModelEntry } from './entry.ts';

export interface Registry {
  /** The served model with a name. @throws 404 for unknown and internal models */
  get(name: string): ModelEntry;
  /** Any model, including internal ones. */
  internal(name: string): ModelEntry;
  /** The served models, by name. */
  readonly served: readonly ModelEntry[];
  readonly all: readonly ModelEntry[];
}

export function makeRegistry(entries: readonly ModelEntry[]): Registry {
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const found = (name: string): ModelEntry => {
    // a file may be named with capitals, and so may links
    const entry = byName.get(name) ?? byName.get(name.toLowerCase());
    if (entry === undefined) throw unknownModel(name);
    return entry;
  };
  return Object.freeze({
    get(name) {
      const entry = found(name);
      if (entry.options.internal) throw unknownModel(name);
      return entry;
    },
    internal: found,
    served: entries.filter((entry) => !entry.options.internal),
    all: entries,
  } satisfies Registry);
}
