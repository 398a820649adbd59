/** Gives the focus back to what had it, for what takes it and goes. */
import { useEffect, useState } from 'react';

/** @param fallbacks selectors, for what may be gone by then, such as the item of a menu: the first that is there */
export function focusBack(before: Element | null, ...fallbacks: readonly string[]): void {
  const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
  const others = fallbacks.map((selector) => document.querySelector<HTMLElement>(selector));
  const to = isThere ? before : others.find((one) => one !== null);
  to?.focus({ preventScroll: true });
}

/** Whether nothing in particular has the focus. */
export const isFocusLost = (): boolean => [null, document.body].includes(document.activeElement as HTMLElement | null);

/** Gives it back when a dialog is not closed but unmounted. */
export function useFocusBack(...fallbacks: readonly string[]): void {
  // before the dialog takes it
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => focusBack(before, ...fallbacks),
    // once, at the end
    [],
  );
}
