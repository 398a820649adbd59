/** Finds pages of a data file that would never be deleted. */
import Database from 'libsql';
import { Engine } from '../../../src/engine/engine.ts';
import { defaultLimits } from '../../../src/engine/limits.ts';
import { Loading } from '../../../src/engine/loading.ts';
import type { Ref } from '../../../src/engine/pages/node.ts';
import { PageStore, throwUnreadable } from '../../../src/engine/pages/page-store.ts';
import type { NodeStore } from '../../../src/engine/pages/shape.ts';
import { dataPath } from '../../../src/storage/files.ts';
import { openSqlite } from '../../../src/storage/sqlite.ts';
import type { LoadTarget } from '../../../src/storage/storage.ts';
import { connectUnsynced } from '../../server/faulty.ts';

// the trees of a collection have different keys and values

type Nodes = NodeStore<any, any>;

function fail(error: unknown): never {
  throw error;
}

/** Adds the pages of a subtree. */
function addPages(ref: Ref<unknown, unknown>, nodes: Nodes, pages: Set<number>): void {
  if (ref.page === 0) return;
  pages.add(ref.page);
  for (const child of nodes.load(ref).children ?? []) addPages(child, nodes, pages);
}

/** The pages below the roots of collections, and those that are listed as obsolete. */
function knownPages(dir: string): ReadonlySet<number> {
  const known = new Set<number>();
  const storage = openSqlite(dir, connectUnsynced);
  try {
    if (storage.pages === undefined) throw new Error('the store has no pages');
    const pages = new PageStore(storage.pages, { cacheBytes: 1_000_000, decodedBytes: 100_000 }, throwUnreadable);
    const loading = new Loading(pages, pages);
    const target: LoadTarget = Object.create(loading.target(new Map()), {
      // a repeated change would replace pages in memory
      change: { value: () => undefined },
    });
    storage.load(target);
    for (const { tree } of loading.loaded.flatMap(({ stored }) => stored)) {
      if (tree.store !== undefined) addPages(tree.freeze(), tree.store, known);
    }
    for (let taken = pages.garbage.take(1000); taken !== undefined; taken = pages.garbage.take(1000)) {
      for (const page of taken.pages) known.add(page);
    }
  } finally {
    storage.close();
  }
  return known;
}

/** The first number of each row of a query on the data file of a folder. */
export function numbersOf(dir: string, query: string): readonly number[] {
  const database = new Database(dataPath(dir));
  try {
    return database
      .prepare(query)
      .raw()
      .all()
      .map((row) => (Array.isArray(row) ? Number(row[0]) : Number.NaN));
  } finally {
    database.close();
  }
}

/**
 * The pages of a data file that no root needs and no list of obsolete pages contains, after a start and a checkpoint.
 * The store must not be open.
 */
export async function lostPages(dir: string): Promise<readonly number[]> {
  const engine = await Engine.start(openSqlite(dir, connectUnsynced), defaultLimits, {
    onWarning: fail,
    onFatal: fail,
  });
  await engine.store.checkpoints?.run();
  await engine.close();
  const all = numbersOf(dir, 'SELECT id FROM pages ORDER BY id');
  const known = knownPages(dir);
  return all.filter((page) => !known.has(page));
}
