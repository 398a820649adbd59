/** `$fill`: values for fields that are null or missing: a constant, the last value, or an interpolated one. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import { isNullish } from '../expressions/arguments.ts';
import type { Compiler } from '../expressions/compiler.ts';
import { readPath } from '../expressions/paths.ts';
import { windowFunctions } from '../windows/index.ts';
import { singleOrder } from '../windows/order.ts';
import { wholePartition } from '../windows/window.ts';
import { plainAt, withPath } from './fields.ts';
import { overPartitions, type WindowField } from './set-window-fields.ts';
import { checkOptions, docExpression, type Each, mapped, objectOf, type StageReader } from './stage.ts';

export const fill: StageReader = (operand, { compiler }, name) => {
  const spec = objectOf(operand, 9, `the ${name} stage specification`);
  checkOptions(spec, ['partitionBy', 'partitionByFields', 'sortBy', 'output'], 40415, name);
  const { sortBy, output } = spec;
  const order = sortBy === undefined ? undefined : objectOf(sortBy, 14, "'sortBy'");
  const outputs = Object.entries(objectOf(output, 40414, `'${name}.output'`));
  if (outputs.length === 0) throw new StoreError(6050203, "Maybe you meant to specify the 'output' of $fill");
  const partitionBy = partitionOf(spec);
  const constants = outputs.flatMap(([path, field]) => constantFill(path, field, compiler));
  const fields = outputs.flatMap(([path, field]) => methodFill(path, field, order, compiler));
  const each: Each = (doc, frame) => constants.reduce<Doc>((changed, step) => step(changed, frame) ?? changed, doc);
  if (fields.length === 0)
    return { each, run: (source, frame) => mapped(source, (doc) => each(doc, frame), compiler.context) };
  const windows = overPartitions({ partitionBy, sortBy: order, fields }, compiler, name);
  return { run: (source, frame) => mapped(windows.run(source, frame), (doc) => each(doc, frame), compiler.context) };
};

function partitionOf({ partitionBy, partitionByFields: fields }: Doc): Value {
  if (partitionBy !== undefined && fields !== undefined) {
    throw new StoreError(6050204, "Maximum one of 'partitionBy' and 'partitionByFields' can be specified in '$fill'");
  }
  if (fields === undefined) return typeof partitionBy === 'string' || isDoc(partitionBy) ? partitionBy : null;
  if (!Array.isArray(fields)) throw new StoreError(14, "'partitionByFields' must be an array of strings");
  return fields.map((path) => {
    if (typeof path !== 'string' || path.startsWith('$'))
      throw new StoreError(6050202, "'partitionByFields' must be names of fields, without a '$'");
    return `$${readPath(path).join('.')}`;
  });
}

function optionsOf(field: Value): Doc {
  const given = objectOf(field, 6050200, 'the output of $fill');
  checkOptions(given, ['value', 'method'], 6050202, '$fill');
  if ((given['value'] === undefined) === (given['method'] === undefined)) {
    throw new StoreError(6050202, "Each field of $fill's output must have exactly one of 'value' and 'method'");
  }
  return given;
}

function constantFill(path: string, field: Value, compiler: Compiler): readonly Each[] {
  const { value } = optionsOf(field);
  if (value === undefined) return [];
  const parts = readPath(path);
  const evaluate = docExpression(value, compiler);
  return [(doc, frame) => (isNullish(plainAt(doc, parts)) ? withPath(doc, parts, evaluate(doc, frame)) : doc)];
}

const methods: ReadonlyMap<Value, string> = new Map<Value, string>([
  ['linear', '$linearFill'],
  ['locf', '$locf'],
]);

function methodFill(path: string, field: Value, sortBy: Doc | undefined, compiler: Compiler): readonly WindowField[] {
  const { method } = optionsOf(field);
  if (method === undefined) return [];
  const name = methods.get(method) ?? '';
  const read = windowFunctions.get(name);
  if (read === undefined) throw new StoreError(6050202, 'Method must be either locf or linear');
  const tools = { compiler, order: singleOrder(sortBy), sortBy, window: wholePartition, hasWindow: false };
  return [{ path: readPath(path), values: read(`$${readPath(path).join('.')}`, tools, name) }];
}
