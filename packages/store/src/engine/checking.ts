/** Checks a collection: every document can be decoded, and every index has exactly the keys of the documents. */
import { decode } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import type { IndexTree } from './index-tree.ts';
import type { Operation } from './operation.ts';
import type { StoredDocument } from './stored-document.ts';

/** The result for one index. */
interface CheckedIndex {
  readonly name: string;
  /** Keys of the index. */
  readonly keys: number;
  readonly errors: readonly string[];
}

/** The result for a collection. */
export interface Checked {
  readonly documents: number;
  /** Documents that cannot be decoded. */
  readonly invalid: number;
  /** Documents that the validator of the collection refuses. */
  readonly refused: number;
  readonly indexes: readonly CheckedIndex[];
}

/** The keys that the documents have in an index, and those that the index lacks. */
interface Tally {
  readonly tree: IndexTree;
  expected: number;
  missing: number;
}

/**
 * Checks a collection as it is now; later writes do not affect the result.
 * @param accepts whether the validator of the collection accepts a document
 */
export async function checkCollection(
  collection: Collection,
  operation: Operation,
  accepts: (stored: StoredDocument) => boolean,
): Promise<Checked> {
  const frozen = collection.fork();
  const tallies = frozen.trees.map((tree): Tally => ({ tree, expected: 0, missing: 0 }));
  let [invalid, refused] = [0, 0];
  for (const block of frozen.scan()) {
    for (const stored of block) {
      if (!isWhole(stored)) invalid += 1;
      else if (!accepts(stored)) refused += 1;
      for (const tally of tallies) count(tally, stored);
      if (operation.due()) await operation.yieldNow();
    }
  }
  return { documents: frozen.size, invalid, refused, indexes: tallies.map(resultOf) };
}

function count(tally: Tally, stored: StoredDocument): void {
  const { keys, missing } = tally.tree.check(stored);
  tally.expected += keys;
  tally.missing += missing;
}

function isWhole({ bytes }: StoredDocument): boolean {
  try {
    decode(bytes);
    return true;
  } catch {
    return false;
  }
}

function resultOf({ tree, expected, missing }: Tally): CheckedIndex {
  const { name } = tree.spec;
  const extra = tree.size - (expected - missing);
  const errors = [
    ...(missing > 0 ? [`the index ${name} lacks ${missing} keys`] : []),
    ...(extra > 0 ? [`the index ${name} has ${extra} keys without a document`] : []),
  ];
  return { name, keys: tree.size, errors };
}
