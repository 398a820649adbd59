/** Reads the operand of `$pull`: a value that members equal, or a filter of members. */
import type { ModelActor } from '../../context.ts';
import { badBody } from '../../errors.ts';
import { typeAt } from '../../models/fields/path-type.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { policyFor } from '../../policy/policy.ts';
import { fromExtended } from '../../query/extended.ts';
import { filterOfAnyValue } from '../../query/json-filter.ts';

/** @param path not an alias; of a list, or unknown @throws 400 */
export function pulled({ model, principal, services }: ModelActor, path: string, value: unknown): unknown {
  const { kind } = typeAt(model.schema, path);
  const extended = isPlainObject(value) ? fromExtended(value) : undefined;
  if (isPlainObject(value) && extended === undefined) {
    const { view } = policyFor(principal, model);
    const filter = filterOfAnyValue({ [path]: { $elemMatch: value } }, view, services.clock);
    const { $elemMatch: condition } = filter[path] as { $elemMatch: Readonly<Record<string, unknown>> };
    if (kind === 'leaf' && !Object.keys(condition).every((key) => key.startsWith('$')))
      throw badBody(`$pull takes a value of ${path}, or operators such as $in and $gte`);
    return condition;
  }
  if (kind === 'document') throw badBody(`$pull takes a filter of the documents in ${path}`);
  if (Array.isArray(value) && kind === 'leaf') throw badBody(`$pull takes one value of ${path}, or several by $in`);
  return extended ?? value;
}
