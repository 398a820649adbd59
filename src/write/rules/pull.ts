/** Reads the operand of `$pull`: a value that members equal, or a filter of members. */
import type { ModelActor } from '../../context.ts';
import { badBody } from '../../errors/errors.ts';
import { typesAt } from '../../models/fields/known-path.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { policyFor } from '../../policy/policy.ts';
import { fromExtendedJson } from '../../query/extended.ts';
import { conditionOfAnyValue } from '../../query/json-filter.ts';

/** @param path not an alias; of a list, or unknown @throws 400 */
export function pullOperand({ model, principal, services }: ModelActor, path: string, value: unknown): unknown {
  const kinds = typesAt(model.schema, path).map(({ kind }) => kind);
  const extended = isPlainObject(value) ? fromExtendedJson(value) : undefined;
  if (isPlainObject(value) && extended === undefined) {
    const { view } = policyFor(principal, model);
    const { $elemMatch: condition } = conditionOfAnyValue(path, { $elemMatch: value }, view, services.clock) as {
      readonly $elemMatch: Readonly<Record<string, unknown>>;
    };
    if (kinds.includes('leaf') && !Object.keys(condition).every((key) => key.startsWith('$')))
      throw badBody(`$pull takes a value of ${path}, or operators such as $in and $gte`);
    return condition;
  }
  if (kinds.includes('document')) throw badBody(`$pull takes a filter of the documents in ${path}`);
  if (Array.isArray(value) && kinds.includes('leaf'))
    throw badBody(`$pull takes one value of ${path}, or several by $in`);
  return extended ?? value;
}
