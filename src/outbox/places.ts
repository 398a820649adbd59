/**
 * Which entries of a kind a process may begin, so that groups that hang or fail leave room for the others. A group whose last run has
 * failed has one place. All of these, and runs that take long, share half of the places; the other half is for groups that answer. A run
 * that takes long gives its place back, where its kind waits for others rather than works.
 */
import type { Entry, OutboxKind, RunOutcome } from './contract.ts';

/** Runs of a process at a time, slow ones included, as a multiple of the places. */
const maxSlowFactor = 5;

interface Run {
  readonly group: string;
  readonly began: number;
}

/** The room for entries at one moment. */
export interface Room {
  /** How many may begin. */
  readonly max: number;
  /** Groups of which none may begin. */
  readonly withoutGroups: readonly string[];
  readonly withoutIds: readonly string[];
  /** Takes the place of an entry of a group, if there is one. */
  take(group: string): boolean;
}

type Kind = Pick<OutboxKind, 'concurrency' | 'groupConcurrency' | 'slowAfterMs'>;

export class Places {
  readonly #runs = new Map<string, Run>();
  /** Groups whose last run has failed. */
  readonly #failing = new Set<string>();
  readonly #slowAfterMs: number;

  /** @param elapsed monotonic milliseconds */
  constructor(
    private readonly kind: Kind,
    private readonly elapsed: () => number = () => performance.now(),
  ) {
    this.#slowAfterMs = kind.slowAfterMs ?? Infinity;
  }

  began({ id, group }: Pick<Entry, 'id' | 'group'>): void {
    this.#runs.set(id, { group, began: this.elapsed() });
  }

  /** @param status undefined for a run that did not take place */
  ended({ id, group }: Pick<Entry, 'id' | 'group'>, status: RunOutcome['status'] | undefined): void {
    this.#runs.delete(id);
    if (status === 'waiting' || status === 'dead') this.#failing.add(group);
    else if (status !== undefined) this.#failing.delete(group);
  }

  /** How many run, those that have given their places back included. */
  get runs(): number {
    return this.#runs.size;
  }

  /** Milliseconds until a place is given back by a run that takes long; undefined where none will be. */
  get freeInMs(): number | undefined {
    if (this.#slowAfterMs === Infinity) return undefined;
    const left = [...this.#runs.values()].map(({ began }) => began + this.#slowAfterMs - this.elapsed());
    const next = Math.min(...left.filter((ms) => ms > 0));
    return next === Infinity ? undefined : next;
  }

  get room(): Room {
    const { concurrency, groupConcurrency = Infinity } = this.kind;
    const runs = [...this.#runs.values()];
    const isSlow = ({ began }: Run): boolean => this.elapsed() - began >= this.#slowAfterMs;
    const doubtful = new Set([...this.#failing, ...runs.filter(isSlow).map(({ group }) => group)]);
    const taken = new Map<string, number>();
    let doubtfulTaken = 0;
    const add = (group: string): void => {
      taken.set(group, (taken.get(group) ?? 0) + 1);
      if (doubtful.has(group)) doubtfulTaken++;
    };
    for (const { group } of runs) add(group);
    const hasPlace = (group: string): boolean => {
      const count = taken.get(group) ?? 0;
      if (!doubtful.has(group)) return count < groupConcurrency;
      return count === 0 && doubtfulTaken < Math.max(1, Math.floor(concurrency / 2));
    };
    const quick = runs.filter((run) => !isSlow(run)).length;
    return {
      max: Math.min(concurrency - quick, maxSlowFactor * concurrency - runs.length),
      withoutGroups: [...new Set([...taken.keys(), ...doubtful])].filter((group) => !hasPlace(group)),
      withoutIds: [...this.#runs.keys()],
      take(group) {
        const isFree = hasPlace(group);
        if (isFree) add(group);
        return isFree;
      },
    };
  }
}
