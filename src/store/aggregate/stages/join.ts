/** Stages that bring in other documents: $lookup, $graphLookup, $unionWith, $facet. */
import { compileFilter } from '../../query/index.ts';
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { exactLong } from '../../values/number.ts';
import { keyOf } from '../../values/order.ts';
import { valuesAt } from '../../values/path.ts';
import type { Batches, Doc, Value } from '../../values/types.ts';
import type { PipelineContext } from '../context.ts';
import { compileExpression } from '../expressions/compile.ts';
import { withPath } from '../set.ts';
import { exprOf } from './shape.ts';
import { Memory } from '../meter.ts';
import { gather, inGroups, objectOf, textOf, type Stage } from './stage.ts';

function known(spec: Doc, name: string, keys: readonly string[]): Doc {
  for (const key of Object.keys(spec))
    if (!keys.includes(key)) throw new StoreError(9, `unknown argument to ${name}: ${key}`);
  return spec;
}

/** What local values match in the other collection: missing means null, lists mean each of their members. */
function wanted(doc: Doc, path: string): readonly Value[] {
  const values = valuesAt(doc, path).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return values.length === 0 ? [null] : values.map((value) => value ?? null);
}

export const lookup: Stage = (operand, context, compile) => {
  const spec = known(objectOf(operand, '$lookup'), '$lookup', [
    'from',
    'localField',
    'foreignField',
    'as',
    'let',
    'pipeline',
  ]);
  const [from, as] = [textOf(spec['from'], "'from' of $lookup"), textOf(spec['as'], "'as' of $lookup").split('.')];
  const { localField: local, foreignField: foreign, pipeline } = spec;
  if ((local === undefined) !== (foreign === undefined) || (local === undefined && pipeline === undefined))
    throw new StoreError(4572, '$lookup requires either pipeline, or both localField and foreignField');
  const vars = Object.entries(spec['let'] === undefined ? {} : objectOf(spec['let'], 'let')).map(
    ([name, value]) => [name, compileExpression(value, context)] as const,
  );
  const inner = (doc: Doc): PipelineContext => ({
    ...context,
    collection: from,
    let: { ...context.let, ...Object.fromEntries(vars.map(([name, evaluate]) => [name, evaluate(doc)])) },
  });
  if (pipeline !== undefined) compile(pipeline, inner({}));
  const joined = async (doc: Doc): Promise<readonly Doc[]> => {
    const filter =
      local === undefined ? undefined : ({ [foreign as string]: { $in: [...wanted(doc, local as string)] } } as Doc);
    const source = context.read(from, filter);
    return gather(pipeline === undefined ? source : compile(pipeline, inner(doc))(source), context);
  };
  const plain = local !== undefined && pipeline === undefined;
  return async function* (source) {
    for await (const group of source) {
      context.checkTime();
      if (plain) yield await byValue(group, { from, local: local as string, foreign: foreign as string, as }, context);
      else
        for (const doc of group) {
          yield [withPath(doc, as, [...(await joined(doc))])];
          context.checkTime();
          await context.yield();
        }
    }
  };
};

interface Equality {
  readonly from: string;
  readonly local: string;
  readonly foreign: string;
  readonly as: readonly string[];
}

/** One look-up for a whole group of documents. */
async function byValue(
  group: readonly Doc[],
  { from, local, foreign, as }: Equality,
  context: PipelineContext,
): Promise<Doc[]> {
  const values = new Map<string, Value>();
  const keys = group.map((doc) =>
    wanted(doc, local).map((value) => {
      const key = keyOf(value);
      values.set(key, value);
      return key;
    }),
  );
  const found = await gather(context.read(from, { [foreign]: { $in: [...values.values()] } }), context);
  const byKey = new Map<string, number[]>();
  found.forEach((doc, at) => {
    const held = valuesAt(doc, foreign).flatMap((value) =>
      Array.isArray(value) ? [...value, value] : [value ?? null],
    );
    for (const key of new Set((held.length === 0 ? [null] : held).map((value) => keyOf(value ?? null))))
      listIn(byKey, key).push(at);
  });
  return group.map((doc, row) => {
    const places = [...new Set((keys[row] ?? []).flatMap((key) => byKey.get(key) ?? []))].sort((a, b) => a - b);
    return withPath(
      doc,
      as,
      places.map((at) => found[at] as Doc),
    );
  });
}

function listIn(lists: Map<string, number[]>, key: string): number[] {
  const found = lists.get(key) ?? [];
  lists.set(key, found);
  return found;
}

export const unionWith: Stage = (operand, context, compile) => {
  const spec =
    typeof operand === 'string'
      ? { coll: operand }
      : known(objectOf(operand, '$unionWith'), '$unionWith', ['coll', 'pipeline']);
  const name = textOf(spec['coll'], "'coll' of $unionWith");
  const step = compile(spec['pipeline'] ?? [], { ...context, collection: name });
  return async function* (source) {
    yield* source;
    yield* step(context.read(name, undefined));
  };
};

export const facet: Stage = (operand, context, compile) => {
  const spec = objectOf(operand, '$facet');
  if (Object.keys(spec).length === 0)
    throw new StoreError(40169, 'the $facet specification must be a non-empty object');
  const branches = Object.entries(spec).map(([name, stages]) => {
    if (
      Array.isArray(stages) &&
      stages.some((stage) => isDoc(stage) && ['$out', '$merge', '$facet'].some((key) => key in stage))
    )
      throw new StoreError(40600, '$out, $merge and $facet are not allowed to be used within a $facet stage');
    return [name, compile(stages, context)] as const;
  });
  return async function* (source) {
    const docs = await gather(source, context);
    const result: [string, Value][] = [];
    const memory = new Memory(context);
    for (const [name, step] of branches)
      result.push([name, await gather(step(inGroups(docs, context)), context, memory)]);
    yield [Object.fromEntries(result)];
  };
};

export const graphLookup: Stage = (operand, context) => {
  const keys = [
    'from',
    'startWith',
    'connectFromField',
    'connectToField',
    'as',
    'maxDepth',
    'depthField',
    'restrictSearchWithMatch',
  ];
  const spec = known(objectOf(operand, '$graphLookup'), '$graphLookup', keys);
  const from = textOf(spec['from'], "'from' of $graphLookup");
  const [fromField, toField] = [
    textOf(spec['connectFromField'], 'connectFromField'),
    textOf(spec['connectToField'], 'connectToField'),
  ];
  const as = textOf(spec['as'], "'as' of $graphLookup").split('.');
  const start = compileExpression(spec['startWith'], context);
  const { depthField, maxDepth, restrictSearchWithMatch: restrict } = spec;
  const deepest = maxDepth === undefined ? Infinity : Number(exactLong(maxDepth) ?? 0n);
  const matcher =
    restrict === undefined
      ? undefined
      : compileFilter(objectOf(restrict, 'restrictSearchWithMatch'), { expr: exprOf(context) });
  const search = async (doc: Doc): Promise<Doc[]> => {
    const found = new Map<string, Doc>();
    const memory = new Memory(context);
    const first = start(doc);
    let frontier: readonly Value[] = Array.isArray(first) ? first : first === undefined ? [] : [first];
    for (let depth = 0; depth <= deepest && frontier.length > 0; depth++) {
      const next: Value[] = [];
      const reached = context.read(from, { [toField]: { $in: [...frontier] } });
      for (const other of await gather(reached, context, memory)) {
        const key = keyOf(other['_id']);
        if (found.has(key) || matcher?.matches(other) === false) continue;
        found.set(key, typeof depthField === 'string' ? withPath(other, depthField.split('.'), BigInt(depth)) : other);
        next.push(...valuesAt(other, fromField).flatMap((value) => (Array.isArray(value) ? value : [value])));
      }
      context.checkTime();
      await context.yield();
      frontier = next.filter((value) => value !== undefined);
    }
    return [...found.values()];
  };
  return async function* (source: Batches) {
    for await (const group of source) for (const doc of group) yield [withPath(doc, as, await search(doc))];
  };
};
