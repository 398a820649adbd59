/**
 * All models of a server, by the name of the file or the compiled one, in any letter case. Internal models are for the server's own use and
 * are not served, but for the reads of its own models (docs/own-models.md), which callers name with a leading underscore.
 */
import { unknownModel } from '../errors/errors.ts';
import type { ModelEntry } from './entry.ts';

export interface Registry {
  /** The served or own model with a name; undefined for other internal models, and for names that no model has. */
  find(name: string): ModelEntry | undefined;
  /** The served model with a name. @throws 404 for all others */
  get(name: string): ModelEntry;
  /** Any model, including internal ones. */
  internal(name: string): ModelEntry;
  /** The served models, by name. */
  readonly served: readonly ModelEntry[];
  /** The server's own models, which callers read by their names, such as `_webhook`. */
  readonly own: readonly ModelEntry[];
  readonly all: readonly ModelEntry[];
}

export function makeRegistry(entries: readonly ModelEntry[]): Registry {
  const compiled = entries.flatMap((entry) =>
    entry.compiledAs === undefined ? [] : [[entry.compiledAs.toLowerCase(), entry] as const],
  );
  const byName = new Map([...compiled, ...entries.map((entry) => [entry.name, entry] as const)]);
  const any = (name: string): ModelEntry | undefined => byName.get(name) ?? byName.get(name.toLowerCase());
  const find = (name: string): ModelEntry | undefined => {
    const entry = any(name);
    return entry?.options.internal === true && !entry.isOwn ? undefined : entry;
  };
  const known = (name: string, entry: ModelEntry | undefined): ModelEntry => {
    if (entry === undefined) throw unknownModel(name);
    return entry;
  };
  return Object.freeze({
    find,
    get(name) {
      const entry = any(name);
      return known(name, entry?.options.internal === true ? undefined : entry);
    },
    internal: (name) => known(name, any(name)),
    served: entries.filter((entry) => !entry.options.internal),
    own: entries.filter(({ isOwn }) => isOwn),
    all: entries,
  } satisfies Registry);
}
