/** Gives the focus back to what had it, for a dialog that is not closed but unmounted. */
import { useEffect, useState } from 'react';

/** @param fallback a selector, for what may be gone by then, such as the item of a menu */
export function useFocusBack(fallback?: string): void {
  // before the dialog takes it
  const [before] = useState(() => document.activeElement);
  useEffect(
    () => () => {
      const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
      const to = isThere ? before : document.querySelector<HTMLElement>(fallback ?? ':not(*)');
      to?.focus();
    },
    [before, fallback],
  );
}
