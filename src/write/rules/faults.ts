/**
 * Collects all faults of a document: those of reading its values, and those that the model's validators find in the other values.
 */
import type { ModelActor } from '../../context.ts';
import { Failure, type PathFault, validationFailed } from '../../errors/errors.ts';
import { withoutPositions } from '../../models/fields/numbered-names.ts';
import { modelOf, type Row } from '../../models/mongoose.ts';
import { writeOf } from '../mutation/middleware-context.ts';
import { fromWrite } from '../mutation/mongoose-errors.ts';
import { castForCommand } from '../plan/cast-update.ts';
import { maxFaults } from './types.ts';

/**
 * Fails a write whose values have faults; does nothing without faults.
 * @param faults of reading the values @param checks further ones of the values that were read, such as the model's validators
 * @throws 400 with the faults of all; a value that could not be read is not reported as missing too
 */
export async function refuseFaults(
  faults: readonly PathFault[],
  ...checks: readonly (() => Promise<unknown>)[]
): Promise<void> {
  if (faults.length === 0) return;
  // Mongoose would compare each of the names that were not read with all others
  if (faults.length >= maxFaults) throw validationFailed(faults);
  const more: PathFault[] = [];
  for (const check of checks) more.push(...(await faultsIn(check)));
  const isReported = ({ path }: PathFault): boolean =>
    faults.some((fault) => path === fault.path || isBelow(path, fault.path));
  throw validationFailed([...faults, ...more.filter((fault) => !isReported(fault))]);
}

const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}.`);

/** The faults that validators find. Other failures of validators are ignored, because the values are refused anyway. */
async function faultsIn(validate: () => Promise<unknown>): Promise<readonly PathFault[]> {
  try {
    await validate();
    return [];
  } catch (error) {
    const failure = fromWrite(error);
    return failure instanceof Failure && failure.status === 400 ? (failure.errors ?? []) : [];
  }
}

/** Runs the validators of the fields that an update sets, without sending it. Rules that get the document are left to the saving of it. */
export function validateChange(actor: ModelActor, values: Row): Promise<unknown> {
  const { model } = actor;
  const { schema, documentRules, changesBySave } = model;
  const ruled = changesBySave ? documentRules.map(({ path }) => path.split('.$*', 1)[0] ?? path) : [];
  const isRuled = (path: string): boolean =>
    ruled.some((other) => path === other || isBelow(path, other) || isBelow(other, path));
  const others = Object.entries(values).filter(([path]) => !isRuled(withoutPositions(schema, path)));
  const update = { $set: Object.fromEntries(others) };
  return castForCommand({ by: modelOf(model), filter: {}, update, write: writeOf(actor) });
}
