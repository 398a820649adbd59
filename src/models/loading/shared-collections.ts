/** Models that have a collection in common. */
import type { ModelEntry } from '../entry.ts';
import { type ModelFaults, modelFileError } from './files.ts';

/** Whether a model is one of the server's own: that of users, or one that it keeps for itself. */
const isOwn = ({ name, options }: ModelEntry): boolean => name === 'user' || options.internal;

/**
 * Refuses models of files in collections of the server's own: their rights would give what those of the server's model refuse.
 * @param faults receives one for each, with what the model must be
 */
export function refuseOwnCollections(entries: readonly ModelEntry[], faults: ModelFaults): void {
  const own = new Map(entries.filter(isOwn).map((entry) => [entry.collection, entry]));
  for (const entry of entries) {
    const owner = own.get(entry.collection);
    if (owner === undefined || owner === entry) continue;
    faults.add(modelFileError(entry.file ?? entry.name, reasonOf(entry, owner)));
  }
}

const reasonOf = ({ name, collection }: ModelEntry, owner: ModelEntry): string =>
  owner.name === 'user'
    ? `the collection ${collection} of the model ${name} is that of users, so that its rights would hold for them: name the file user.* to define the fields and rights of users, or give the model another collection`
    : `the collection ${collection} is the server's own: give the model ${name} another one`;

/** Warns about another model of the same collection. Discriminators share the collection of their model on purpose, and are no models. */
export function sharedCollection(entry: ModelEntry, entries: readonly ModelEntry[]): string | undefined {
  const others = entries.filter((other) => other !== entry && other.collection === entry.collection);
  if (others.length === 0) return undefined;
  const names = others.map(({ name }) => name).join(', ');
  return `the collection ${entry.collection} is also that of ${names}, so that callers have the rights of each on all of its documents: give each model a collection of its own, or make them discriminators of one`;
}
