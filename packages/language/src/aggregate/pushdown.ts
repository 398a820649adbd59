/** The leading stages of a pipeline that a query can answer: filter, sort, skip and limit. */
import { isDoc } from '../values/kind.ts';
import { exactLong } from '../values/number.ts';
import type { Doc, Value } from '../values/types.ts';

/** A query, and the remaining stages. */
export interface Pushdown {
  readonly filter: Doc | undefined;
  readonly sort: Doc | undefined;
  readonly skip: number;
  /** 0 means no limit. */
  readonly limit: number;
  readonly rest: readonly Doc[];
}

/** Splits `$match`…, `$sort`, `$skip` and `$limit`, in this order, off a pipeline. */
export function splitPushdown(stages: readonly Doc[]): Pushdown {
  let at = 0;
  const filters: Doc[] = [];
  for (let filter = docIn(stages[at], '$match'); filter !== undefined; filter = docIn(stages[at], '$match')) {
    filters.push(filter);
    at += 1;
  }
  const sort = sortIn(stages[at]);
  if (sort !== undefined) at += 1;
  const skip = countIn(stages[at], '$skip', 0);
  if (skip !== undefined) at += 1;
  const limit = countIn(stages[at], '$limit', 1);
  if (limit !== undefined) at += 1;
  return { filter: joined(filters), sort, skip: skip ?? 0, limit: limit ?? 0, rest: stages.slice(at) };
}

const plainName = /^[A-Za-z_]\w*$/;

/** The result of a pipeline that only counts, as drivers send it: `{ $group: { _id: 1, n: { $sum: 1 } } }`. */
export function countAnswer(stages: readonly Doc[]): ((n: number) => Doc) | undefined {
  const [stage, ...others] = stages;
  const group = docIn(stage, '$group');
  if (group === undefined || others.length > 0) return undefined;
  const [name = '', ...more] = Object.keys(group).filter((field) => field !== '_id');
  const { _id: id, [name]: sum } = group;
  const constant = id === null || typeof id === 'number';
  if (!constant || more.length > 0 || !plainName.test(name) || operandOf(sum, '$sum') !== 1) return undefined;
  return (n) => ({ _id: id, [name]: n });
}

const joined = (filters: readonly Doc[]): Doc | undefined => (filters.length > 1 ? { $and: [...filters] } : filters[0]);

function operandOf(stage: Value, name: string): Value {
  return isDoc(stage) && Object.keys(stage).join() === name ? stage[name] : undefined;
}

function docIn(stage: Value, name: string): Doc | undefined {
  const operand = operandOf(stage, name);
  return isDoc(operand) ? operand : undefined;
}

/** An invalid sort is left to the stage, which reports the error. */
function sortIn(stage: Value): Doc | undefined {
  const sort = docIn(stage, '$sort');
  const names = Object.keys(sort ?? {});
  return names.length === 0 || names.some((name) => name.startsWith('$')) ? undefined : sort;
}

function countIn(stage: Value, name: string, least: number): number | undefined {
  const whole = exactLong(operandOf(stage, name));
  return whole === undefined || whole < least ? undefined : Number(whole);
}
