/** Takes away what has run out: documents by their TTL indexes, sessions, transactions and cursors by disuse. */
import type { Collection } from './collection.ts';
import type { Engine } from './engine.ts';
import type { IndexTree } from './index-tree.ts';
import { LiveView } from './live-view.ts';
import type { Stored } from './stored.ts';

/** Documents that are removed in one turn, so that other writers need not wait long. */
const perTurn = 500;
const longestMs = 1000 * 60 * 60;

/** Begins to look now and then; the answer ends it. */
export function startExpiry(engine: Engine): () => void {
  const everyMs = Math.min(engine.store.limits.expirySeconds * 1000, longestMs);
  const timer = setInterval(() => {
    expire(engine).catch(() => undefined);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** One round. */
export async function expire(engine: Engine, now = Date.now()): Promise<void> {
  const old = engine.sessions.expired(now);
  if (old.length > 0) {
    await engine.write((unit) => {
      for (const key of old) engine.sessions.end(key, unit);
    });
    for (const key of old) await engine.cursors.killOf(key);
  }
  await engine.cursors.expire(now - engine.store.limits.sessionMinutes * 60_000);
  for (const collection of engine.store.catalog.all) {
    for (const tree of collection.trees) {
      if (tree.spec.expireAfterSeconds !== undefined) await expireDocuments(engine, collection, tree, now);
    }
  }
}

async function expireDocuments(engine: Engine, collection: Collection, tree: IndexTree, now: number): Promise<void> {
  const before = new Date(now - (tree.spec.expireAfterSeconds ?? 0) * 1000);
  const earliest = new Date(-8_640_000_000_000_000);
  const backwards = tree.spec.fields[0]?.direction === -1;
  for (let removed = perTurn; removed === perTurn;) {
    removed = await engine.write((unit) => {
      const view = new LiveView(engine.store, unit);
      if (view.find(collection.db, collection.name) !== collection || !collection.trees.includes(tree)) return 0;
      const [low, high] = backwards ? [before, earliest] : [earliest, before];
      const found = new Set<Stored>();
      for (const block of tree.between([low], [high], false)) {
        for (const stored of block) if (found.size < perTurn) found.add(stored);
        if (found.size === perTurn) break;
      }
      for (const stored of found) view.remove(collection, stored);
      return found.size;
    });
  }
}
