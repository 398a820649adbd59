/** Parses filters, with the top-level operators `$and`, `$or`, `$expr` and so on. */
import { notSupported, StoreError, unknownName } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import { exactLong, truthy } from '../values/number.ts';
import type { Doc, Value } from '../values/types.ts';
import { equalTo } from './comparison.ts';
import { allOf, anyOf, leaf, type Matcher, noneOf, plainMatcher } from './condition.ts';
import { badValue, type FilterContext, isReferenceName } from './context.ts';
import { compileSchema } from './json-schema/schema.ts';
import { readFieldCondition } from './operators.ts';

/** Parses a filter. @throws StoreError with MongoDB's code for an invalid filter */
export function readFilter(filter: Doc, context: FilterContext): Matcher {
  return allOf(Object.entries(filter).flatMap(([name, value]) => readPart(name, value, context) ?? []));
}

function readPart(name: string, value: Value, context: FilterContext): Matcher | undefined {
  if (!name.startsWith('$')) return readFieldCondition(value, context).on(name, context.charge);
  const read = documentOperators.get(name);
  if (read !== undefined) return read(value, context);
  if (isReferenceName(name)) return leaf(equalTo(value, context.collation)).on(name, context.charge);
  throw unknownName(
    2,
    `unknown top level operator: ${name}. If you have a field name that starts with a '$' symbol, consider using $getField or $setField.`,
  );
}

type Reader = (operand: Value, context: FilterContext) => Matcher | undefined;

const logical = (name: string, join: (matchers: readonly Matcher[]) => Matcher): readonly [string, Reader] => [
  name,
  (operand, context) => {
    if (!Array.isArray(operand)) throw badValue(`${name} must be an array`);
    if (operand.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
    return join(operand.map((part) => readFilter(documentIn(part), context)));
  },
];

function documentIn(part: Value): Doc {
  if (!isDoc(part)) throw badValue('$or/$and/$nor entries need to be full objects');
  return part;
}

const readExpr: Reader = (operand, { expr, wholeDocument }) => {
  if (!wholeDocument) throw badValue('$expr can only be applied to the top-level document');
  if (expr === undefined) throw new StoreError(224, '$expr is not allowed in this context');
  const evaluate = expr(operand);
  return plainMatcher((doc) => truthy(evaluate(doc)));
};

const readText: Reader = (_operand, { text, wholeDocument }) => {
  if (!wholeDocument) throw badValue('$text can only be applied to the top-level document');
  if (text === undefined) throw new StoreError(27, 'text index required for $text query');
  return plainMatcher(text);
};

const readJsonSchema: Reader = (operand, context) => plainMatcher(compileSchema(operand, context).holds);

const always = (name: string, answer: boolean): readonly [string, Reader] => [
  name,
  (operand) => {
    if (exactLong(operand) !== 1n) throw new StoreError(9, `${name} must be an integer value of 1`);
    return plainMatcher(() => answer);
  },
];

const refused = (name: string): readonly [string, Reader] => [
  name,
  () => {
    throw notSupported(`the query operator ${name}`);
  },
];

/** Top-level operators that require a MongoDB server. */
export const unsupported = ['$where', '$sampleRate'];

export const documentOperators: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  logical('$and', allOf),
  logical('$or', anyOf),
  logical('$nor', noneOf),
  ['$expr', readExpr],
  ['$text', readText],
  ['$jsonSchema', readJsonSchema],
  ['$comment', () => undefined],
  always('$alwaysTrue', true),
  always('$alwaysFalse', false),
  ...unsupported.map(refused),
]);

/** Whether a name is a top-level operator rather than a condition on a field. */
export const isDocumentOperator = (name: string): boolean => documentOperators.has(name);
