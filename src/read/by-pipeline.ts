/** Lists that require a pipeline: full-text searches with a score, and sorts by free-form fields. */
import type { PipelineStage } from '../models/mongoose.ts';
import { isFreeForm } from '../models/path-type.ts';
import type { ListPlan } from './plan-types.ts';

/** The field with the sort keys of a row during the read. */
const order = '_dossier_order';

/** The stages that read a page and one more row; undefined if a `find` suffices. */
export function pipelineOf(plan: ListPlan): PipelineStage[] | undefined {
  const { filter, scored, projection, page } = plan;
  const free = Object.keys(plan.sort ?? {}).filter((path) => isFreeForm(plan.model.schema, path));
  if (!scored && free.length === 0) return undefined;
  const sort = plan.sort ?? { score: -1, _id: 1 };
  const keys = Object.entries(sort).map(([path, direction]): [string, 1 | -1] => {
    const at = free.indexOf(path);
    return [at === -1 ? path : `${order}.at${at}`, direction];
  });
  return [
    { $match: filter },
    ...(scored ? [{ $set: { score: { $meta: 'textScore' } } }] : []),
    ...(free.length === 0
      ? []
      : [{ $set: { [order]: Object.fromEntries(free.map((path, at) => [`at${at}`, plainValue(path)])) } }]),
    { $sort: Object.fromEntries(keys) },
    ...(page.skip > 0 ? [{ $skip: page.skip }] : []),
    ...(page.limit === undefined ? [] : [{ $limit: page.limit + 1 }]),
    ...(free.length === 0 ? [] : [{ $project: { [order]: 0 } }]),
    ...(projection === undefined ? [] : [{ $project: scored ? withScore(projection) : projection }]),
  ] as PipelineStage[];
}

/** Objects and lists sort as missing: comparing them would compare their password-named parts. */
const plainValue = (path: string): object => ({
  $cond: [{ $in: [{ $type: `$${path}` }, ['object', 'array']] }, null, `$${path}`],
});

/** Adds the score to a projection of included fields. */
const withScore = (projection: Readonly<Record<string, unknown>>): object =>
  Object.values(projection).includes(1) ? { ...projection, score: 1 } : projection;
