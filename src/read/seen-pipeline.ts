/** A pipeline as a search for documents, and the stages that follow. Pure. */
import type { ModelEntry } from '../models/entry.ts';
import { isPlainObject } from '../models/plain-object.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import type { Stage } from '../query/pipeline-secrets.ts';
import type { SeenRead } from './contract.ts';

const writing: ReadonlySet<string> = new Set(['$out', '$merge']);

/** What a pipeline searches for. */
export type Search = Required<Pick<SeenRead, 'filter' | 'sort' | 'limit' | 'pipeline'>>;

/** @param returned how many rows the pipeline has returned */
export const seenPipeline = (
  model: ModelEntry,
  { filter, sort, limit, pipeline }: Search,
  { returned, isCut }: Required<Pick<SeenRead, 'returned' | 'isCut'>>,
): SeenRead => ({ model, filter, sort, limit, pipeline, returned, isCut });

/** The first stages are the search: conditions, then a sort, then a limit, as the database finds documents by an index. */
export function searchOf(all: readonly Stage[]): Search {
  const named: readonly Named[] = all.flatMap((stage) => Object.entries(stage).slice(0, 1));
  const stages = all.filter((stage) => !Object.keys(stage).some((name) => writing.has(name)));
  let at = 0;
  const take = (name: string): readonly unknown[] => {
    const begun = at;
    while (named[at]?.[0] === name) at += 1;
    return named.slice(begun, at).map(([, operand]) => operand);
  };
  const conditions = take('$match') as Filter[];
  const sort = orderOf(take('$sort'));
  const skip = take('$skip');
  const limit = take('$limit');
  const following = named.slice(sort === undefined ? conditions.length : at).map(([name]) => name);
  const isLimited = sort !== undefined && limit.length > 0;
  return {
    filter: allOf(conditions),
    sort: sort ?? {},
    limit: isLimited ? skip.reduce<number>((sum, one) => sum + Number(one), Math.min(...limit.map(Number))) : undefined,
    pipeline: { stages, following },
  };
}

type Named = readonly [name: string, operand: unknown];

/** The order of the first sort; undefined where an index cannot give it, such as one by scores. */
function orderOf(sorts: readonly unknown[]): SeenRead['sort'] | undefined {
  const [first = {}] = sorts;
  if (sorts.length > 1 || !isPlainObject(first)) return undefined;
  const ways = Object.values(first);
  return ways.every((way) => way === 1 || way === -1) ? (first as SeenRead['sort']) : undefined;
}
