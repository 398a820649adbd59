/** Stages that order, cut and pick: $sort, $limit, $skip, $sample. */
import { StoreError } from '../../errors.ts';
import { BoundedSort, compileSort, type Sort } from '../../sort/index.ts';
import { exactLong } from '../../values/number.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { Memory } from '../meter.ts';
import { sortedInTurns } from '../sorted.ts';
import { gather, inGroups, objectOf, type Stage, type Step } from './stage.ts';

export const sort: Stage = (operand, context) => sorting(operand, Number.POSITIVE_INFINITY, context);

/** A sort of which only the first documents are wanted. */
export function sorting(operand: Value, wanted: number, context: PipelineContext): Step {
  const spec = objectOf(operand, '$sort');
  if (Object.keys(spec).length === 0) throw new StoreError(15976, '$sort stage must have at least one sort key');
  const order = compileSort(spec, context.collation, context.textScore);
  return async function* (source) {
    const docs = wanted > mostKept ? await gather(source, context) : await first(source, order, wanted, context);
    yield* inGroups(await sortedInTurns(docs, order, context), context);
  };
}

/** A limit above it is no help to a sort. */
const mostKept = 10_000;

async function first(source: Batches, order: Sort, wanted: number, context: PipelineContext): Promise<readonly Doc[]> {
  const kept = new BoundedSort(order, wanted);
  for await (const group of source) {
    for (const doc of group) kept.add(doc);
    context.checkTime();
    await context.yield();
  }
  return kept.sorted();
}

function countOf(operand: Value, name: string, least: bigint): number {
  const whole = exactLong(operand);
  if (whole === undefined || whole < least)
    throw new StoreError(
      least === 1n ? 15958 : 15956,
      `the ${name} must be a ${least === 1n ? 'positive' : 'non-negative'} number`,
    );
  return Number(whole);
}

/** What a `$limit` lets through. */
export const limitOf = (operand: Value): number => countOf(operand, 'limit', 1n);

export const limit: Stage = (operand) => {
  const most = limitOf(operand);
  return async function* (source) {
    let left = most;
    for await (const group of source) {
      yield group.length <= left ? group : group.slice(0, left);
      left -= group.length;
      if (left <= 0) return;
    }
  };
};

export const skip: Stage = (operand) => {
  const first = countOf(operand, 'skip', 0n);
  return async function* (source) {
    let left = first;
    for await (const group of source) {
      const rest = left === 0 ? group : group.slice(left);
      left = Math.max(0, left - group.length);
      if (rest.length > 0) yield rest;
    }
  };
};

export const sample: Stage = (operand, context) => {
  const size = countOf(objectOf(operand, '$sample')['size'], 'size of $sample', 1n);
  return async function* (source) {
    const kept: Doc[] = [];
    const memory = new Memory(context);
    let seen = 0;
    for await (const group of source) {
      for (const doc of group) {
        seen += 1;
        if (kept.length < size) {
          memory.keep(doc);
          kept.push(doc);
        } else {
          const at = Math.floor(Math.random() * seen);
          if (at < size) kept[at] = doc;
        }
      }
      await context.yield();
    }
    yield* inGroups(shuffled(kept), context);
  };
};

/** Each order is as likely as any other. */
function shuffled(docs: readonly Doc[]): readonly Doc[] {
  const all = [...docs];
  for (let at = all.length - 1; at > 0; at--) {
    const other = Math.floor(Math.random() * (at + 1));
    [all[at], all[other]] = [all[other] as Doc, all[at] as Doc];
  }
  return all;
}
