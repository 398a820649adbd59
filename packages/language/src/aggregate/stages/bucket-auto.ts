/** `$bucketAuto`: a number of groups of about equal size, by the order of a value. */
import { StoreError } from '../../errors.ts';
import { mergeSort } from '../../sort/index.ts';
import type { Collation } from '../../values/collation.ts';
import { isNumber } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import { compare } from '../../values/order.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { typeName } from '../expressions/arguments.ts';
import { outputOf } from './bucket.ts';
import { roundingOf, type Series } from './granularity.ts';
import { addTo, groupDoc, newGroup } from './grouping.ts';
import { checkOptions, docExpression, gather, memoryFor, objectOf, type StageReader } from './stage.ts';

export const bucketAuto: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 40240, `The argument to ${name}`);
  checkOptions(spec, ['groupBy', 'buckets', 'output', 'granularity'], 40245, name);
  if (!Object.hasOwn(spec, 'groupBy') || !Object.hasOwn(spec, 'buckets')) {
    throw new StoreError(40246, "$bucketAuto requires 'groupBy' and 'buckets' to be specified");
  }
  const groupBy = spec['groupBy'];
  if (typeof groupBy === 'string' ? !groupBy.startsWith('$') : typeof groupBy !== 'object') {
    throw new StoreError(
      40239,
      "The $bucketAuto 'groupBy' field must be defined as a $-prefixed path or an expression object",
    );
  }
  const key = docExpression(groupBy, compiler);
  const wanted = bucketsOf(spec['buckets']);
  const fields = outputOf(spec, compiler, 40244);
  const series = spec['granularity'] === undefined ? undefined : roundingOf(spec['granularity']);
  const { context } = compiler;
  return {
    run: async function* (source, frame) {
      const memory = memoryFor(context, name);
      const rows: Row[] = [];
      for (const doc of await gather(source, context, memory)) {
        rows.push({ key: keyIn(key(doc, frame), series), doc });
        if (context.due()) await context.yield();
      }
      const inOrder = await ordered(rows, context);
      for (const { from, to, min, max } of spans(inOrder, { wanted, series, collation: context.collation })) {
        const group = newGroup({ min, max }, fields, memory);
        for (const { doc } of inOrder.slice(from, to)) {
          addTo(group, doc, frame);
          if (context.due()) await context.yield();
        }
        yield [groupDoc(group, fields)];
      }
    },
  };
};

/** A document and its grouping value. */
interface Row {
  readonly key: Value;
  readonly doc: Doc;
}

/** Rows by their values as a whole, arrays too. */
const ordered = (rows: readonly Row[], { collation, yield: pause }: PipelineContext): Promise<readonly Row[]> =>
  mergeSort(rows, (a, b) => compare(a.key, b.key, collation), pause);

function bucketsOf(given: Value): number {
  if (!isNumber(given))
    throw new StoreError(
      40241,
      `The $bucketAuto 'buckets' field must be a numeric value, but found type: ${typeName(given)}`,
    );
  const count = exactLong(given);
  if (count === undefined)
    throw new StoreError(
      40242,
      `The $bucketAuto 'buckets' field must be representable as a 32-bit integer, but found ${String(given)}`,
    );
  if (count <= 0n)
    throw new StoreError(40243, `The $bucketAuto 'buckets' field must be greater than 0, but found: ${count}`);
  return Number(count);
}

function keyIn(value: Value, series: Series | undefined): Value {
  if (series === undefined) return value ?? null;
  if (!isNumber(value))
    throw new StoreError(
      40258,
      `$bucketAuto can specify a 'granularity' with numeric boundaries only, but found a value with type: ${typeName(value)}`,
    );
  return value;
}

/** The positions of a bucket's documents, and its boundaries. */
interface BucketSpan {
  readonly from: number;
  readonly to: number;
  readonly min: Value;
  readonly max: Value;
}

/** The number of buckets, and how values become boundaries. */
interface Partition {
  readonly wanted: number;
  readonly series: Series | undefined;
  readonly collation: Collation | undefined;
}

/** Equal values stay together. The upper boundary of a bucket is the lower one of the next. */
function spans(rows: readonly Row[], partition: Partition): readonly BucketSpan[] {
  const { wanted, series } = partition;
  const size = Math.max(1, Math.round(rows.length / wanted));
  const found: BucketSpan[] = [];
  let from = 0;
  while (from < rows.length) {
    const isLast = found.length === wanted - 1;
    const end = endOf(rows, isLast ? rows.length : Math.min(rows.length, from + size), partition);
    const min =
      series === undefined || found.length > 0 ? (found.at(-1)?.max ?? rows[from]?.key) : series.below(rows[from]?.key);
    found.push({ from, to: end.to, min: series === undefined ? rows[from]?.key : min, max: end.max });
    from = end.to;
  }
  return found;
}

function endOf(rows: readonly Row[], end: number, { series, collation }: Partition): { to: number; max: Value } {
  let to = end;
  const last = rows[to - 1]?.key;
  const most = series?.above(last);
  while (
    to < rows.length &&
    (most === undefined ? compare(rows[to]?.key, last, collation) === 0 : compare(rows[to]?.key, most) < 0)
  )
    to += 1;
  return { to, max: most ?? (to < rows.length ? rows[to]?.key : last) };
}
