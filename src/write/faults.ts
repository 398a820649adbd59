/** All faults of one document at once: those of reading its values, and those that the model's validators find in the rest. */
import type { ModelContext } from '../context.ts';
import { Failure, type PathFault, validationFailed } from '../errors.ts';
import { modelOf, type Row } from '../models/mongoose.ts';
import { preparedUpdate } from './bulk/mongoose-update.ts';
import { fromWrite } from './mongoose-errors.ts';

/**
 * Ends a write whose values have faults; does nothing where there are none.
 * @param faults of reading the values @param validate runs the model's validators on the values that were read
 * @throws 400 with the faults of both; a value that could not be read is not told to be missing as well
 */
export async function refuseFaults(faults: readonly PathFault[], validate: () => Promise<unknown>): Promise<void> {
  if (faults.length === 0) return;
  const more = await faultsIn(validate);
  const isTold = ({ path }: PathFault): boolean =>
    faults.some((fault) => path === fault.path || isBelow(path, fault.path));
  throw validationFailed([...faults, ...more.filter((fault) => !isTold(fault))]);
}

const isBelow = (path: string, above: string): boolean => path.startsWith(`${above}.`);

/** What validators find. Any other failure of them is of no use to a caller whose values are refused anyway. */
async function faultsIn(validate: () => Promise<unknown>): Promise<readonly PathFault[]> {
  try {
    await validate();
    return [];
  } catch (error) {
    const failure = fromWrite(error);
    return failure instanceof Failure && failure.status === 400 ? (failure.errors ?? []) : [];
  }
}

/** Runs the validators of the fields that an update sets. Nothing is sent. */
export const validateChange = ({ model }: ModelContext, values: Row): Promise<unknown> =>
  preparedUpdate(modelOf(model), {}, { $set: { ...values } });
