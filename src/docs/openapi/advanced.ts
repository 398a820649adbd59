/** The JSON schemas of update operators and pipelines, from the tables that check them. */
import { type StageOperand, type StageRow, stageRows } from '../../query/stages.ts';
import { updateRows } from '../../query/updates.ts';
import { changeMark, type JsonSchema, listOf, mapOf, object, text } from './shapes.ts';

/** Operators with an object of fields each, or fields to set. Both may be nested paths. */
export const update: JsonSchema = {
  type: 'object',
  properties: Object.fromEntries(
    updateRows.map(({ name, meaning }) => [name, { type: 'object', additionalProperties: {}, description: meaning }]),
  ),
  additionalProperties: {},
};

const stageReference = { $ref: '#/components/schemas/_stage' };
export const pipeline: JsonSchema = listOf(stageReference);
const whole: JsonSchema = { type: 'integer', minimum: 0 };
const anything: JsonSchema = {};

/** The schema of each kind of operand. `undefined` means an object with the options of the row. */
const operands: Readonly<Record<StageOperand, JsonSchema | undefined>> = {
  filter: { type: 'object', additionalProperties: anything },
  expression: anything,
  fields: { type: 'object', additionalProperties: anything },
  options: undefined,
  sort: { type: 'object', additionalProperties: anything, minProperties: 1 },
  whole,
  name: text,
  windows: undefined,
  names: { oneOf: [text, listOf(text)] },
  unwind: undefined,
  branches: mapOf(pipeline),
  lookup: undefined,
  union: undefined,
  graph: undefined,
  out: anything,
  merge: undefined,
};

/** Stages that accept a string instead of their options. */
const shortened: ReadonlySet<StageOperand> = new Set(['unwind', 'union', 'merge']);

function operandOf({ operand, options = [], nests }: StageRow): JsonSchema {
  const known = operands[operand];
  if (known !== undefined) return known;
  const long = object(
    {},
    Object.fromEntries(
      options.map((name) => [name, nests === 'pipeline' && name === 'pipeline' ? pipeline : anything]),
    ),
  );
  return shortened.has(operand) ? { oneOf: [text, long] } : long;
}

/** One stage of a pipeline: an object with one name. */
export const stage: JsonSchema = {
  ...object(
    {},
    Object.fromEntries(
      stageRows.map((row) => [
        row.name,
        { ...operandOf(row), description: row.admin === true ? `${row.meaning}; admins only` : row.meaning },
      ]),
    ),
  ),
  minProperties: 1,
  maxProperties: 1,
};

/** Fields to set, or update operators. */
export const fieldsOrOperators: JsonSchema = { anyOf: [changeMark, update] };
