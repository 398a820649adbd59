/** Runs steps that save documents one by one, for the model's middleware and the rules that read the document. */
import type { ModelActor } from '../../context.ts';
import { Failure, overtaken, tooMany } from '../../errors/errors.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { allOf } from '../../query/and.ts';
import { sessionOf } from '../commit.ts';
import { fromWrite } from '../mutation/mongoose-errors.ts';
import { isRefusedByReaction } from '../mutation/reactions.ts';
import { ignoredPaths } from '../plan/ignored.ts';
import { documentKey, underMutex } from '../unit.ts';
import type { BulkActor } from './actor.ts';
import { noteIgnored } from './ignored.ts';
import type { BulkCounts } from './result.ts';
import type { SavedStep } from './step-types.ts';

/** Documents that one operation may save. */
const maxSaved = 10_000;
/** Maximum tries of an operation on one document while others change it. */
const maxTries = 8;

/**
 * Documents that have been saved before one that fails stay, and are in the counts.
 * @returns how many documents matched @throws 400 for too many, and the failures of a document
 */
export async function writeSaved(actor: BulkActor, step: SavedStep, counts: BulkCounts): Promise<number> {
  const { change, create } = step.saving;
  let matched = change === undefined ? 0 : await changeAll(actor, step, change, counts);
  if (matched > 0 || create === undefined) return matched;
  try {
    const { _id: id } = await create();
    note(step, id, counts);
  } catch (error) {
    // another caller may have created the document meanwhile
    if (change === undefined || actor.unit?.session !== undefined || isRefusedByReaction(error) || !isTaken(error))
      throw error;
    matched = await changeAll(actor, step, change, counts);
    if (matched === 0) throw error;
  }
  return matched;
}

const isTaken = (error: unknown): boolean => {
  const failure = fromWrite(error);
  return failure instanceof Failure && failure.status === 409;
};

function note({ kind, at }: SavedStep, id: unknown, counts: BulkCounts): void {
  if (kind === 'insert') counts.nInserted += 1;
  else counts.nUpserted += 1;
  (kind === 'insert' ? counts.insertedIds : counts.upsertedIds)[String(at)] = String(id);
}

type Change = NonNullable<SavedStep['saving']['change']>;

/** @returns how many documents have been changed */
async function changeAll(actor: BulkActor, step: SavedStep, change: Change, counts: BulkCounts): Promise<number> {
  for (let tries = 1; tries <= maxTries; tries++) {
    // another writer may take the one document, as it looked before; the filter may have more, of which many writers take the first
    const ids = await idsOf(actor, step, step.many ? maxSaved : tries);
    let matched = 0;
    for (const id of ids) {
      if (await changeOne(actor, { step, change, id }, counts)) matched += 1;
      if (matched > 0 && !step.many) return matched;
    }
    if (step.many || ids.length === 0) return matched;
  }
  throw overtaken();
}

interface Changing {
  readonly step: SavedStep;
  readonly change: Change;
  readonly id: unknown;
}

/** @returns whether the document still matched */
async function changeOne(actor: BulkActor, { step, change, id }: Changing, counts: BulkCounts): Promise<boolean> {
  actor.timeLeft();
  const write = (): Promise<Row | null> => change(allOf([{ _id: id }, step.filter]));
  // work that runs alone must not wait for the mutex of a document, whose holder may wait to run alone
  const row = await (step.mayRemoveAdmin ? write() : underMutex(actor, documentKey(actor.model, id), write));
  if (row === null) return false;
  counts.nMatched += 1;
  counts.nModified += 1;
  if (step.naming !== undefined) noteIgnored(counts, step, ignoredPaths(actor, step.naming, row));
  return true;
}

/** The ids of the documents of a step. @param most of them @throws 400 for more, of a step that changes all of them */
async function idsOf({ model, ...actor }: ModelActor, { filter, many }: SavedStep, most: number): Promise<unknown[]> {
  const limit = many ? most + 1 : most;
  const options = { projection: { _id: 1 }, limit, batchSize: limit, ...sessionOf(actor) };
  const ids = (await modelOf(model).collection.find(filter, options).toArray()).map(({ _id }) => _id as unknown);
  if (ids.length > most) throw tooMany(`documents that one operation of ${model.name} loads and saves`, most);
  return ids;
}
