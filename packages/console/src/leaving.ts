/**
 * The part of the address behind `#`, which is left only after a question where there is unsaved work. The address of the window has
 * changed already when the page is informed: it is set back, and changed again when the person agrees.
 */
import { useCallback, useEffect, useLayoutEffect, useRef, useSyncExternalStore } from 'react';

/** Parts of a view's query by whose change its form is left; others, such as the order of a table, keep it. */
const formParts = ['open', 'tab'] as const;

/** What tells the forms of addresses apart. */
function formOf(hash: string): string {
  const [path = '', query = ''] = hash.split(/\?(.*)/s);
  const values = new URLSearchParams(query);
  return JSON.stringify([path, ...formParts.map((name) => values.get(name))]);
}

/** The forms with unsaved work, and what discards what they keep of it. */
const unsaved = new Map<object, () => void>();
const listeners = new Set<() => void>();
let shown = window.location.hash;
/** Leaves the view; undefined while there is no question. */
let leave: (() => void) | undefined;
let isAllowed = false;
/** Whether something was typed in the view. */
let hasTyped = false;

/** The number of the current entry in the browser's history; undefined in a browser without the Navigation API, where leaving asks no question. */
const positionNow = (): number | undefined =>
  (window as Partial<Pick<Window, 'navigation'>>).navigation?.currentEntry?.index;
let position = positionNow();

const inform = (): void => {
  for (const listener of listeners) listener();
};

window.addEventListener('hashchange', () => {
  const next = window.location.hash;
  const to = positionNow();
  // the step back of a question
  const isBack = next === shown;
  if (!isBack && unsaved.size > 0 && !isAllowed && formOf(next) !== formOf(shown) && ask(to)) return;
  isAllowed = false;
  position = to;
  if (isBack) return;
  if (formOf(next) !== formOf(shown)) hasTyped = false;
  shown = next;
  inform();
});

/** Takes the step back, and asks. @param to the position of the new address @returns whether that is possible */
function ask(to: number | undefined): boolean {
  if (to === undefined || position === undefined || to === position) return false;
  const steps = to - position;
  window.history.go(-steps);
  leave = () => {
    isAllowed = true;
    window.history.go(steps);
  };
  inform();
  return true;
}

export const shownHash = (): string => shown;

export const onMove = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** The question whether unsaved work is discarded, while there is one. */
export function useQuestion(): { readonly discard: () => void; readonly keep: () => void } | undefined {
  const current = useSyncExternalStore(onMove, () => leave);
  if (current === undefined) return undefined;
  const keep = (): void => {
    leave = undefined;
    inform();
  };
  return { keep, discard: () => (keep(), discardWork(), current()) };
}

/** Acts, after the question where there is unsaved work. @param isElsewhere whether there is some in forms that are not shown */
export function unlessUnsaved(act: () => void, isElsewhere: boolean): void {
  if (unsaved.size === 0 && !isElsewhere) return act();
  leave = act;
  inform();
}

/** Discards what forms keep of unsaved work. */
export function discardWork(): void {
  for (const discard of unsaved.values()) discard();
}

/** Notes that something is typed in the view: not each of its forms states what is unsaved. */
export const noteTyping = (): void => void (hasTyped = true);

/** The view begins without work. */
export const noteNoTyping = (): void => void (hasTyped = false);

/** Whether the view has work that would be lost with it. */
export const hasWork = (): boolean => hasTyped || unsaved.size > 0;

/**
 * Keeps a view from being left without a question while it has unsaved work: by a link, by the browser's buttons, by a reload or by closing.
 * @param discard ends what is kept of the work where it is discarded
 * @returns a function for when the work has been saved, before the view goes elsewhere by itself
 */
export function useUnsaved(isUnsaved: boolean, discard?: () => void): () => void {
  const form = useRef({}).current;
  const latest = useRef(discard);
  latest.current = discard;
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    unsaved.set(form, () => latest.current?.());
    return () => void unsaved.delete(form);
  }, [isUnsaved, form]);
  useEffect(() => {
    if (!isUnsaved) return undefined;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [isUnsaved]);
  return useCallback(() => void unsaved.delete(form), [form]);
}
