/** Stages that order, cut and pick: $sort, $limit, $skip, $sample. */
import { StoreError } from '../../errors.ts';
import { compileSort, sortDocs } from '../../sort/index.ts';
import { exactLong } from '../../values/number.ts';
import type { Doc, Value } from '../../values/types.ts';
import { gather, inGroups, objectOf, type Stage } from './stage.ts';

export const sort: Stage = (operand, context) => {
  const spec = objectOf(operand, '$sort');
  if (Object.keys(spec).length === 0) throw new StoreError(15976, '$sort stage must have at least one sort key');
  const order = compileSort(spec, context.collation, context.textScore);
  return async function* (source) {
    yield* inGroups(sortDocs(await gather(source, context), order), context);
  };
};

function countOf(operand: Value, name: string, least: bigint): number {
  const whole = exactLong(operand);
  if (whole === undefined || whole < least)
    throw new StoreError(
      least === 1n ? 15958 : 15956,
      `the ${name} must be a ${least === 1n ? 'positive' : 'non-negative'} number`,
    );
  return Number(whole);
}

export const limit: Stage = (operand) => {
  const most = countOf(operand, 'limit', 1n);
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
    let seen = 0;
    for await (const group of source) {
      for (const doc of group) {
        seen += 1;
        if (kept.length < size) kept.push(doc);
        else {
          const at = Math.floor(Math.random() * seen);
          if (at < size) kept[at] = doc;
        }
      }
      await context.yield();
    }
    if (kept.length > 0) yield kept.sort(() => Math.random() - 0.5);
  };
};
