/**
 * Removes expired data: documents by TTL indexes, idle sessions and cursors, and transactions over their time limit.
 */
import { setImmediate } from 'node:timers/promises';
import type { Collection } from './collection.ts';
import type { Cursors } from './cursors.ts';
import type { IndexTree } from './index-tree.ts';
import { LiveView } from './live-view.ts';
import type { Sessions } from './sessions.ts';
import type { Store } from './store.ts';
import type { StoredDocument } from './stored-document.ts';
import type { WriteBatch } from './write-batch.ts';

/** The parts of the engine whose data expires. */
interface Expiring {
  readonly store: Store;
  readonly sessions: Sessions;
  readonly cursors: Cursors;
  write<T>(work: (batch: WriteBatch) => T): Promise<T>;
}

/** Documents removed under one write lock, to bound the wait of other writers. */
const perTurn = 500;
const maxIntervalMs = 1000 * 60 * 60;

/** Starts the periodic expiry; the returned function stops it. */
export function startExpiry(engine: Expiring): () => void {
  const everyMs = Math.min(engine.store.limits.expirySeconds * 1000, maxIntervalMs);
  const timer = setInterval(() => {
    expire(engine).catch(() => undefined);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Runs one round. */
export async function expire(engine: Expiring, now = Date.now()): Promise<void> {
  const old = engine.sessions.expired(now);
  if (old.length > 0) {
    await engine.write((batch) => {
      for (const key of old) engine.sessions.end(key, batch);
    });
    for (const key of old) await engine.cursors.killOf(key);
  }
  await engine.cursors.expire(now - engine.store.limits.sessionMinutes * 60_000);
  for (const collection of engine.store.catalog.all) {
    if (engine.store.damage.has(collection)) continue;
    for (const tree of collection.trees) {
      if (tree.spec.expireAfterSeconds !== undefined) await expireDocuments(engine, collection, tree, now);
    }
  }
  await engine.store.history.prune(now, () => setImmediate());
}

async function expireDocuments(engine: Expiring, collection: Collection, tree: IndexTree, now: number): Promise<void> {
  const before = new Date(now - (tree.spec.expireAfterSeconds ?? 0) * 1000);
  const earliest = new Date(-8_640_000_000_000_000);
  const backwards = tree.spec.fields[0]?.direction === -1;
  for (let removed = perTurn; removed === perTurn;) {
    removed = await engine.write((batch) => {
      const view = new LiveView(engine.store, batch);
      if (view.find(collection.db, collection.name) !== collection || !collection.trees.includes(tree)) return 0;
      const [low, high] = backwards ? [before, earliest] : [earliest, before];
      const found = new Map<number, StoredDocument>();
      for (const block of collection.between(tree, { low: [low], high: [high] }, { backwards: false })) {
        for (const stored of block) if (found.size < perTurn) found.set(stored.sequence, stored);
        if (found.size === perTurn) break;
      }
      for (const stored of found.values()) view.remove(collection, stored);
      return found.size;
    });
  }
}
