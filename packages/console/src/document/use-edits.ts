/** The state of a form: what was edited, and what is wrong with it. */
import { DossierError, type Fault } from 'dossier-client';
import { useCallback, useRef, useState } from 'react';
import { textOf } from '../api/client.ts';
import type { OwnModel } from '../api/models.ts';
import { wordsOfRefusal } from '../api/server-words.ts';
import { type Edits, isSame } from './edits.ts';
import { faultsOf, missingFaults } from './limits.ts';

interface Editing {
  readonly edits: Edits;
  /** The same function each time. */
  readonly set: (path: string, value: unknown) => void;
  readonly clear: () => void;
  /** Discards edits that are saved, unless they have changed since. */
  readonly saved: (sent: Edits) => void;
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

interface Refusal extends Pick<Editing, 'faults' | 'error' | 'refusals'> {
  /** The edits that were refused. */
  readonly refused: Edits;
}

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
  const [refusal, setRefusal] = useState<Refusal>({ faults: [], error: '', refusals: 0, refused: none });
  const { error, refusals } = refusal;
  const faults = useOpenFaults(refusal, edits);
  const [isBusy, setBusy] = useState(false);
  /** The required values that were missing in the submission before. */
  const shown = useRef('');
  const set = useCallback(
    (path: string, value: unknown) => setEdits((before) => new Map([...before, [path, value]])),
    [],
  );
  const refuse = (text: string, found: readonly Fault[]): void =>
    setRefusal((before) => ({ error: text, faults: found, refusals: before.refusals + 1, refused: edits }));
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
      .catch((fault: unknown) => refuse(...refusalOf(fault, model)))
      .finally(() => setBusy(false));
  };
  return {
    edits,
    set,
    clear: () => setEdits(first),
    saved: (sent) =>
      setEdits((before) => new Map([...before].filter(([path, value]) => !Object.is(sent.get(path), value)))),
    faults,
    // what was remedied is no longer said
    error: refusal.faults.length > 0 && faults.length === 0 ? '' : error,
    refusals,
    isBusy,
    submit,
  };
}

/** The text of a failure, and its faults. */
const refusalOf = (fault: unknown, model: OwnModel): [text: string, faults: readonly Fault[]] =>
  fault instanceof DossierError && fault.errors.length > 0
    ? [wordsOfRefusal(fault.body, model), fault.errors]
    : [textOf(fault), []];

/** The faults of values that have not been changed since: the same list as before, where it has the same faults. */
function useOpenFaults({ faults, refused }: Refusal, edits: Edits): readonly Fault[] {
  const shown = useRef(faults);
  const open = faults.filter(({ path }) => isSame(editAt(refused, path), editAt(edits, path)));
  const isAsBefore = open.length === shown.current.length && open.every((fault, at) => fault === shown.current[at]);
  if (!isAsBefore) shown.current = open;
  return shown.current;
}

/** The value that edits give to a place, such as `parts.0.name`; undefined where they give none. */
function editAt(edits: Edits, place: string): unknown {
  const parts = place.split('.');
  for (let length = parts.length; length > 0; length--) {
    const path = parts.slice(0, length).join('.');
    if (edits.has(path)) return parts.slice(length).reduce(memberOf, edits.get(path));
  }
  return undefined;
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;
