/** Object operators. */
import { StoreError } from '../../errors.ts';
import { isDoc } from '../../values/kind.ts';
import { field } from '../../values/path.ts';
import { setField } from '../../values/path.ts';
import type { Doc, Value } from '../../values/types.ts';
import { type Call, type Fields, fieldsOf, isNullish, onOneOrNull, onValues, typeName } from './arguments.ts';
import type { Compiler, Operator } from './compiler.ts';

const getFields: Fields = {
  notObject: 3041701,
  unknown: 3041701,
  required: { field: 3041702, input: 3041703 },
};

interface NameErrors {
  readonly name: string;
  readonly notConstant: number;
  readonly notString: number;
}

/** A constant field name. */
function nameOf(expression: Value, compiler: Compiler, { name, notConstant, notString }: NameErrors): string {
  const constant = compiler.constantOf(compiler.compile(expression));
  if (constant === undefined) {
    throw new StoreError(
      notConstant,
      `${name} requires 'field' to evaluate to a constant, but got a non-constant argument`,
    );
  }
  if (typeof constant.value !== 'string') {
    throw new StoreError(
      notString,
      `${name} requires 'field' to evaluate to type String, but got ${typeName(constant.value)}`,
    );
  }
  return constant.value;
}

const getField: Operator = (operand, compiler, name) => {
  const named = isDoc(operand) && Object.hasOwn(operand, 'field');
  const given = named ? { input: '$$CURRENT', ...operand } : { field: operand, input: '$$CURRENT' };
  const { field: wanted, input } = fieldsOf(given, name, getFields);
  const path = nameOf(wanted, compiler, { notConstant: 5654600, notString: 5654602, name });
  const source = compiler.compile(input);
  return (scope) => {
    const value = source(scope);
    if (isNullish(value)) return value;
    return isDoc(value) ? field(value, path) : undefined;
  };
};

const setFields: Fields = {
  notObject: 4161100,
  unknown: 4161101,
  required: { field: 4161102, input: 4161109, value: 4161103 },
};

const unsetFields: Fields = { ...setFields, required: { field: 4161102, input: 4161109 } };

const settingField =
  (fields: Fields): Operator =>
  (operand, compiler, name) => {
    const given = fieldsOf(operand, name, fields);
    const path = nameOf(given['field'], compiler, { notConstant: 4161106, notString: 4161107, name });
    const input = compiler.compile(given['input']);
    const value = compiler.compile(given['value']);
    return (scope) => {
      const doc = input(scope);
      if (isNullish(doc)) return null;
      if (!isDoc(doc)) {
        throw new StoreError(4161105, `${name} requires 'input' to evaluate to type Object, but got ${typeName(doc)}`);
      }
      compiler.work.fields(Object.keys(doc).length, name);
      return withField(doc, path, value(scope));
    };
  };

/** A copy of a document with a field set; undefined removes the field. */
export function withField(doc: Doc, name: string, value: Value): Doc {
  if (value !== undefined) return { ...doc, [name]: value };
  if (!Object.hasOwn(doc, name)) return doc;
  const copy: Record<string, Value> = { ...doc };
  delete copy[name];
  return copy;
}

/** Copies the fields of one document into another, in place. */
export function mergeInto(target: Record<string, Value>, value: Value, name: string): void {
  if (isNullish(value)) return;
  if (!isDoc(value))
    throw new StoreError(40400, `${name} requires object inputs, but input is of type ${typeName(value)}`);
  for (const key of Object.keys(value)) setField(target, key, value[key]);
}

function mergeObjects(values: readonly Value[], { name, compiler }: Call): Value {
  const [only] = values;
  const merged: Record<string, Value> = {};
  for (const value of values.length === 1 && Array.isArray(only) ? only : values) {
    if (isDoc(value)) compiler.work.fields(Object.keys(value).length, name);
    mergeInto(merged, value, name);
  }
  return merged;
}

function objectToArray(value: NonNullable<Value>, { name, compiler }: Call): Value {
  if (!isDoc(value)) throw new StoreError(40390, `${name} requires a document input, found: ${typeName(value)}`);
  const entries = Object.entries(value);
  compiler.work.add(entries.length, name);
  return entries.map(([k, v]) => ({ k, v }));
}

/** The operators of this file. */
export const objectOperators: readonly (readonly [string, Operator])[] = [
  ['$getField', getField],
  ['$setField', settingField(setFields)],
  ['$unsetField', settingField(unsetFields)],
  ['$mergeObjects', onValues(0, Infinity, mergeObjects)],
  ['$objectToArray', onOneOrNull(objectToArray)],
];
