/** The state of a form: what was edited, and what is wrong with it. */
import { DossierError, type Fault } from 'dossier-client';
import { useCallback, useRef, useState } from 'react';
import { textOf } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import type { Edits } from './edits.ts';
import { faultsOf, missingFaults } from './limits.ts';

interface Editing {
  readonly edits: Edits;
  /** The same function each time. */
  readonly set: (path: string, value: unknown) => void;
  readonly clear: () => void;
  readonly faults: readonly Fault[];
  /** What is wrong beside the faults of fields. */
  readonly error: string;
  /** How often a submission was refused, here or by the server. */
  readonly refusals: number;
  readonly isBusy: boolean;
  /**
   * Sends what was edited, unless it has faults. These, and failures, are shown. Where only required values are missing, a second submission is
   * sent: hooks of the model may set them.
   * @param sent the edits that are sent, where these are not all
   */
  readonly submit: (send: () => Promise<unknown>, sent?: Edits) => void;
}

type Refusal = Pick<Editing, 'faults' | 'error' | 'refusals'>;

interface EditingParts {
  readonly model: OwnModel;
  /** The values of a form without edits. */
  readonly first?: Edits;
  /** Edits that it begins with. */
  readonly kept?: Edits | undefined;
  /** Whether a required path has no value, with these edits. */
  readonly isMissing: (path: string, edits: Edits) => boolean;
}

const none: Edits = new Map();
const missingText = 'Required values are missing. Unless the server sets them, it refuses the document.';
const pathsOf = (faults: readonly Fault[]): string => JSON.stringify(faults.map(({ path }) => path));

export function useEdits({ model, first = none, kept = first, isMissing }: EditingParts): Editing {
  const [edits, setEdits] = useState(kept);
  const [{ faults, error, refusals }, setRefusal] = useState<Refusal>({ faults: [], error: '', refusals: 0 });
  const [isBusy, setBusy] = useState(false);
  /** The required values that were missing in the submission before. */
  const shown = useRef('');
  const set = useCallback(
    (path: string, value: unknown) => setEdits((before) => new Map([...before, [path, value]])),
    [],
  );
  const refuse = (text: string, found: readonly Fault[]): void =>
    setRefusal((before) => ({ error: text, faults: found, refusals: before.refusals + 1 }));
  const submit = (send: () => Promise<unknown>, sent = edits): void => {
    const missing = missingFaults(model, sent, (path) => isMissing(path, sent));
    const limits = faultsOf(model, sent);
    const isAgain = shown.current === pathsOf(missing);
    shown.current = limits.length === 0 ? pathsOf(missing) : '';
    if (limits.length > 0) return refuse('Some values are not accepted.', [...limits, ...missing]);
    if (missing.length > 0 && !isAgain) return refuse(missingText, missing);
    setRefusal((before) => ({ ...before, error: '', faults: [] }));
    setBusy(true);
    send()
      .catch((fault: unknown) => refuse(textOf(fault), fault instanceof DossierError ? fault.errors : []))
      .finally(() => setBusy(false));
  };
  return {
    edits,
    set,
    clear: () => setEdits(first),
    faults,
    error,
    refusals,
    isBusy,
    submit,
  };
}
