/** The state of an import: the file, what its columns are for, and what has become of its rows. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type OwnModel, useModels } from '../api/models.ts';
import { draftKey } from '../drafts.ts';
import { useUnsaved } from '../leaving.ts';
import { useForm } from '../parts/use-form.tsx';
import { keysIn, type Mapping, matched, type Plan } from './columns.ts';
import { LinkTitles } from './link-titles.ts';
import { type Sample, sampleOf } from './sample.ts';
import { type Result, Sending } from './sending.ts';
import { hasTexts } from './source.ts';
import type { Undone } from './undoing.ts';
import { useLinks } from './use-links.ts';

/** What an import is doing; `stopped` also after a failure. */
type Phase = 'choosing' | 'ready' | 'running' | 'stopped' | 'done' | 'undoing' | 'undone';

export interface Running extends Result {
  /** Percent of the file that has been read. */
  readonly percent: number;
  /** The documents that it has written, and that are not undone. */
  readonly written: number;
  /** What an undo has done so far. */
  readonly undone: Undone | undefined;
}

export function useImport(model: OwnModel) {
  const [sample, setSample] = useState<Sample>();
  const form = useMapping(model, sample);
  const { mapping } = form.values;
  // a column may be for another field now
  const on = keysIn(model, mapping).find((key) => key === form.values.on) ?? '';
  const [error, setError] = useState<unknown>();
  const choose = (file: File): void => {
    setError(undefined);
    sampleOf(file, model).then(setSample, setError);
  };
  const again = (): void => {
    setSample(undefined);
    setError(undefined);
  };
  const read: Plan = { mapping, on, hasTexts: sample !== undefined && hasTexts(sample.file) };
  const found = useLinks(model, sample, read);
  const plan: Plan = { ...read, links: found.links };
  const sending = useSending(model, sample?.file, plan);
  const phase: Phase = sample === undefined ? 'choosing' : sending.phase;
  useEffect(() => {
    if (phase === 'done') form.end();
    // once, when it ends
  }, [phase]);
  return {
    sample,
    plan,
    notice: form.notice,
    setMapping: (next: Mapping) => form.set({ mapping: next }),
    setOn: (next: string) => form.set({ on: next }),
    choose,
    ...sending,
    phase,
    error: error ?? sending.error ?? found.error,
    again,
  };
}

/** What the columns of a file are for, of which a draft is kept: the file itself is chosen again. */
function useMapping(model: OwnModel, sample: Sample | undefined) {
  const columns = sample?.columns;
  const first = useMemo(() => ({ mapping: matched(model, columns ?? []), on: '' }), [model, columns]);
  return useForm(draftKey('import', model.name, columns), first);
}

const runningOf = ({ created, changed, refused, progress, undoing }: Sending, file: File): Running => ({
  created,
  changed,
  // rows are refused here before others that the server refuses
  refused: refused.toSorted((one, other) => one.record.line - other.record.line),
  percent: Math.round((100 * progress.bytes) / file.size),
  written: undoing.size,
  undone: undoing.undone,
});

/** What is under way, and how it ended. @param ended is called after each work */
function useWork(ended: () => void) {
  const [phase, setPhase] = useState<Phase>('ready');
  const [error, setError] = useState<unknown>();
  useUnsaved(phase === 'running' || phase === 'stopped' || phase === 'undoing');
  const carryOut = (during: Phase, work: () => Promise<Phase>): void => {
    setError(undefined);
    setPhase(during);
    const failed = (failure: unknown): void => {
      setError(failure);
      setPhase('stopped');
    };
    work().then(setPhase, failed).finally(ended);
  };
  const reset = (): void => {
    setError(undefined);
    setPhase('ready');
  };
  return { phase, error, carryOut, reset };
}

/** Sends a file, and reports how far it has come. */
function useSending(model: OwnModel, file: File | undefined, plan: Plan) {
  const queries = useQueryClient();
  const models = useModels().data;
  const current = useRef<Sending>(undefined);
  const [running, setRunning] = useState<Running>();
  useEffect(() => () => current.current?.stop(), []);
  const report = (): void => {
    if (file !== undefined && current.current !== undefined) setRunning(runningOf(current.current, file));
  };
  const { phase, error, carryOut, ...work } = useWork(() => {
    report();
    void queries.invalidateQueries();
  });
  const start = (): void => {
    if (file === undefined) return;
    if (phase !== 'stopped' || current.current === undefined)
      current.current = new Sending({ file, model, plan, links: new LinkTitles(models ?? new Map()) }, report);
    const sending = current.current;
    carryOut('running', async () => ((await sending.run()) ? 'done' : 'stopped'));
  };
  const undo = (): void => {
    const undoing = current.current?.undoing;
    if (undoing !== undefined) carryOut('undoing', () => undoing.run(report).then(() => 'undone'));
  };
  const reset = (): void => {
    current.current = undefined;
    setRunning(undefined);
    work.reset();
  };
  return { phase, running, error, start, stop: () => current.current?.stop(), undo, reset };
}

export type Import = ReturnType<typeof useImport>;
