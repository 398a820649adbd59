/** The state of a form: what was edited, and what is wrong with it. */
import { DossierError, type Fault } from 'dossier-client';
import { useState } from 'react';
import { textOf } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import type { Edits } from './edits.ts';
import { faultsOf } from './limits.ts';

interface Editing {
  readonly edits: Edits;
  readonly set: (path: string, value: unknown) => void;
  readonly clear: () => void;
  readonly faults: readonly Fault[];
  /** What is wrong beside the faults of fields. */
  readonly error: string;
  readonly isBusy: boolean;
  /** Sends what was edited, unless it has faults. These, and failures, are shown. */
  readonly submit: (send: () => Promise<unknown>) => void;
}

/** @param first values that the form begins with */
export function useEdits(model: OwnModel, first: Edits = new Map()): Editing {
  const [edits, setEdits] = useState(first);
  const [faults, setFaults] = useState<readonly Fault[]>([]);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const submit = (send: () => Promise<unknown>): void => {
    const own = faultsOf(model, edits);
    setFaults(own);
    setError(own.length === 0 ? '' : 'Some values are not accepted.');
    if (own.length > 0) return;
    setBusy(true);
    send()
      .catch((fault: unknown) => {
        setError(textOf(fault));
        setFaults(fault instanceof DossierError ? fault.errors : []);
      })
      .finally(() => setBusy(false));
  };
  return {
    edits,
    set: (path, value) => setEdits((before) => new Map([...before, [path, value]])),
    clear: () => setEdits(new Map()),
    faults,
    error,
    isBusy,
    submit,
  };
}
