/** Accumulators that collect values: `$push`, `$addToSet`, `$mergeObjects`, `$first`, `$last`. */
import { isDoc } from '../../values/kind.ts';
import type { Value } from '../../values/types.ts';
import { mergeInto } from '../expressions/objects.ts';
import { Keys } from '../keys.ts';
import type { ValueAccumulator } from './accumulator.ts';

export const push: ValueAccumulator = (memory) => {
  const values: Value[] = [];
  return {
    add: (value) => {
      if (value === undefined) return;
      memory.keep(value);
      values.push(value);
    },
    result: () => values.slice(),
  };
};

export const addToSet: ValueAccumulator = (memory, context) => {
  const values = new Map<string, Value>();
  const keys = new Keys(context);
  return {
    add: (value) => {
      if (value === undefined) return;
      const key = keys.of(value);
      if (values.has(key)) return;
      memory.take(memory.sizeOf(value) + key.length);
      values.set(key, value);
    },
    result: () => [...values.values()],
  };
};

export const mergeObjects: ValueAccumulator = (memory) => {
  const merged: Record<string, Value> = {};
  return {
    add: (value) => {
      if (isDoc(value)) memory.keep(value);
      mergeInto(merged, value, '$mergeObjects');
    },
    result: () => ({ ...merged }),
  };
};

export const first: ValueAccumulator = () => {
  let found: { readonly value: Value } | undefined;
  return {
    add: (value) => {
      found ??= { value };
    },
    result: () => found?.value ?? null,
  };
};

export const last: ValueAccumulator = () => {
  let found: Value;
  return {
    add: (value) => {
      found = value;
    },
    result: () => found ?? null,
  };
};
