/**
 * The changes that writers of this server have published, kept until the database's stream delivers them: only the writers have
 * the before-image, the user, and whether the change is silent.
 */
import { yieldNow } from '../../async/yield.ts';
import type { Change } from './contract.ts';
import { documentKey, type State, versionOf } from './stream-change.ts';

/** Milliseconds for which a change waits for its event. */
const maxAgeMs = 60_000;

/** `covered`: a writer has joined this change with a later one. */
type Claimed = Change | 'covered' | undefined;

export class LocalChanges {
  /** Changes by document, in two generations: the older one is dropped as a whole. */
  #young = new Map<string, Change[]>();
  #old = new Map<string, Change[]>();
  /** When the younger generation began, by `performance.now()`, as all times here. */
  #youngSince = performance.now();
  /** The callbacks that wait for a change of a document. */
  readonly #waiting = new Map<string, Set<() => void>>();
  /** The start of the last awaited iteration of the event loop. */
  #iterationBegan = -Infinity;

  add(change: Change): void {
    if (performance.now() - this.#youngSince > maxAgeMs / 2) {
      [this.#young, this.#old] = [new Map<string, Change[]>(), this.#young];
      this.#youngSince = performance.now();
    }
    const document = documentKey(change.model, change.id);
    const changes = this.#young.get(document);
    if (changes === undefined) this.#young.set(document, [change]);
    else changes.push(change);
    for (const end of [...(this.#waiting.get(document) ?? [])]) end();
  }

  /** Removes and returns the change that led to a state. Waits for it until a time of `performance.now()`. */
  async claim(state: State, until: number): Promise<Claimed> {
    let found = this.#take(state);
    while (found === undefined && performance.now() < until) {
      await this.#waitForChange(state.document, until);
      found = this.#take(state);
    }
    if (found !== undefined) return found;
    await this.#afterIteration(until);
    return this.#take(state);
  }

  #take(state: State): Claimed {
    for (const generation of [this.#young, this.#old]) {
      const changes = generation.get(state.document) ?? [];
      const at = changes.findIndex((change) => isOf(change, state));
      const change = changes[at];
      if (change !== undefined) {
        changes.splice(at, 1);
        if (changes.length === 0) generation.delete(state.document);
        return change;
      }
      if (changes.some((one) => covers(one, state))) return 'covered';
    }
    return undefined;
  }

  /** Waits for a change of a document, or for the time limit. */
  #waitForChange(document: string, until: number): Promise<void> {
    return new Promise((done) => {
      const waiters = this.#waiting.get(document) ?? new Set();
      this.#waiting.set(document, waiters);
      const end = (): void => {
        clearTimeout(timer);
        waiters.delete(end);
        if (waiters.size === 0) this.#waiting.delete(document);
        done();
      };
      const timer = setTimeout(end, until - performance.now());
      waiters.add(end);
    });
  }

  /**
   * After a long pause of the process the time limit passes before the writer's answer has been read, which takes an iteration of
   * the event loop. One iteration is enough for all events whose limit had passed when it began.
   */
  async #afterIteration(until: number): Promise<void> {
    if (this.#iterationBegan >= until) return;
    const began = performance.now();
    await yieldNow();
    this.#iterationBegan = began;
  }
}

/** Whether a change led to a state; of a deletion a writer may only have the state before. */
function isOf(change: Change, { version }: State): boolean {
  if (version === undefined) return change.event === 'del' && change.after === undefined;
  const before = versionOf(change.before);
  return version === (versionOf(change.after) ?? change.version ?? (before === undefined ? undefined : before + 1));
}

function covers({ event, before, after, joined, version: last }: Change, { version }: State): boolean {
  if (joined !== true) return false;
  const isNew = before === undefined && event === 'post';
  const [from, to] = [isNew ? -1 : versionOf(before), versionOf(after) ?? last];
  return version !== undefined && from !== undefined && to !== undefined && from < version && version < to;
}
