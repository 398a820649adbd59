/**
 * The subscriptions of one subscriber, counted by model, so that writers publish before-images only for models with subscribers.
 */
import type { ModelEntry } from '../../../core.ts';
import type { Subscription } from './subscription.ts';

/** Counts the subscriptions of all subscribers. */
export interface Interest {
  add(model: ModelEntry, count: 1 | -1): void;
}

export class Subscriptions {
  readonly #byKey = new Map<string, Subscription>();

  constructor(readonly interest: Interest) {}

  get size(): number {
    return this.#byKey.size;
  }

  get all(): readonly Subscription[] {
    return [...this.#byKey.values()];
  }

  has({ key }: Subscription): boolean {
    return this.#byKey.has(key);
  }

  hasModel(model: ModelEntry): boolean {
    for (const subscription of this.#byKey.values()) if (subscription.model === model) return true;
    return false;
  }

  add(subscription: Subscription): void {
    this.#byKey.set(subscription.key, subscription);
    this.interest.add(subscription.model, 1);
  }

  delete(key: string): void {
    const subscription = this.#byKey.get(key);
    if (subscription === undefined) return;
    this.#byKey.delete(key);
    this.interest.add(subscription.model, -1);
  }

  clear(): void {
    for (const key of [...this.#byKey.keys()]) this.delete(key);
  }
}
