/** `/distinct`: the values of a path in the rows that a caller reads, as a pipeline. */
import type { ModelContext } from '../context.ts';
import { badParameter, badPath, secretPath } from '../errors.ts';
import { withoutPositions } from '../models/numbered-names.ts';
import { typeAt } from '../models/path-type.ts';
import { realPath } from '../models/resolve-alias.ts';
import { checkKnown, checkPath } from '../query/key-checks.ts';
import { type ParameterTree, textOf } from '../query/parameter-tree.ts';
import type { Stage } from '../query/pipeline-secrets.ts';
import { removalOfUndeclared } from '../query/undeclared.ts';
import type { AggregatePlan } from './aggregate.ts';
import { withLinkedIds } from './link-filters.ts';
import { planValues } from './plan.ts';

const [standardLimit, maxLimit] = [100, 1000];

/** @throws 400 for a path that the caller may not compare rows by, and for bad parameters */
export async function planDistinct(context: ModelContext): Promise<AggregatePlan> {
  const { model, grant, query } = context;
  const path = checkedPath(context);
  const { filter } = await withLinkedIds(context, planValues(context));
  const stages = [
    { $match: filter },
    // a plain value of the schema has nothing in it that the schema lacks
    ...(typeAt(model.schema, path).kind === 'leaf' ? [] : removalOfUndeclared(grant.policy.view.storedNames)),
    { $project: { _id: path === '_id' ? 1 : 0, [path]: 1 } },
    ...membersOf(path),
    { $match: { [path]: { $exists: true, ...shownAt[typeAt(model.schema, path).kind] } } },
    { $group: { _id: `$${path}`, count: { $sum: 1 } } },
    { $sort: { count: -1, _id: 1 } },
    { $limit: limitOf(query) },
    { $project: { _id: 0, value: '$_id', count: 1 } },
  ] as unknown as readonly Stage[];
  return {
    model,
    policy: grant.policy,
    pipeline: { stages, isSmall: false },
    allowDiskUse: false,
    reads: new Set([model]),
    writes: false,
    written: undefined,
  };
}

/** Objects that no schema describes may have hidden parts. */
const plain = { $not: { $type: ['object', 'array'] } };
const shownAt = { leaf: { $not: { $type: 'object' } }, document: {}, mixed: plain, unknown: plain };

/** Replaces each list on the way of a path by its members. A missing value stays missing. */
const membersOf = (path: string): readonly object[] => {
  const parts = path.split('.');
  return parts.map((_, at) => ({
    $unwind: { path: `$${parts.slice(0, at + 1).join('.')}`, preserveNullAndEmptyArrays: true },
  }));
};

function checkedPath({ params, grant }: ModelContext): string {
  const { view } = grant.policy;
  const path = realPath(view.schema, params['path'] ?? '');
  checkPath(view, path);
  checkKnown(view, path, 'distinct');
  if (view.holdsHidden(path)) throw secretPath(path);
  if (withoutPositions(view.schema, path) !== path)
    throw badPath(`distinct lists the members of lists by themselves: name ${path} without a position`);
  return path;
}

function limitOf(query: ParameterTree): number {
  const text = textOf(query, 'limit');
  if (text === undefined) return standardLimit;
  if (/^\d{1,4}$/.test(text) && Number(text) >= 1 && Number(text) <= maxLimit) return Number(text);
  throw badParameter('limit', `must be a whole number from 1 to ${maxLimit}, got ${JSON.stringify(text.slice(0, 40))}`);
}
