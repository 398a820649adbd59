/**
 * The changes that writers of this server have published, kept until the database's stream delivers them: only the writers have
 * the before-image, the user, and whether the change is silent.
 */
import { yieldNow } from '../../async/yield.ts';
import type { Change } from './contract.ts';
import { documentKey, versionOf, type State } from './stream-change.ts';

/** Milliseconds for which a change waits for its event. */
const maxAgeMs = 60_000;

/** `covered`: a writer has joined this change with a later one. */
type Claimed = Change | 'covered' | undefined;

export interface LocalChanges {
  add(change: Change): void;
  /** Removes and returns the change that led to a state. Waits for it until a time of `performance.now()`. */
  claim(state: State, until: number): Promise<Claimed>;
}

export function makeLocalChanges(): LocalChanges {
  let [young, old] = [new Map<string, Change[]>(), new Map<string, Change[]>()];
  let rotated = performance.now();
  const waiting = new Map<string, Set<() => void>>();

  const take = (state: State): Claimed => {
    for (const half of [young, old]) {
      const notes = half.get(state.document) ?? [];
      const at = notes.findIndex((note) => isOf(note, state));
      const note = notes[at];
      if (note !== undefined) {
        notes.splice(at, 1);
        if (notes.length === 0) half.delete(state.document);
        return note;
      }
      if (notes.some((one) => covers(one, state))) return 'covered';
    }
    return undefined;
  };
  /** The start of the last awaited iteration of the event loop, by `performance.now()`. */
  let iterationBegan = -Infinity;
  /**
   * After a long pause of the process the time limit passes before the writer's answer has been read, which takes an iteration of
   * the event loop. One iteration is enough for all events whose limit had passed when it began.
   */
  const afterIteration = async (until: number): Promise<void> => {
    if (iterationBegan >= until) return;
    const began = performance.now();
    await yieldNow();
    iterationBegan = began;
  };
  /** Waits for a change of a document, or for the time limit. */
  const waitForChange = (document: string, until: number): Promise<void> =>
    new Promise((done) => {
      const waiters = waiting.get(document) ?? new Set();
      waiting.set(document, waiters);
      const end = (): void => {
        clearTimeout(timer);
        waiters.delete(end);
        if (waiters.size === 0) waiting.delete(document);
        done();
      };
      const timer = setTimeout(end, until - performance.now());
      waiters.add(end);
    });

  return {
    add(change) {
      if (performance.now() - rotated > maxAgeMs / 2) {
        [young, old] = [new Map<string, Change[]>(), young];
        rotated = performance.now();
      }
      const document = documentKey(change.model, change.id);
      const notes = young.get(document);
      if (notes === undefined) young.set(document, [change]);
      else notes.push(change);
      for (const end of [...(waiting.get(document) ?? [])]) end();
    },
    async claim(state, until) {
      let found = take(state);
      while (found === undefined && performance.now() < until) {
        await waitForChange(state.document, until);
        found = take(state);
      }
      if (found !== undefined) return found;
      await afterIteration(until);
      return take(state);
    },
  };
}

/** Whether a change led to a state. A deletion may have only the state before. */
function isOf(note: Change, { version }: State): boolean {
  if (version === undefined) return note.event === 'del' && note.after === undefined;
  const before = versionOf(note.before);
  return version === (versionOf(note.after) ?? (before === undefined ? undefined : before + 1));
}

function covers({ before, after, joined }: Change, { version }: State): boolean {
  if (joined !== true) return false;
  const [from, to] = [versionOf(before), versionOf(after)];
  return version !== undefined && from !== undefined && to !== undefined && from < version && version < to;
}
