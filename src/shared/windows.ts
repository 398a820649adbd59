/** Counts events by key in windows of time, each of which begins with the first event of its key. */
import type { Hits } from '../settings/config-file.ts';

interface Window {
  count: number;
  readonly ends: number;
}

export class Windows {
  /** In the order in which they began. */
  readonly #windows = new Map<string, Window>();

  constructor(private readonly now: () => number) {}

  count(key: string, windowMs: number): Hits {
    const now = this.now();
    this.#removeEnded(now);
    let window = this.#windows.get(key);
    // the clock may be set back
    if (window === undefined || window.ends <= now || window.ends > now + windowMs) {
      this.#windows.delete(key);
      window = { count: 0, ends: now + windowMs };
      this.#windows.set(key, window);
    }
    window.count += 1;
    return { totalHits: window.count, resetTime: new Date(window.ends) };
  }

  #removeEnded(now: number): void {
    for (const [key, { ends }] of this.#windows) {
      if (ends > now) return;
      this.#windows.delete(key);
    }
  }
}
