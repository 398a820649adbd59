/** The state of an import: the file, what its columns are for, and what has become of its rows. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { OwnModel } from '../api/models.ts';
import { useUnsaved } from '../leaving.ts';
import { type Mapping, matched, type Plan } from './columns.ts';
import { type Result, Sending } from './sending.ts';
import { hasTexts, recordsOf, type SourceRecord } from './source.ts';

/** Records that are read to show and check them before anything is sent. */
export const sampleSize = 1000;

/** The beginning of a file. */
export interface Sample {
  readonly file: File;
  readonly columns: readonly string[];
  readonly records: readonly SourceRecord[];
}

/** @throws Error for a file that cannot be read, or that has no documents */
async function sampleOf(file: File, model: OwnModel): Promise<Sample> {
  const records: SourceRecord[] = [];
  for await (const record of recordsOf(file, model, { bytes: 0 })) if (records.push(record) === sampleSize) break;
  const columns = [...new Set(records.flatMap(({ values }) => Object.keys(values)))];
  if (columns.length === 0) throw new Error('The file has no documents.');
  return { file, columns, records };
}

/** What an import is doing; `stopped` also after a failure. */
type Phase = 'choosing' | 'ready' | 'running' | 'stopped' | 'done';

export interface Running extends Result {
  /** Percent of the file that has been read. */
  readonly percent: number;
}

export function useImport(model: OwnModel) {
  const [sample, setSample] = useState<Sample>();
  const [mapping, setMapping] = useState<Mapping>({});
  const [on, setOn] = useState('');
  const [error, setError] = useState<unknown>();
  const choose = (file: File): void => {
    setError(undefined);
    sampleOf(file, model).then((read) => {
      setSample(read);
      setMapping(matched(model, read.columns));
    }, setError);
  };
  const again = (): void => {
    setSample(undefined);
    setError(undefined);
  };
  const plan: Plan = { mapping, on, hasTexts: sample !== undefined && hasTexts(sample.file) };
  const sending = useSending(model, sample?.file, plan);
  const phase: Phase = sample === undefined ? 'choosing' : sending.phase;
  return { sample, plan, setMapping, setOn, choose, ...sending, phase, error: error ?? sending.error, again };
}

const runningOf = ({ created, changed, refused, progress }: Sending, file: File): Running => ({
  created,
  changed,
  refused: [...refused],
  percent: Math.round((100 * progress.bytes) / file.size),
});

/** Sends a file, and reports how far it has come. */
function useSending(model: OwnModel, file: File | undefined, plan: Plan) {
  const queries = useQueryClient();
  const current = useRef<{ readonly sending: Sending }>(undefined);
  const [phase, setPhase] = useState<Phase>('ready');
  const [running, setRunning] = useState<Running>();
  const [error, setError] = useState<unknown>();
  useUnsaved(phase === 'running' || phase === 'stopped');
  useEffect(() => () => current.current?.sending.stop(), []);
  const start = (): void => {
    if (file === undefined) return;
    const report = (): void => setRunning(runningOf(sending, file));
    const { sending } =
      phase === 'stopped' && current.current !== undefined
        ? current.current
        : { sending: new Sending(file, model, plan, report) };
    current.current = { sending };
    setError(undefined);
    setPhase('running');
    const failed = (failure: unknown): void => {
      setError(failure);
      setPhase('stopped');
    };
    sending
      .run()
      .then((isDone) => setPhase(isDone ? 'done' : 'stopped'), failed)
      .finally(() => {
        report();
        void queries.invalidateQueries();
      });
  };
  const reset = (): void => {
    current.current = undefined;
    setRunning(undefined);
    setError(undefined);
    setPhase('ready');
  };
  return { phase, running, error, start, stop: () => current.current?.sending.stop(), reset };
}

export type Import = ReturnType<typeof useImport>;
