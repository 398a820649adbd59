/** Lists that require a pipeline: full-text searches with a score, and sorts by free-form fields. */
import type { PipelineStage } from '../models/mongoose.ts';
import type { Filter } from '../query/filter.ts';
import { scorePath } from '../query/search.ts';
import { computedKeys, type OrderKey } from './order.ts';
import type { ListPlan } from './plan-types.ts';

/** Which of a plan's rows are read, and in which direction. */
export interface RowSlice {
  /** The rows after or before a position. */
  readonly range: Filter | undefined;
  readonly isReversed: boolean;
  readonly skip: number;
  readonly limit: number | undefined;
}

/** The stages that read a slice of a plan that is read by a pipeline. */
export function pipelineOf({ filter, scored, projection, order, sorts }: ListPlan, slice: RowSlice): PipelineStage[] {
  const free = order.filter(({ isFree }) => isFree);
  const { range, isReversed, skip, limit } = slice;
  const isBestFirst = free.length === 0 && !isReversed && range === undefined && beginsWithBest(order);
  const withScores = scored ? [{ $set: { [scorePath]: textScore } }] : [];
  const sort = isReversed ? sorts.reversed : sorts.forward;
  return [
    { $match: filter },
    ...(isBestFirst ? [] : withScores),
    ...(free.length === 0 ? [] : [{ $set: { [computedKeys]: Object.fromEntries(free.map(computedKey)) } }]),
    ...(range === undefined ? [] : [{ $match: range }]),
    { $sort: isBestFirst ? { ...sort, [scorePath]: textScore } : sort },
    ...(skip > 0 ? [{ $skip: skip }] : []),
    ...(limit === undefined ? [] : [{ $limit: limit }]),
    ...(isBestFirst ? withScores : []),
    ...(free.length === 0 ? [] : [{ $project: { [computedKeys]: 0 } }]),
    ...(projection === undefined ? [] : [{ $project: scored ? withScore(projection) : projection }]),
  ] as PipelineStage[];
}

const textScore = { $meta: 'textScore' } as const;

/**
 * Whether the best matches come first. An engine that finds matches by their scores then reads the documents of the page and not
 * all matches, if no stage stands between the match and the sort.
 */
const beginsWithBest = ([first]: readonly OrderKey[]): boolean =>
  first?.compared === scorePath && first.direction === -1;

/** Objects and lists sort as missing: comparing them would compare their password-named parts. */
function computedKey({ path, compared, within }: OrderKey): readonly [string, object] {
  const isComposed = { $in: [{ $type: `$${path}` }, ['object', 'array']] };
  const isOther = within && { $not: [{ $in: [`$${within.key}`, { $literal: within.values }] }] };
  const isMissing = isOther === undefined ? isComposed : { $or: [isComposed, isOther] };
  return [compared.slice(computedKeys.length + 1), { $cond: [isMissing, null, `$${path}`] }];
}

/** Adds the score to a projection of included fields. */
const withScore = (projection: Readonly<Record<string, unknown>>): object =>
  Object.values(projection).includes(1) ? { ...projection, score: 1 } : projection;
