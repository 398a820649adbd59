/** `$bucket`: groups by given boundaries. */
import { StoreError } from '../../errors.ts';
import { rankOf } from '../../values/kind.ts';
import { compare } from '../../values/order.ts';
import type { Doc, Value } from '../../values/types.ts';
import { type AccumulatedField, readAccumulatedFields } from '../accumulators/index.ts';
import { orderIn } from '../comparing.ts';
import { typeName } from '../expressions/arguments.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { groupDoc, type Grouping, groupsOf } from './grouping.ts';
import { checkOptions, type DocExpression, docExpression, inBatches, objectOf, type StageReader } from './stage.ts';

export const bucket: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 40201, `Argument to ${name} stage`);
  checkOptions(spec, ['groupBy', 'boundaries', 'default', 'output'], 40197, name);
  const grouping: Grouping = { id: bucketOf(spec, compiler), fields: outputOf(spec, compiler, 40196), compiler, name };
  return {
    run: async function* (source, frame) {
      const groups = await groupsOf(source, frame, grouping);
      groups.sort((a, b) => compare(a.id, b.id, compiler.context.collation));
      yield* inBatches(groups, (one) => groupDoc(one, grouping.fields), compiler.context);
    },
  };
};

/** The accumulated fields of buckets; by default a count. */
export function outputOf({ output }: Doc, compiler: Compiler, code: number): readonly AccumulatedField[] {
  const fields: Doc = output === undefined ? { count: { $sum: 1 } } : objectOf(output, code, "The 'output' field");
  return readAccumulatedFields(Object.entries(fields), compiler);
}

function bucketOf(spec: Doc, compiler: Compiler): DocExpression {
  if (!Object.hasOwn(spec, 'groupBy') || !Object.hasOwn(spec, 'boundaries')) {
    throw new StoreError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  }
  const { groupBy } = spec;
  if (typeof groupBy === 'string' ? !groupBy.startsWith('$') : typeof groupBy !== 'object') {
    throw new StoreError(
      40202,
      "The $bucket 'groupBy' field must be defined as a $-prefixed path or an expression object",
    );
  }
  const boundaries = boundariesOf(spec['boundaries'], compiler);
  const otherwise = Object.hasOwn(spec, 'default')
    ? { value: constantOf(spec['default'], compiler, 40195) }
    : undefined;
  const order = orderIn(compiler.context);
  const [least, most] = [boundaries[0], boundaries.at(-1)];
  if (otherwise !== undefined && order(otherwise.value, least) >= 0 && order(otherwise.value, most) < 0) {
    throw new StoreError(
      40199,
      "The $bucket 'default' field must be less than the lowest boundary or greater than or equal to the highest boundary.",
    );
  }
  const value = docExpression(groupBy, compiler);
  return (doc, frame) => {
    const found = rangeOf(value(doc, frame), boundaries, order) ?? otherwise;
    if (found === undefined) {
      throw new StoreError(
        7157303,
        '$switch could not find a matching branch for an input, and no default was specified.',
      );
    }
    return found.value;
  };
}

function boundariesOf(given: Value, compiler: Compiler): readonly Value[] {
  if (!Array.isArray(given))
    throw new StoreError(40200, `The $bucket 'boundaries' field must be an array, but found type: ${typeName(given)}.`);
  if (given.length < 2)
    throw new StoreError(
      40192,
      `The $bucket 'boundaries' field must have at least 2 values, but found ${given.length} value(s).`,
    );
  const values = given.map((boundary) => constantOf(boundary, compiler, 40191));
  for (const [at, value] of values.entries()) {
    const before = at === 0 ? undefined : values[at - 1];
    if (before === undefined) continue;
    if (rankOf(before) !== rankOf(value))
      throw new StoreError(40193, "All values in the 'boundaries' option to $bucket must have the same type.");
    if (compare(before, value, compiler.context.collation) >= 0)
      throw new StoreError(
        40194,
        "The 'boundaries' option to $bucket must be sorted, but elements are not in ascending order.",
      );
  }
  return values;
}

function constantOf(expression: Value, compiler: Compiler, code: number): Value {
  const constant = compiler.constantOf(compiler.compile(expression));
  if (constant === undefined) throw new StoreError(code, 'The $bucket boundaries and default must be constant values.');
  return constant.value;
}

/** The highest boundary at or below a value; it names the bucket. */
function rangeOf(
  value: Value,
  boundaries: readonly Value[],
  order: (a: Value, b: Value) => number,
): { readonly value: Value } | undefined {
  const above = boundaries.findIndex((boundary) => order(value, boundary) < 0);
  return above <= 0 ? undefined : { value: boundaries[above - 1] };
}
