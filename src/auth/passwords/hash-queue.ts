/**
 * The queue of password jobs: logins before new passwords, and within each the callers in turn, so that no caller blocks the
 * others.
 */

export type HashKind = 'login' | 'hash';

/** A job: its kind, and its caller (a user's id or an address). */
export interface Queued {
  readonly kind: HashKind;
  readonly by: string;
}

export class HashQueue<T extends Queued> {
  /** The jobs of each caller; the next caller comes first. */
  readonly #waiting: Readonly<Record<HashKind, Map<string, T[]>>> = { login: new Map(), hash: new Map() };
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of waiting jobs of a job's caller. */
  countOf({ kind, by }: Queued): number {
    return this.#waiting[kind].get(by)?.length ?? 0;
  }

  /** The number of waiting jobs that would run before a new one. */
  ahead(work: Queued): number {
    const own = this.countOf(work);
    let count = 0;
    for (const list of this.#waiting[work.kind].values()) count += Math.min(list.length, own + 1);
    if (work.kind === 'hash') for (const list of this.#waiting.login.values()) count += list.length;
    return count;
  }

  push(work: T): void {
    const callers = this.#waiting[work.kind];
    const list = callers.get(work.by);
    if (list === undefined) callers.set(work.by, [work]);
    else list.push(work);
    this.#size += 1;
  }

  /** Removes the next job; its caller moves to the end of the queue. */
  next(): T | undefined {
    return this.#nextOf('login') ?? this.#nextOf('hash');
  }

  /** Removes a job that no longer waits. */
  remove(work: T): void {
    const callers = this.#waiting[work.kind];
    const list = callers.get(work.by) ?? [];
    const at = list.indexOf(work);
    if (at === -1) return;
    list.splice(at, 1);
    if (list.length === 0) callers.delete(work.by);
    this.#size -= 1;
  }

  #nextOf(kind: HashKind): T | undefined {
    const callers = this.#waiting[kind];
    const [entry] = callers;
    if (entry === undefined) return undefined;
    const [by, list] = entry;
    const work = list.shift();
    callers.delete(by);
    if (list.length > 0) callers.set(by, list);
    this.#size -= 1;
    return work;
  }
}
