/** All models of a server, by the name of the file or the compiled one, in any letter case. Internal models are for the server's own use and are never served. */
import { unknownModel } from '../errors/errors.ts';
import type { ModelEntry } from './entry.ts';

export interface Registry {
  /** The served model with a name; undefined for unknown and internal models. */
  find(name: string): ModelEntry | undefined;
  /** The same. @throws 404 for unknown and internal models */
  get(name: string): ModelEntry;
  /** Any model, including internal ones. */
  internal(name: string): ModelEntry;
  /** The served models, by name. */
  readonly served: readonly ModelEntry[];
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
    return entry?.options.internal === true ? undefined : entry;
  };
  const known = (name: string, entry: ModelEntry | undefined): ModelEntry => {
    if (entry === undefined) throw unknownModel(name);
    return entry;
  };
  return Object.freeze({
    find,
    get: (name) => known(name, find(name)),
    internal: (name) => known(name, any(name)),
    served: entries.filter((entry) => !entry.options.internal),
    all: entries,
  } satisfies Registry);
}
