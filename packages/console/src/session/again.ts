/** Whether the page waits for its user to sign in again. What is on it stays meanwhile, and so do its requests. */
import { useEffect, useSyncExternalStore } from 'react';

/** Why the session is over. */
export type Cause = 'expired' | 'ended' | 'signed out';

interface Waiting {
  readonly cause: Cause;
  readonly ended: Promise<void>;
  /** Ends it, whether the user has signed in or not. */
  readonly end: () => void;
}

let waiting: Waiting | undefined;
let hasPage = false;
const listeners = new Set<() => void>();

function set(next: Waiting | undefined): void {
  waiting = next;
  for (const listener of listeners) listener();
}

/** Has the user sign in over the page. Resolves when they have, or sign out; at once where there is no page that would be lost. */
export async function signInAgain(cause: Cause): Promise<void> {
  if (!hasPage) return;
  if (waiting === undefined) {
    let end = (): void => undefined;
    const ended = new Promise<void>((done) => (end = done));
    set({ cause, ended, end });
  }
  await waiting?.ended;
}

/** The user has signed in, here or in another tab, or signs out. */
export function endSignInAgain(): void {
  const before = waiting;
  set(undefined);
  before?.end();
}

// before those of dialogs, which close by this key
window.addEventListener(
  'keydown',
  (event) => {
    if (waiting !== undefined && event.key === 'Escape') event.stopImmediatePropagation();
  },
  true,
);

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** @param isReady whether there is a page, and it can ask @returns why the page waits; undefined while it does not */
export function useSignInAgain(isReady: boolean): Cause | undefined {
  useEffect(() => {
    hasPage = isReady;
    return () => {
      hasPage = false;
      endSignInAgain();
    };
  }, [isReady]);
  return useSyncExternalStore(subscribe, () => waiting?.cause);
}
