/** The pipeline of a figure, over the rows that a caller lists. */
import { filterFromJson, type ModelContext } from '../../../core.ts';
import { listsOn } from '../../../models/fields/path-type.ts';
import { allOf } from '../../../query/and.ts';
import type { Stage } from '../../../query/pipeline-secrets.ts';
import { type AggregatePlan, newPipeline } from '../../../read/aggregate.ts';
import { membersForLists } from '../../../read/fetch.ts';
import { linkResolverFor, withLinkedIds } from '../../../read/link-filters.ts';
import { planRows } from '../../../read/plan.ts';
import type { ViewValues } from '../contract.ts';
import { checkedFigure } from './body.ts';
import type { Figure } from './contract.ts';

/** The last periods, and the largest values, that a figure has. */
const [maxPeriods, maxValues] = [60, 20];

export interface FigureRequest {
  readonly figure: Figure;
  /** In JSON, as the caller has written it. */
  readonly filter: unknown;
  readonly deleted: ViewValues['deleted'];
}

/** @throws 400, 403 for what the caller may not compare rows by */
export async function planFigure(context: ModelContext, asked: FigureRequest): Promise<AggregatePlan> {
  const { services, grant, model, restrictions } = context;
  const { policy } = grant;
  const figure = checkedFigure(policy.view, asked.figure);
  let isTimed = policy.isTimed;
  const now = (): Date => {
    isTimed = true;
    return services.clock();
  };
  const showDeleted = asked.deleted === 'shown' || asked.deleted === 'only';
  const links = linkResolverFor(context, policy, showDeleted);
  const given = asked.filter === null ? undefined : filterFromJson(asked.filter, policy.view, now, links);
  const wanted = asked.deleted === 'only' ? allOf([given, { _deleted: true }]) : given;
  const rows = { policy, filter: wanted, search: undefined, showDeleted, hook: restrictions.hook };
  const { filter } = await withLinkedIds(context, planRows(context, rows), membersForLists(context));
  return {
    policy,
    pipeline: newPipeline(stagesOf(figure, filter, listsOn(model.schema, figure.by ?? ''))),
    allowDiskUse: false,
    reads: new Set([model]),
    writes: false,
    written: undefined,
    isRepeatable: !isTimed,
  };
}

/** What was stored before the schema was as it is now may be of another type, and have hidden parts. */
const typed = (path: string | null, type: object): object[] => (path === null ? [] : [{ [path]: type }]);

function stagesOf(figure: Figure, filter: object, lists: readonly string[]): readonly Stage[] {
  const { path, by, unit } = figure;
  const types = [
    ...typed(path, { $type: 'number' }),
    ...typed(by, unit === null ? { $not: { $type: ['object', 'array'] } } : { $type: 'date' }),
  ];
  return [
    { $match: filter },
    ...lists.map((list) => ({ $unwind: { path: `$${list}`, preserveNullAndEmptyArrays: true } })),
    ...(types.length === 0 ? [] : [{ $match: { $and: types } }]),
    { $group: { _id: keyOf(figure), value: valueOf(figure), count: { $sum: 1 } } },
    { $sort: unit === null ? { value: -1, _id: 1 } : { _id: -1 } },
    { $limit: unit === null ? maxValues : maxPeriods },
    { $project: { _id: 0, ...(by === null ? {} : { key: textOfKey(figure) }), value: 1, count: 1 } },
  ] as readonly Stage[];
}

const operators = { sum: '$sum', average: '$avg', min: '$min', max: '$max' } as const;

const valueOf = ({ of, path }: Figure): object =>
  of === 'count' ? { $sum: 1 } : { [operators[of]]: `$${path ?? ''}` };

/** The beginning of a period, or a value. */
function keyOf({ by, unit, zone: timezone }: Figure): unknown {
  if (by === null) return null;
  if (unit === null) return `$${by}`;
  return { $dateTrunc: { date: `$${by}`, unit, timezone, ...(unit === 'week' ? { startOfWeek: 'monday' } : {}) } };
}

/** A period is named by its first day. */
const textOfKey = ({ unit, zone: timezone }: Figure): unknown =>
  unit === null ? '$_id' : { $dateToString: { date: '$_id', format: '%Y-%m-%d', timezone } };
