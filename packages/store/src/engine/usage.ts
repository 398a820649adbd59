/** How often commands have used each collection and how long they took, for `top` and `$collStats`. */
import type { Operation } from './operation.ts';

/** Commands on one collection since the start. */
export interface Used {
  count: number;
  /** Their time in microseconds. */
  time: number;
}

/** What a command does to a collection, by MongoDB's names in `top`. */
type Kind = 'queries' | 'getmore' | 'insert' | 'update' | 'remove' | 'commands';

const kinds: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['find', 'queries'],
  ['getMore', 'getmore'],
  ['insert', 'insert'],
  ['update', 'update'],
  ['delete', 'remove'],
]);

/** The commands that count as reads, and as writes; all others count as commands. */
const reads: ReadonlySet<string> = new Set(['find', 'getMore', 'aggregate', 'count', 'distinct']);
const writes: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify']);

/** The usage of one collection. */
export interface CollectionUsage {
  readonly byKind: Readonly<Record<Kind, Used>>;
  readonly byAccess: Readonly<Record<'reads' | 'writes' | 'commands', Used>>;
}

const unused = (): Used => ({ count: 0, time: 0 });

/** The usage of a collection that no command has used. */
const noUsage = (): CollectionUsage => ({
  byKind: {
    queries: unused(),
    getmore: unused(),
    insert: unused(),
    update: unused(),
    remove: unused(),
    commands: unused(),
  },
  byAccess: { reads: unused(), writes: unused(), commands: unused() },
});

/** Entries of dropped collections that may remain beside those of existing ones. */
const maxObsolete = 1000;

/** The usage of all collections since the start. */
export class Usage {
  readonly #exists: (ns: string) => boolean;
  readonly #used = new Map<string, CollectionUsage>();
  #existing = 0;

  /** @param exists whether a collection exists */
  constructor(exists: (ns: string) => boolean) {
    this.#exists = exists;
  }

  /** Counts a finished command, if its collection exists. */
  add(operation: Operation): void {
    const { name, ns } = operation.origin;
    const usage = this.#used.get(ns) ?? this.#make(ns);
    if (usage === undefined) return;
    const { byKind, byAccess } = usage;
    const access = reads.has(name) ? 'reads' : writes.has(name) ? 'writes' : 'commands';
    for (const used of [byKind[kinds.get(name) ?? 'commands'], byAccess[access]]) {
      used.count += 1;
      used.time += operation.microseconds;
    }
  }

  #make(ns: string): CollectionUsage | undefined {
    if (!this.#exists(ns)) return undefined;
    if (this.#used.size > this.#existing + maxObsolete) this.#forget();
    const usage = noUsage();
    this.#used.set(ns, usage);
    return usage;
  }

  /** Removes the entries of dropped collections. */
  #forget(): void {
    for (const ns of [...this.#used.keys()]) if (!this.#exists(ns)) this.#used.delete(ns);
    this.#existing = this.#used.size;
  }

  /** The usage of one collection. */
  of(ns: string): CollectionUsage {
    return this.#used.get(ns) ?? noUsage();
  }
}
