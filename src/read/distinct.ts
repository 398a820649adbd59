/** `/distinct`: the values of a path in the rows that a caller reads, as a pipeline. */
import type { Actor } from '../context.ts';
import { badPath, secretPath } from '../errors/errors.ts';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import { typeAt } from '../models/fields/path-type.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { checkKnown, checkPath } from '../query/key-checks.ts';
import type { Stage } from '../query/pipeline-secrets.ts';
import { removalOfUndeclared } from '../query/undeclared.ts';
import { type AggregatePlan, newPipeline } from './aggregate.ts';
import { membersForLists } from './fetch.ts';
import type { DistinctIntent } from './intents.ts';
import { withLinkedIds } from './link-filters.ts';
import { planRows } from './plan.ts';

/** @throws 400 for a path that the caller may not compare rows by */
export async function planDistinct(actor: Actor, intent: DistinctIntent): Promise<AggregatePlan> {
  const { policy, limit } = intent;
  const { model } = policy;
  const path = checkedPath(intent);
  const { filter } = await withLinkedIds(actor, planRows(actor, intent), membersForLists(actor));
  const stages = [
    { $match: filter },
    // a plain value of the schema has nothing in it that the schema lacks
    ...(typeAt(model.schema, path).kind === 'leaf' ? [] : removalOfUndeclared(policy.view.storedNames)),
    { $project: { _id: path === '_id' ? 1 : 0, [path]: 1 } },
    ...membersOf(path),
    { $match: { [path]: { $exists: true, ...shownAt[typeAt(model.schema, path).kind] } } },
    { $group: { _id: `$${path}`, count: { $sum: 1 } } },
    { $sort: { count: -1, _id: 1 } },
    { $limit: limit },
    { $project: { _id: 0, value: '$_id', count: 1 } },
  ] as unknown as readonly Stage[];
  return {
    policy,
    pipeline: newPipeline(stages),
    allowDiskUse: false,
    reads: new Set([model]),
    writes: false,
    written: undefined,
    isRepeatable: !policy.isTimed,
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

function checkedPath({ policy: { view }, path: name }: DistinctIntent): string {
  const path = realPath(view.schema, name);
  checkPath(view, path);
  checkKnown(view, path, 'distinct');
  if (view.holdsHidden(path)) throw secretPath(path);
  if (withoutPositions(view.schema, path) !== path)
    throw badPath(`distinct lists the members of lists by themselves: name ${path} without a position`);
  return path;
}
