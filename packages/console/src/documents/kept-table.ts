/** What a person has set of the table of a model, kept in this browser: its columns in their order, and their widths. */
import { useSyncExternalStore } from 'react';
import { apiUrl } from '../api/client.ts';
import { type KeptTable, readKept } from './table-look.ts';

/** Several servers may be at one origin. */
const keyOf = (model: string): string => `dossier table ${apiUrl} ${model}`;

const known = new Map<string, KeptTable>();
const listeners = new Set<() => void>();

function keptOf(model: string): KeptTable {
  const kept = known.get(model) ?? readKept(stored(model));
  known.set(model, kept);
  return kept;
}

/** A browser may refuse its storage. */
function stored(model: string): string | null {
  try {
    return window.localStorage.getItem(keyOf(model));
  } catch {
    return null;
  }
}

/** Keeps a change of a model's table. */
export function keep(model: string, change: Partial<KeptTable>): void {
  const kept = { ...keptOf(model), ...change };
  known.set(model, kept);
  for (const listener of listeners) listener();
  try {
    window.localStorage.setItem(keyOf(model), JSON.stringify(kept));
  } catch {
    // then it is kept until the page is left
  }
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

export const useKept = (model: string): KeptTable => useSyncExternalStore(subscribe, () => keptOf(model));
