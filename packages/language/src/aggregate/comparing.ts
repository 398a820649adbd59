/** Comparisons that meter the size of the compared values. */
import { compileSort, type Key, type Sort } from '../sort/index.ts';
import type { Collation } from '../values/collation.ts';
import { compare } from '../values/order.ts';
import { field } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';
import type { Meter } from './meter.ts';

interface Counting {
  readonly collation?: Collation | undefined;
  readonly meter: Meter;
}

/** Compares two values of a pipeline: negative, 0 or positive. */
export const orderIn =
  ({ collation, meter }: Counting) =>
  (a: Value, b: Value): number => {
    if (a === b) return 0;
    meter.compared(a, b);
    return compare(a, b, collation);
  };

/** A sort that computes the key of each document once. */
export function countedSort(spec: Doc, { collation, meter }: Counting): Pick<Sort, 'compareKeys' | 'key'> {
  const sort = compileSort(spec, collation);
  const first = Object.keys(spec).map((path) => path.split('.', 1)[0] ?? '');
  return {
    key: (doc) => {
      for (const name of first) meter.walked(field(doc, name));
      return sort.key(doc);
    },
    compareKeys: (a, b) => {
      for (const [at, part] of a.entries()) meter.compared(valueOf(part), valueOf(b[at]));
      return sort.compareKeys(a, b);
    },
  };
}

/** A key part as a value; undefined for an empty array. */
export const valueOf = (part: Key[number]): Value => (typeof part === 'symbol' ? undefined : part);
