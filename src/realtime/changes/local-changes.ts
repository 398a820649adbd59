/**
 * What the writers of this server have said of their changes, kept until the database's stream comes to them: only they know how a
 * document was before, who did it, and whether it is to be told at all.
 */
import { yieldNow } from '../../async/yield.ts';
import type { Change } from './contract.ts';
import { documentKey, versionOf, type State } from './stream-change.ts';

/** Milliseconds for which a note waits for its event. */
const keptFor = 60_000;

/** `covered`: a writer tells of a later state as one change with this one. */
type Claimed = Change | 'covered' | undefined;

export interface Notes {
  add(change: Change): void;
  /** What a writer of this server said of a state; waits for it until a time of `performance.now()`. */
  claim(state: State, until: number): Promise<Claimed>;
}

export function makeNotes(): Notes {
  let [young, old] = [new Map<string, Change[]>(), new Map<string, Change[]>()];
  let turned = performance.now();
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
  /** When the last turn of the event loop that was waited for began, by `performance.now()`. */
  let turnBegan = -Infinity;
  /**
   * After a long pause of the process the time is over before the writer's answer has been read, which takes a turn of the event loop.
   * One turn is enough for all events whose time was over when it began.
   */
  const afterTurn = async (until: number): Promise<void> => {
    if (turnBegan >= until) return;
    const began = performance.now();
    await yieldNow();
    turnBegan = began;
  };
  /** Waits until something is noted of a document, or the time is over. */
  const noted = (document: string, until: number): Promise<void> =>
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
      if (performance.now() - turned > keptFor / 2) {
        [young, old] = [new Map<string, Change[]>(), young];
        turned = performance.now();
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
        await noted(state.document, until);
        found = take(state);
      }
      if (found !== undefined) return found;
      await afterTurn(until);
      return take(state);
    },
  };
}

/** The state that a note tells of; of a deletion it may only know the state before. */
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
