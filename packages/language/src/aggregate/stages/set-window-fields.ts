/** `$setWindowFields`: fields computed from neighbouring documents. */
import { StoreError, unknownName } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { readPath } from '../expressions/paths.ts';
import { windowFunctions } from '../windows/index.ts';
import { singleOrder } from '../windows/order.ts';
import { readWindow } from '../windows/window.ts';
import type { WindowFunction } from '../windows/window-function.ts';
import { withPath } from './fields.ts';
import { partitionsOf } from './partitions.ts';
import { checkOptions, docExpression, inBatches, memoryFor, objectOf, type Stage, type StageReader } from './stage.ts';

/** A field and the function that computes it. */
export interface WindowField {
  readonly path: readonly string[];
  readonly values: WindowFunction;
}

export const setWindowFields: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 9, `the ${name} stage specification`);
  checkOptions(spec, ['partitionBy', 'sortBy', 'output'], 40415, name);
  const { partitionBy = null, sortBy, output } = spec;
  if (output === undefined) throw new StoreError(40414, `BSON field '${name}.output' is missing but a required field`);
  const order = sortBy === undefined ? undefined : objectOf(sortBy, 14, "'sortBy'");
  const fields = Object.entries(objectOf(output, 14, "'output'")).map(([path, field]) => ({
    path: readPath(path),
    values: readFunction(field, order, compiler),
  }));
  return overPartitions({ partitionBy, sortBy: order, fields }, compiler, name);
};

interface Windows {
  readonly partitionBy: Value;
  readonly sortBy: Doc | undefined;
  readonly fields: readonly WindowField[];
}

/** Computes the fields of one partition after the other. */
export function overPartitions({ partitionBy, sortBy, fields }: Windows, compiler: Compiler, name: string): Stage {
  const by = docExpression(partitionBy, compiler);
  return {
    run: async function* (source, frame) {
      const memory = memoryFor(compiler.context, name);
      for await (const docs of partitionsOf(source, frame, { by, sortBy, compiler, memory })) {
        const columns: (readonly Value[])[] = [];
        for (const { values } of fields) columns.push(await values({ docs, frame, memory }));
        const row = ([at, doc]: readonly [number, Doc]): Doc =>
          fields.reduce((changed, { path }, column) => withPath(changed, path, columns[column]?.[at]), doc);
        yield* inBatches(docs.entries(), row, compiler.context);
      }
    },
  };
}

function readFunction(spec: Value, sortBy: Doc | undefined, compiler: Compiler): WindowFunction {
  if (!isDoc(spec)) throw new StoreError(9, 'The field of a $setWindowFields output must be an object');
  const { window, ...others } = spec;
  const [first, second] = Object.entries(others);
  if (first === undefined) throw new StoreError(9, 'Expected a $-prefixed window function');
  if (second !== undefined) throw unknownName(9, `Window function found an unknown argument: ${second[0]}`);
  const [name, operand] = first;
  const read = windowFunctions.get(name);
  if (read === undefined) throw unknownName(9, `Unrecognized window function, ${name}`);
  const order = singleOrder(sortBy);
  return read(
    operand,
    { compiler, order, sortBy, window: readWindow(window, order ?? anyOrder(sortBy)), hasWindow: window !== undefined },
    name,
  );
}

/** A window of a number of documents needs any order; it need not be a single field. */
const anyOrder = (sortBy: Doc | undefined): ReturnType<typeof singleOrder> =>
  sortBy === undefined ? undefined : { direction: -1, value: () => null };
