/**
 * The active webhooks, in the memory of each process, so that a write without any costs nothing. Within a server a change of them is
 * broadcast. Other servers read them every second, and one that has not read them for longer does not trust its memory: it then reads them
 * with each write. The request that activates a
 * webhook waits for that long before its answer, so that no later write misses it.
 */
import type { ClientSession } from 'mongoose';
import {
  type Collection,
  inSession,
  internalCollection,
  type ModelEntry,
  type Mutation,
  type RecorderParts,
} from '../../core.ts';
import type { WebhookRow } from './contract.ts';

/** Milliseconds between two reads where there are several servers. */
const everyMs = 1000;
/** Milliseconds after which memory is not trusted. */
const maxAgeMs = 3000;

export type ActiveWebhook = Pick<WebhookRow, '_id' | 'models' | 'events'>;

type Parts = Pick<RecorderParts, 'registry' | 'shared' | 'settings'>;

export const activeWebhooks = (parts: Parts): ActiveWebhooks => new ActiveWebhooks(parts);

export class ActiveWebhooks {
  readonly #rows: Collection<WebhookRow>;
  /** Whether other servers may use the database. */
  readonly #hasOthers: boolean;
  /** Called when there are some. */
  whenActive: () => Promise<void> = () => Promise.resolve();
  #known: readonly ActiveWebhook[] = [];
  #readAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: Parts) {
    this.#rows = internalCollection(parts.registry, '_webhook');
    this.#hasOthers = parts.settings.mongodb_url !== undefined;
    parts.shared.onMessage('webhooks changed', () => this.#reread());
  }

  /** Begins to trust what is read. */
  async begin(): Promise<void> {
    await this.#reread();
    if (this.#hasOthers) this.#timer = setInterval(() => void this.#reread(), everyMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Whether writes of a model may have to be delivered. */
  readonly mayHave = ({ name }: ModelEntry): boolean => this.#isStale || this.#known.some((one) => isOf(one, name));

  readonly mayDeliver = ({ model }: Pick<Mutation, 'model'>): boolean => this.mayHave(model);

  /** The active webhooks, at the moment of a write. @throws the driver's errors */
  async current(session: ClientSession | undefined): Promise<readonly ActiveWebhook[]> {
    if (!this.#isStale) return this.#known;
    const read = await this.#read(session);
    // what could not be read again before may be read now
    if (!this.#hasOthers) void this.#reread();
    return read;
  }

  /** Reports a change to all processes. @param isMore whether there may be one more: it resolves when no later write misses it */
  async changed(isMore: boolean): Promise<void> {
    this.#readAt = -Infinity;
    await this.#reread();
    await this.parts.shared.broadcast('webhooks changed', undefined);
    if (isMore && this.#hasOthers) await new Promise((done) => setTimeout(done, maxAgeMs));
  }

  get #isStale(): boolean {
    return this.#readAt === -Infinity || (this.#hasOthers && performance.now() - this.#readAt > maxAgeMs);
  }

  /** Memory that can't be read again is not trusted. */
  async #reread(): Promise<void> {
    const began = performance.now();
    try {
      this.#known = await this.#read(undefined);
      if (this.#known.length > 0) await this.whenActive();
      this.#readAt = began;
    } catch {
      if (!this.#hasOthers) this.#readAt = -Infinity;
    }
  }

  #read(session: ClientSession | undefined): Promise<readonly ActiveWebhook[]> {
    const fields = { projection: { models: 1, events: 1 }, ...inSession(session) };
    return this.#rows.find<ActiveWebhook>({ active: true }, fields).toArray();
  }
}

export const isOf = ({ models }: Pick<WebhookRow, 'models'>, model: string): boolean =>
  models.includes('*') || models.includes(model);
