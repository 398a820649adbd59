/** The keys of rows and cards: arrows move between them, Space chooses, and Shift extends what is chosen. */
import type { KeyboardEvent } from 'react';
import type { Document, Id } from '../api/fields.ts';
import type { Choosing } from './choosing.ts';

/** For `aria-keyshortcuts` of what has the rows. */
export const keyNames = 'ArrowDown ArrowUp Home End Space Shift+ArrowDown Shift+ArrowUp Shift+Space Control+a Escape';

/** The key handler of what has the rows, whose links are marked by `data-row`. */
export const onRowKey =
  (rows: readonly Document[], choosing: Choosing) =>
  (event: KeyboardEvent): void => {
    const { target, currentTarget } = event;
    // not a key in a menu or dialog that was opened from here
    if (!(target instanceof Element) || !currentTarget.contains(target) || event.altKey) return;
    const id = target.closest('tr, li')?.querySelector<HTMLElement>('[data-row]')?.dataset['row'];
    const at = rows.findIndex(({ _id }) => String(_id) === id);
    const isDone =
      event.ctrlKey || event.metaKey ? chooseAll(event, rows, choosing) : act(event, { rows, at, choosing });
    if (isDone) event.preventDefault();
  };

interface Place {
  readonly rows: readonly Document[];
  /** The row that has the focus; -1 for none. */
  readonly at: number;
  readonly choosing: Choosing;
}

/** @returns whether the key means something here */
function act({ key, shiftKey, target, currentTarget }: KeyboardEvent, { rows, at, choosing }: Place): boolean {
  const id = rows[at]?._id;
  if (key === ' ') {
    // a box has its own way
    if (id === undefined || (target instanceof Element && target.closest('input, button') !== null)) return false;
    (shiftKey ? choosing.extend : choosing.toggle)(id);
    return true;
  }
  if (key === 'Escape') {
    if (choosing.chosen.size === 0) return false;
    choosing.clear();
    return true;
  }
  const to = rows[placeAfter(key, at, rows.length)]?._id;
  if (to === undefined) return false;
  focusRow(currentTarget, to);
  if (shiftKey) choosing.extend(to, id);
  return true;
}

/** The place that a key leads to; -1 for a key that leads to none. */
function placeAfter(key: string, at: number, length: number): number {
  if (key === 'Home') return 0;
  if (key === 'End') return length - 1;
  if (key === 'ArrowDown') return Math.min(at + 1, length - 1);
  return key === 'ArrowUp' && at > 0 ? at - 1 : -1;
}

function chooseAll({ key }: KeyboardEvent, rows: readonly Document[], { chosen, toggleAll }: Choosing): boolean {
  if (key.toLowerCase() !== 'a') return false;
  if (rows.some(({ _id }) => !chosen.has(_id))) toggleAll();
  return true;
}

const focusRow = (within: Element, id: Id): void =>
  within.querySelector<HTMLElement>(`[data-row="${CSS.escape(String(id))}"]`)?.focus();
