/** Objects: fields by name, joins, and their form as lists. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { field } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import { anyNumber, isNullish, over, type Compiler, type Evaluate, type Operator } from './scope.ts';
import { options } from './variables.ts';

const fieldName = (value: Value, name: string): string => {
  if (typeof value !== 'string') throw new StoreError(5654602, `${name} requires 'field' to evaluate to type String`);
  return value;
};

function getField(operand: Value, { compile }: Compiler): Evaluate {
  const whole = isDoc(operand) && Object.hasOwn(operand, 'field');
  const { field: named, input } = whole
    ? options(operand, '$getField', ['field', 'input'], ['field'])
    : { field: operand, input: undefined };
  const [name, source] = [compile(named), compile(input ?? '$$CURRENT')];
  return (scope) => {
    const value = source(scope);
    if (isNullish(value)) return value;
    return isDoc(value) ? field(value, fieldName(name(scope), '$getField')) : undefined;
  };
}

function setField(operand: Value, { compile }: Compiler, name: string): Evaluate {
  const unset = name === '$unsetField';
  const given = options(operand, name, unset ? ['field', 'input'] : ['field', 'input', 'value']);
  const [named, input, value] = [compile(given['field']), compile(given['input']), compile(given['value'])];
  return (scope) => {
    const doc = input(scope);
    if (isNullish(doc)) return null;
    if (!isDoc(doc)) throw new StoreError(4161105, `${name} requires 'input' to evaluate to type Object`);
    const key = fieldName(named(scope), name);
    const fresh = unset ? undefined : value(scope);
    const others = Object.entries(doc).filter(([other]) => other !== key || fresh !== undefined);
    return Object.fromEntries(
      fresh === undefined ? others : [...others.filter(([other]) => other !== key), [key, fresh]],
    );
  };
}

export const objects: Readonly<Record<string, Operator>> = {
  $getField: getField,
  $setField: setField,
  $unsetField: setField,
  $mergeObjects: over(0, anyNumber, (values, name) => {
    let merged: Doc = {};
    for (const value of values.flatMap((one) => (Array.isArray(one) && values.length === 1 ? one : [one]))) {
      if (isNullish(value)) continue;
      if (!isDoc(value)) throw new StoreError(40400, `${name} requires object inputs`);
      merged = { ...merged, ...value };
    }
    return merged;
  }),
  $objectToArray: over(1, 1, ([value], name) => {
    if (isNullish(value)) return null;
    if (!isDoc(value)) throw new StoreError(40390, `${name} requires a document input`);
    return Object.entries(value).map(([k, v]) => ({ k, v }));
  }),
};
