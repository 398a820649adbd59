/** The filters of callers who may write the documents of a model, and read none of them. */
import { forbidden } from '../../../errors.ts';
import type { Policy } from '../../../policy/policy.ts';
import type { Filter } from '../../../query/filter.ts';
import { isUniqueKey } from '../../../write/rules/unique-index.ts';
import { isEquality } from './upsert.ts';

type Condition = readonly [path: string, value: unknown];

/**
 * The counts of a bulk write say how many documents match, so that any condition would tell what is stored. A caller without `r` names
 * documents as single writes do: by their `_id`, or by the values of a unique index.
 * @param filter the caller's, checked @throws 403
 */
export function refuseBlindFilter(policy: Policy, filter: Filter): void {
  if (policy.permits('r')) return;
  const { model, view } = policy;
  const conditions = conditionsOf(filter);
  const paths = conditions.map(([path]) => path);
  if (paths.length === 0 || (conditions.every(namesDocuments) && isKey(paths))) return;
  throw forbidden(
    `this filter needs the right to read ${model.name}: without it, name a document by its _id or by the values of a unique index`,
  );

  function isKey(of: readonly string[]): boolean {
    return of.every((path) => path === '_id') || isUniqueKey(view, of);
  }
}

const conditionsOf = (filter: Filter): readonly Condition[] =>
  Object.entries(filter).flatMap(([path, value]): readonly Condition[] =>
    path === '$and' ? (value as Filter[]).flatMap(conditionsOf) : [[path, value]],
  );

/** Null stands for a missing value, too, and so for many documents. */
const namesDocuments = ([path, value]: Condition): boolean =>
  (isEquality(value) && !isNull(value)) || (path === '_id' && Object.keys(value as object).join() === '$in');

const isNull = (value: unknown): boolean =>
  value === null || (typeof value === 'object' && '$eq' in value && value.$eq === null);
