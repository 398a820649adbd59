/** Runs the recorders that act on what a mutation has done (`Recorder.react`), and knows which of them are quick. */
import { withTimeout } from '../../async/timeout.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Mutation, UnitOfWork, WriteEffects } from '../contract.ts';
import { makeProgress } from '../progress.ts';
import { executeList } from './execute.ts';
import { reversal } from './failed-unit.ts';
import { isReaction } from './images.ts';
import type { Writer } from './writer.ts';

type WriterInUnit = Writer & { readonly unit: UnitOfWork };

/** What reactions have thrown. */
const refusals = new WeakSet<object>();

export const isRefusedByReaction = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && refusals.has(error);

/** @param effects of the mutation @throws what the reactions throw */
export async function react(
  writer: WriterInUnit,
  { model, undo }: Pick<Mutation, 'model' | 'undo'>,
  effects: WriteEffects,
): Promise<void> {
  const recordings = reactionsIn(effects);
  if (recordings.length === 0) return;
  // without a transaction, what a reaction refuses is taken back
  if (undo === undefined) effects.undo = () => executeList(writer, reversal(model, effects.changes));
  await noteRun(model, writer.unit, async () => {
    for (const { recorder, entries } of recordings) await recorder.react?.(entries, writer);
  }).catch((error: unknown) => {
    if (typeof error === 'object' && error !== null) refusals.add(error);
    throw error;
  });
}

const reactionsIn = ({ recordings = [] }: WriteEffects): NonNullable<WriteEffects['recordings']> =>
  recordings.filter(({ recorder, entries }) => isReaction(recorder) && entries.length > 0);

/** Milliseconds that a quick reaction takes at most. */
const maxQuickMs = 5;
/** Quick runs one after the other, from which on the next one is expected to be quick. */
const minQuickRuns = 20;
const quickRuns = new WeakMap<ModelEntry, number>();

/**
 * Whether the reactions to writes of a model have ended at once lately, and written nothing: such writes may share a transaction with those
 * of other requests, which they would hold up otherwise.
 */
export const areQuick = (model: ModelEntry): boolean => (quickRuns.get(model) ?? 0) >= minQuickRuns;

async function noteRun(model: ModelEntry, { effects }: UnitOfWork, run: () => Promise<void>): Promise<void> {
  const [begun, count] = [performance.now(), effects.length];
  let isQuick = false;
  try {
    await run();
    isQuick = effects.length === count && performance.now() - begun <= maxQuickMs;
  } finally {
    quickRuns.set(model, isQuick ? (quickRuns.get(model) ?? 0) + 1 : 0);
  }
}

/** Milliseconds for which one request may hold up those that share its transaction. */
const maxHeldMs = 250;

/**
 * Runs reactions in a transaction that other requests share.
 * @returns the effects of what they have written @throws what they throw, and for one that takes long: each request writes alone then
 */
export async function reactBesideOthers(
  writer: WriterInUnit,
  mutation: Mutation,
  effects: WriteEffects,
): Promise<readonly WriteEffects[]> {
  if (reactionsIn(effects).length === 0) return [];
  const { model } = mutation;
  const progress = makeProgress();
  const own = { ...writer, progress, unit: { ...writer.unit, effects: [] } };
  await withTimeout(maxHeldMs, react(own, mutation, effects), () => {
    progress.end();
    quickRuns.delete(model);
    return new Error('a reaction takes long');
  });
  return own.unit.effects;
}
