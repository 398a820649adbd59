/** Stages that make groups: $group, $count, $sortByCount, $bucket, $bucketAuto. */
import { StoreError } from '../../errors.ts';
import { exactLong } from '../../values/number.ts';
import { compare, keyOf } from '../../values/order.ts';
import type { Doc, Value } from '../../values/types.ts';
import { compileAccumulator, type Accumulator, type Gathering } from '../accumulators.ts';
import type { PipelineContext } from '../context.ts';
import { compileExpression } from '../expressions/compile.ts';
import { Memory } from '../meter.ts';
import { gather, inGroups, objectOf, textOf, type Stage, type Step } from './stage.ts';

/** A group by itself, and one of its gatherings. */
const groupBytes = 100;

interface Group {
  readonly id: Value;
  readonly gatherings: readonly Gathering[];
}

/** Groups documents by a key. */
function grouping(
  keyOfDoc: (doc: Doc) => Value,
  fields: readonly (readonly [string, Accumulator])[],
  context: PipelineContext,
  sorted: boolean,
): Step {
  return async function* (source) {
    const groups = new Map<string, Group>();
    const memory = new Memory(context);
    for await (const batch of source) {
      context.checkTime();
      for (const doc of batch) {
        const id = keyOfDoc(doc) ?? null;
        const key = keyOf(id);
        let group = groups.get(key);
        if (group === undefined) {
          groups.set(key, (group = { id, gatherings: fields.map(([, begin]) => begin(memory)) }));
          memory.keep(id);
          memory.addBytes(groupBytes + fields.length * groupBytes);
        }
        for (const gathering of group.gatherings) gathering.take(doc);
        if (context.due()) await context.yield();
      }
    }
    const found = sorted ? [...groups.values()].sort((a, b) => compare(a.id, b.id)) : [...groups.values()];
    const docs = found.map(({ id, gatherings }): Doc => ({
      _id: id,
      ...Object.fromEntries(fields.map(([name], at) => [name, gatherings[at]?.result()] as const)),
    }));
    yield* inGroups(docs, context);
  };
}

function accumulators(spec: Doc, context: PipelineContext): (readonly [string, Accumulator])[] {
  return Object.entries(spec).map(([name, operand]) => {
    if (name.includes('.') || name.startsWith('$'))
      throw new StoreError(40235, `The field name '${name}' cannot contain '.' or begin with '$'`);
    return [name, compileAccumulator(operand, context, name)] as const;
  });
}

export const group: Stage = (operand, context) => {
  const spec = objectOf(operand, '$group');
  if (!Object.hasOwn(spec, '_id')) throw new StoreError(15955, 'a group specification must include an _id');
  const { _id, ...others } = spec;
  const key = compileExpression(_id, context);
  return grouping((doc) => key(doc), accumulators(others, context), context, false);
};

export const count: Stage = (operand) => {
  const name = textOf(operand, 'the name of $count');
  if (name.startsWith('$') || name.includes('.')) throw new StoreError(40158, 'the count field must be a plain name');
  return async function* (source) {
    let total = 0;
    for await (const batch of source) total += batch.length;
    if (total > 0) yield [{ [name]: total }];
  };
};

export const sortByCount: Stage = (operand, context) => {
  const key = compileExpression(operand, context);
  const counted = grouping((doc) => key(doc), accumulators({ count: { $sum: 1 } }, context), context, false);
  return async function* (source) {
    const groups = await gather(counted(source), context);
    yield groups.sort((a, b) => compare(b['count'], a['count']));
  };
};

export const bucket: Stage = (operand, context) => {
  const { groupBy, boundaries, default: other, output } = objectOf(operand, '$bucket');
  if (!Array.isArray(boundaries) || boundaries.length < 2)
    throw new StoreError(40192, '$bucket needs two boundaries at least');
  const borders = boundaries.map((border) => compileExpression(border, context)({}));
  if (borders.some((border, at) => at > 0 && compare(borders[at - 1], border) >= 0))
    throw new StoreError(40194, "the 'boundaries' option to $bucket must be sorted");
  const key = compileExpression(groupBy, context);
  const fallback = other === undefined ? undefined : compileExpression(other, context)({});
  const find = (doc: Doc): Value => {
    const value = key(doc);
    const at = borders.findLastIndex((border) => compare(border, value) <= 0);
    if (at >= 0 && at < borders.length - 1) return borders[at];
    if (other === undefined)
      throw new StoreError(
        7157303,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    return fallback;
  };
  return grouping(find, accumulators(outputOf(output), context), context, true);
};

const outputOf = (output: Value): Doc => (output === undefined ? { count: { $sum: 1 } } : objectOf(output, 'output'));

export const bucketAuto: Stage = (operand, context) => {
  const { groupBy, buckets, output, granularity } = objectOf(operand, '$bucketAuto');
  if (granularity !== undefined)
    throw new StoreError(
      115,
      'granularity is not supported by the embedded store; set MONGODB_URL to use a MongoDB server',
    );
  const most = exactLong(buckets);
  if (most === undefined || most < 1n)
    throw new StoreError(40243, "The $bucketAuto 'buckets' field must be greater than 0");
  const key = compileExpression(groupBy, context);
  const fields = accumulators(outputOf(output), context);
  return async function* (source) {
    const rows = (await gather(source, context))
      .map((doc) => ({ key: key(doc) ?? null, doc }))
      .sort((a, b) => compare(a.key, b.key));
    const size = Math.max(1, Math.round(rows.length / Number(most)));
    const memory = new Memory(context);
    const results: Doc[] = [];
    for (let at = 0; at < rows.length;) {
      let end = results.length === Number(most) - 1 ? rows.length : Math.min(rows.length, at + size);
      while (end < rows.length && compare(rows[end]?.key, rows[end - 1]?.key) === 0) end += 1;
      const gatherings = fields.map(([, begin]) => begin(memory));
      for (const { doc } of rows.slice(at, end)) for (const gathering of gatherings) gathering.take(doc);
      const max = end < rows.length ? rows[end]?.key : rows[end - 1]?.key;
      results.push({
        _id: { min: rows[at]?.key, max },
        ...Object.fromEntries(fields.map(([name], place) => [name, gatherings[place]?.result()] as const)),
      });
      at = end;
    }
    if (results.length > 0) yield results;
  };
};
