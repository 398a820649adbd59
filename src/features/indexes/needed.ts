/** Which indexes stay: those that hold a rule, and those that the next start would build again. */
import type { ModelEntry } from '../../core.ts';
import { isAddedIndex, undeclaredIndexes } from '../../models/loading/indexes.ts';
import type { StoredIndex } from './advice.ts';

/** Whether a model declares the index of a name. */
type IsDeclared = (name: string) => boolean;

/** @throws 503 */
export async function declarationTest(model: ModelEntry): Promise<IsDeclared> {
  const undeclared = await undeclaredIndexes(model);
  return (name) => !undeclared.has(name);
}

/** Why an index is not dropped, as a sentence without its subject; undefined for one that may be. */
export function reasonToKeep(
  model: ModelEntry,
  { name, key, unique, expires }: StoredIndex,
  isDeclared: IsDeclared,
): string | undefined {
  if (Object.keys(key).join() === '_id') return 'is the index of ids, which every collection has';
  if (unique) return 'is unique, and refuses equal values: only the database itself can drop it';
  if (expires) return 'removes documents by their age: only the database itself can drop it';
  if (!isDeclared(name)) return undefined;
  return model.file === undefined || isAddedIndex(model, key)
    ? 'is declared by the server, whose next start would build it again'
    : 'is declared by the model, so that the next start would build it again: remove it from the model file before';
}
