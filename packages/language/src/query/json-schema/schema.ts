/** JSON Schema as MongoDB has it ("$jsonSchema" in its manual): the keywords of draft 4, and `bsonType`. */
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import type { FilterContext } from '../context.ts';
import { arrayKeywords } from './arrays.ts';
import { objectKeywords } from './objects.ts';
import {
  type KeywordReader,
  type Rule,
  type Schema,
  type SchemaContext,
  schemasIn,
  unreadable,
  wrongType,
} from './rule.ts';
import { scalarKeywords } from './scalars.ts';

const matching = (schemas: readonly Schema[], value: Value): number =>
  schemas.filter((schema) => schema.holds(value)).length;

/** A keyword on how many of several schemas a value meets. */
const combining =
  (holds: (met: number, of: number) => boolean, reason?: string): KeywordReader =>
  (operand, context, keyword) => {
    const schemas = schemasIn(operand, context, keyword);
    return {
      holds: (value) => holds(matching(schemas, value), schemas.length),
      failure: (value) => ({
        operatorName: keyword,
        ...(reason === undefined || matching(schemas, value) === 0 ? {} : { reason }),
        schemasNotSatisfied: schemas.flatMap((schema, index) =>
          schema.holds(value) ? [] : [{ index, details: schema.failures(value) }],
        ),
      }),
    };
  };

const not: KeywordReader = (operand, { read }, keyword) => {
  const schema = read(operand, keyword);
  return {
    holds: (value) => !schema.holds(value),
    failure: (value) => ({ operatorName: keyword, reason: 'child expression matched', consideredValue: value }),
  };
};

/** A keyword that describes the schema. */
const text: KeywordReader = (operand, _context, keyword) => {
  if (typeof operand !== 'string') throw wrongType(keyword, 'a string', operand);
  return undefined;
};

/** The keywords of draft 4 that MongoDB refuses. */
const refused = ['$ref', '$schema', 'default', 'definitions', 'format', 'id'];

const keywords: ReadonlyMap<string, KeywordReader> = new Map<string, KeywordReader>([
  ...scalarKeywords,
  ...arrayKeywords,
  ...objectKeywords,
  ['allOf', combining((met, of) => met === of)],
  ['anyOf', combining((met) => met > 0)],
  ['oneOf', combining((met) => met === 1, 'more than one subschema matched')],
  ['not', not],
  ['title', text],
  ['description', text],
  ...refused.map((name): readonly [string, KeywordReader] => [
    name,
    () => {
      throw unreadable(`$jsonSchema keyword '${name}' is not currently supported`);
    },
  ]),
]);

/**
 * Compiles a schema.
 * @throws StoreError 9, 14 or 2 for an invalid schema, 115 for keywords of encryption
 */
export function compileSchema(schema: Value, filter: FilterContext): Schema {
  return read(schema, '$jsonSchema', filter);
}

function read(schema: Value, keyword: string, filter: FilterContext): Schema {
  if (!isDoc(schema)) throw wrongType(keyword, 'an object', schema);
  const context: SchemaContext = { filter, schema, read: (inner, name) => read(inner, name, filter) };
  const rules = Object.entries(schema).flatMap(([name, operand]) => ruleOf(name, operand, context) ?? []);
  const { charge } = filter;
  return {
    holds: (value) => {
      charge?.(1 + rules.length);
      return rules.every((rule) => rule.holds(value ?? null));
    },
    failures: (value) =>
      rules.filter((rule) => !rule.holds(value ?? null)).map((rule) => described(rule, value, schema)),
  };
}

function ruleOf(name: string, operand: Value, context: SchemaContext): Rule | undefined {
  const reader = keywords.get(name);
  if (reader === undefined) throw unreadable(`Unknown $jsonSchema keyword: ${name}`);
  return reader(operand, context, name);
}

/** A failure with the title and description of its schema. */
function described(rule: Rule, value: Value, { title, description }: Doc): Doc {
  const { operatorName, ...rest } = rule.failure(value);
  return {
    operatorName,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    ...rest,
  };
}
