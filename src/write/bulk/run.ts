/**
 * Runs checked operations in order, adjacent ones of one kind in one command. It stops at the first fault and reports what was
 * done.
 */
import { makeYielder } from '../../async/yield.ts';
import type { ModelActor } from '../../context.ts';
import { Failure } from '../../errors/errors.ts';
import type { Row } from '../../models/mongoose.ts';
import { allOf } from '../../query/and.ts';
import { refuseFirstUser } from '../before-setup.ts';
import { isRecorded } from '../mutation/images.ts';
import { checkLinks, linkValues } from '../rules/check-links.ts';
import { namesOne } from '../rules/discriminator.ts';
import { unmetDemand } from '../rules/positions.ts';
import { refuseReferenced } from '../rules/referenced.ts';
import { withoutLastAdmin } from '../rules/user-rules.ts';
import type { BulkActor } from './actor.ts';
import { commandIgnoredPaths, noteIgnored } from './ignored.ts';
import type { BulkOperation } from './operation.ts';
import { type BulkCounts, faultAt, noCounts } from './result.ts';
import { writeCheckedRows } from './row-check.ts';
import { writeSaved } from './saved.ts';
import { stepFor } from './step.ts';
import type { CommandStep, Step } from './step-types.ts';
import { seedOf } from './upsert.ts';

/** Objects of values by path; a member that is added to a list counts as the list. */
function linkedValues(operation: BulkOperation): readonly Row[] {
  if (operation.kind === 'insert') return [operation.document];
  if (operation.kind === 'delete') return [];
  const seeds = operation.upsert ? [seedOf(operation.filter)] : [];
  if (operation.kind === 'replace') return [operation.replacement, ...seeds];
  return [...linkValues(operation.update), ...seeds];
}

/** @throws 400, 403 before anything is written; later faults name the operation and carry the counts so far */
export async function runOperations(actor: BulkActor, operations: readonly BulkOperation[]): Promise<BulkCounts> {
  await refuseFirstUser(actor);
  await checkLinks(actor, operations.flatMap(linkedValues));
  const { steps, fault } = await stepsFor(actor, operations);
  const counts = noCounts();
  try {
    for (const run of runsOf(steps, isRecorded(actor.services, actor.model))) await writeRun(actor, run, counts);
    if (fault !== undefined) throw faultAt(fault.error, steps.length, counts);
  } catch (error) {
    const isRolledBack = actor.unit?.session !== undefined && error instanceof Failure;
    throw isRolledBack ? error.withDetails({ data: noCounts() }) : error;
  }
  return counts;
}

/** The steps before the first operation with a fault in its values. */
async function stepsFor(
  actor: BulkActor,
  operations: readonly BulkOperation[],
): Promise<{ steps: readonly Step[]; fault?: { error: unknown } }> {
  const steps: Step[] = [];
  const yieldIfLong = makeYielder();
  for (const [at, operation] of operations.entries()) {
    await yieldIfLong();
    try {
      steps.push(await stepFor(actor, operation, at));
    } catch (error) {
      return { steps, fault: { error } };
    }
  }
  return { steps };
}

/** Whether a step must run alone, because a decision depends on the steps before it, or since it is no command. */
const runsSeparately = (step: Step): boolean =>
  step.saving !== undefined ||
  step.isNamed === true ||
  step.mayRemoveAdmin ||
  [step.misfit, step.refusal, step.rowCheck, step.positions, step.naming].some((reason) => reason !== undefined);

/**
 * Groups adjacent steps of one kind.
 * @param isRecorded whether each change of a document is recorded, so that no document is changed twice in one run
 */
function runsOf(steps: readonly Step[], isRecorded: boolean): readonly (readonly Step[])[] {
  const runs: Step[][] = [];
  const changed = new Set<string>();
  let last: Step | undefined;
  for (const step of steps) {
    const id = isRecorded && step.kind !== 'insert' ? namedBy(step) : undefined;
    const isSeparate = runsSeparately(step) || (isRecorded && step.kind !== 'insert' && id === undefined);
    const together =
      last !== undefined && last.kind === step.kind && !isSeparate && !(id !== undefined && changed.has(id));
    if (together) runs.at(-1)?.push(step);
    else {
      runs.push([step]);
      changed.clear();
    }
    if (id !== undefined) changed.add(id);
    last = isSeparate ? undefined : step;
  }
  return runs;
}

/** The document that a step changes, if it names one. */
const namedBy = ({ filter }: Step): string | undefined => (namesOne(filter) ? String(filter['_id']) : undefined);

async function writeRun(actor: BulkActor, run: readonly Step[], counts: BulkCounts): Promise<void> {
  const [first] = run;
  if (first === undefined) return;
  try {
    const send = async (inner: BulkActor): Promise<number> => {
      const steps = await allowed(inner, run);
      const ignored = await commandIgnoredPaths(inner, first);
      const matched = await writeSteps(inner, steps, counts);
      noteIgnored(counts, first, ignored);
      return matched;
    };
    const matched = await (first.mayRemoveAdmin ? withoutLastAdmin(actor, first.filter, send) : send(actor));
    if (matched === 0 && first.saving === undefined && first.misfit !== undefined)
      throw faultAt(first.misfit, first.at, counts);
  } catch (error) {
    throw faultAt(error, first.at, counts);
  }
}

async function writeSteps(actor: BulkActor, steps: readonly Step[], counts: BulkCounts): Promise<number> {
  const [first] = steps;
  return first?.saving === undefined
    ? writeCheckedRows(actor, steps.filter(isCommand), counts)
    : writeSaved(actor, first, counts);
}

const isCommand = (step: Step): step is CommandStep => step.saving === undefined;

/** Checks positions, and a deletion that may be refused. A deletion of a single document then deletes the checked one. @throws 400, 409 */
async function allowed(actor: ModelActor, run: readonly Step[]): Promise<readonly Step[]> {
  const [step] = run;
  const fault = step && (await unmetDemand(actor, step.filter, step.positions));
  if (fault !== undefined) throw fault;
  if (step?.refusal === undefined) return run;
  const { permanently } = step.refusal;
  const ids = await refuseReferenced(actor, step.filter, { permanently, many: step.many });
  return step.many ? run : [{ ...step, filter: allOf([{ _id: { $in: ids } }, step.filter]) }];
}
