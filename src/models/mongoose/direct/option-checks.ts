/** The validators that options of schema types make, such as `min`. */
import mongoose, { type SchemaType } from 'mongoose';
import { type ModelEntry, mongooseModel } from '../../entry.ts';
import { idRule } from '../../fields/document-id.ts';
import { typeParts } from '../internals.ts';

/** The validators that options of a path create; they need nothing but the value. */
const optionChecks: ReadonlySet<unknown> = new Set([
  ...['required', 'min', 'max', 'enum', 'regexp', 'minlength', 'maxlength', idRule],
]);

/** Whether a type has validators of the model file. */
export const hasOwnChecks = (type: SchemaType): boolean =>
  typeParts(type).validators.some((one) => !optionChecks.has(one.type)) ||
  // set by an option, or by `required()` of the type
  typeof typeParts(type).originalRequiredValue === 'function' ||
  [typeParts(type).options['required']].flat().some((required) => typeof required === 'function');

type Check = (this: unknown, value: unknown) => unknown;

/**
 * Mongoose's update validators run for values that are given, and not for the results of operators.
 * @param paths of an update, also with positions in lists and keys of maps
 * @returns holds the values that an update leaves at the paths against their bounds, and throws Mongoose's ValidationError; undefined where no
 * path has bounds
 */
export function boundsAt(
  entry: ModelEntry,
  paths: readonly string[],
): ((valueAt: (path: string) => unknown) => void) | undefined {
  const { schema } = entry[mongooseModel];
  const bounded = paths.flatMap((path) => {
    const type = schema.path(path) as SchemaType | undefined;
    const checks =
      type && typeParts(type).validators.filter((one) => one.type !== 'required' && optionChecks.has(one.type));
    return checks === undefined || checks.length === 0 ? [] : [{ path, checks }];
  });
  if (bounded.length === 0) return undefined;
  return (valueAt) => {
    const error = new mongoose.Error.ValidationError();
    for (const { path, checks } of bounded) {
      const value = valueAt(path);
      if (value === undefined || value === null) continue;
      const failed = checks.find(({ validator }) => (validator as Check).call(undefined, value) === false);
      if (failed !== undefined) error.addError(path, new mongoose.Error.ValidatorError({ ...failed, path, value }));
    }
    if (Object.keys(error.errors).length > 0) throw error;
  };
}
