/** Whether a caller who has not signed in looks at what anyone may read. The tab keeps it, so that a reload does. */
import { useSyncExternalStore } from 'react';

const key = 'dossier.guest';
const listeners = new Set<() => void>();
// without a storage it ends with the page
let isGuest = stored();

function stored(): boolean {
  try {
    return window.sessionStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

export function browseAsGuest(is: boolean): void {
  isGuest = is;
  try {
    if (is) window.sessionStorage.setItem(key, '1');
    else window.sessionStorage.removeItem(key);
  } catch {
    // a browser may refuse its storage
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const useGuest = (): boolean => useSyncExternalStore(subscribe, () => isGuest);
