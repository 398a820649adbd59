/** $densify: documents for the steps of a field that are missing. */
import { StoreError } from '../../errors.ts';
import { doubleValue } from '../../values/arithmetic.ts';
import { isInt, isNumber } from '../../values/kind.ts';
import { toDouble } from '../../values/number.ts';
import { compare, keyOf } from '../../values/order.ts';
import { get } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import { addUnits, unitOf } from '../expressions/date-units.ts';
import { withPath } from '../set.ts';
import { checkMemory, gather, inGroups, objectOf, textOf, type Stage } from './stage.ts';

type Step = (value: Value) => Value;

function stepOf(step: Value, unit: Value): Step {
  const size = toDouble(step);
  if (size === undefined || size <= 0) throw new StoreError(5733401, 'the step of $densify must be a positive number');
  if (unit === undefined)
    return (value) => {
      const next = (toDouble(value) ?? NaN) + size;
      return typeof value === 'number' && isInt(value) && isInt(next) ? next : doubleValue(next);
    };
  const name = unitOf(unit);
  return (value) => {
    if (!(value instanceof Date)) throw new StoreError(6586400, 'a $densify with a unit needs dates');
    return addUnits(value, name, size, () => 0);
  };
}

export const densify: Stage = (operand, context) => {
  const { field, partitionByFields, range } = objectOf(operand, '$densify');
  const path = textOf(field, "'field' of $densify");
  const { step, unit, bounds } = objectOf(range, 'range');
  const next = stepOf(step, unit);
  if (!Array.isArray(bounds) && bounds !== 'full' && bounds !== 'partition')
    throw new StoreError(5946802, "bounds must be 'full', 'partition' or two values");
  const names = Array.isArray(partitionByFields)
    ? partitionByFields.map((name) => textOf(name, 'a partition field'))
    : [];
  return async function* (source) {
    const docs = await gather(source, context);
    const partitions = new Map<string, Doc[]>();
    for (const doc of docs) {
      const key = keyOf(names.map((name) => get(doc, name) ?? null));
      partitions.set(key, [...(partitions.get(key) ?? []), doc]);
    }
    const all = docs
      .map((doc) => get(doc, path))
      .filter((value) => isNumber(value) || value instanceof Date)
      .sort((a, b) => compare(a, b));
    let made = 0;
    for (const rows of partitions.values()) {
      const sorted = [...rows].sort((a, b) => compare(get(a, path), get(b, path)));
      const own = sorted.map((doc) => get(doc, path)).filter((value) => isNumber(value) || value instanceof Date);
      const [low, high] = Array.isArray(bounds)
        ? bounds
        : bounds === 'full'
          ? [all[0], all.at(-1)]
          : [own[0], own.at(-1)];
      const seed = Object.fromEntries(
        names.map((name) => [name, get(rows[0] as Doc, name)] as const).filter(([, value]) => value !== undefined),
      );
      const results: Doc[] = [];
      let value = low;
      const before = (doc: Doc): boolean => compare(get(doc, path), value) < 0;
      let at = 0;
      while (value !== undefined && high !== undefined && compare(value, high) <= (Array.isArray(bounds) ? -1 : 0)) {
        while (at < sorted.length && before(sorted[at] as Doc)) results.push(sorted[at++] as Doc);
        if (at < sorted.length && compare(get(sorted[at] as Doc, path), value) === 0) results.push(sorted[at++] as Doc);
        else results.push(withPath(seed, path.split('.'), value));
        checkMemory((made += 1), context);
        if (made % 500 === 0) {
          context.checkTime();
          await context.yield();
        }
        value = next(value);
      }
      yield* inGroups([...results, ...sorted.slice(at)], context);
    }
  };
};
