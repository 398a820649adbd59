/** Caches answers in memory, by plan. The adapter of node-cache. */
import NodeCache from 'node-cache';
import type { AnswerCache, CacheParts, EncodedAnswer, ModelEntry } from '../../core.ts';

/** Maximum bytes of cached answers; beyond it the oldest are removed. */
const maxBytes = 64 * 1024 * 1024;

interface Entry {
  readonly models: readonly ModelEntry[];
  readonly bytes: number;
}

/**
 * Keeps answers until a model that they depend on changes. An answer whose models change while it is being read is not kept: models have
 * revisions, and those from before the read must still hold after it.
 */
export class MemoryCache implements AnswerCache {
  readonly #store: NodeCache;
  /** What the store holds, by key, the oldest first. */
  readonly #entries = new Map<string, Entry>();
  /** The number of the last change of each model. */
  readonly #revisions = new Map<ModelEntry, number>();
  readonly #unsubscribe: readonly (() => void)[];
  #changes = 0;
  /** How often everything was emptied. */
  #clears = 0;
  #bytes = 0;

  /** @param seconds for which an answer is kept at most @param shared reaches the other processes, each with a cache of its own */
  constructor(
    seconds: number,
    private readonly parts: Omit<CacheParts, 'settings'>,
  ) {
    const { bus, shared } = parts;
    this.#store = new NodeCache({ stdTTL: seconds, useClones: false, checkperiod: Math.min(seconds, 60) });
    const removed = (key: string): void => this.#removed(key);
    this.#store.on('del', removed);
    this.#store.on('expired', removed);
    this.#unsubscribe = [
      bus.subscribe((changes) => this.#invalidate(new Set(changes.map(({ model }) => model)))),
      // a function may have written to any model
      bus.onInvalidated(() => {
        this.#clears += 1;
        this.#store.del([...this.#entries.keys()]);
      }),
    ];
    shared.onMessage('cache clear', () => this.#clear());
    shared.onMessage('cache stats', () => this.#stats());
  }

  async through(
    key: string,
    models: readonly ModelEntry[],
    make: () => Promise<EncodedAnswer>,
  ): Promise<EncodedAnswer> {
    const known = this.known(key);
    this.parts.metrics.count(known === undefined ? 'dossier_cache_misses_total' : 'dossier_cache_hits_total');
    if (known !== undefined) return known;
    const before = this.#revisionOf(models);
    const reading = await make();
    if (before === this.#revisionOf(models)) this.#keep(key, models, reading);
    return { ...reading, headers: { ...reading.headers, 'x-cache': 'miss' } };
  }

  known(key: string): EncodedAnswer | undefined {
    const kept = this.#store.get<EncodedAnswer>(key);
    return kept && { ...kept, headers: { ...kept.headers, 'x-cache': 'hit' } };
  }

  async stats(): ReturnType<AnswerCache['stats']> {
    const own = this.#stats();
    for (const other of await this.parts.shared.broadcast('cache stats', undefined))
      for (const [name, count] of Object.entries(other)) own[name as keyof typeof own] += count;
    return own;
  }

  clear(): void {
    this.#clear();
    void this.parts.shared.broadcast('cache clear', undefined);
  }

  close(): void {
    for (const stop of this.#unsubscribe) stop();
    this.#store.close();
  }

  #stats(): Awaited<ReturnType<AnswerCache['stats']>> {
    return { ...this.#store.getStats(), vsize: this.#bytes };
  }

  #clear(): void {
    this.#clears += 1;
    this.#store.flushAll();
    this.#entries.clear();
    this.#bytes = 0;
  }

  #revisionOf(models: readonly ModelEntry[]): string {
    return `${this.#clears},${models.map((model) => this.#revisions.get(model) ?? 0).join()}`;
  }

  #invalidate(changed: ReadonlySet<ModelEntry>): void {
    this.#changes += 1;
    for (const model of changed) this.#revisions.set(model, this.#changes);
    for (const [key, { models }] of this.#entries) if (models.some((model) => changed.has(model))) this.#store.del(key);
  }

  #keep(key: string, models: readonly ModelEntry[], reading: EncodedAnswer): void {
    const bytes = reading.body.length;
    if (bytes > maxBytes / 4) return;
    this.#store.del(key);
    for (const oldest of this.#entries.keys()) {
      if (this.#bytes + bytes <= maxBytes) break;
      this.#store.del(oldest);
    }
    this.#entries.set(key, { models, bytes });
    this.#bytes += bytes;
    this.#store.set(key, reading);
  }

  /** The store has removed an answer. */
  #removed(key: string): void {
    this.#bytes -= this.#entries.get(key)?.bytes ?? 0;
    this.#entries.delete(key);
  }
}
