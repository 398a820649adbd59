/** The results of a search over all models, as they come. */
import { useEffect, useState } from 'react';
import type { OwnModel } from '../api/models.ts';
import { type FoundGroup, searchAll } from './search-all.ts';

interface Findings {
  /** What was searched for. */
  readonly sought: string;
  readonly groups: readonly FoundGroup[];
  readonly error?: unknown;
  readonly isDone: boolean;
}

const none: Findings = { sought: '', groups: [], isDone: true };

export function useFindings(models: readonly OwnModel[], sought: string): Findings {
  const [findings, setFindings] = useState(none);
  useEffect(() => {
    if (sought === '') return setFindings(none);
    const ending = new AbortController();
    const set = (next: Omit<Findings, 'sought'>): void => {
      if (!ending.signal.aborted) setFindings({ sought, ...next });
    };
    searchAll(models, sought, ending.signal, (groups) => set({ groups, isDone: false })).then(
      (groups) => set({ groups, isDone: true }),
      (error: unknown) => set({ groups: [], error, isDone: true }),
    );
    return () => ending.abort();
    // the models are those of the session
  }, [sought]);
  return findings.sought === sought ? findings : { sought, groups: [], isDone: false };
}
