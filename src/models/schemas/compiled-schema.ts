/** Compiles the schemas that an application defines: what checks a value, and how it is described. */
import { types } from 'node:util';
import type { PathFault } from '../../errors/failure.ts';
import type {
  Check,
  CheckResult,
  CompiledSchema,
  JsonSchema,
  SchemaIssue,
  StandardSchema,
  ValueSchema,
} from './contract.ts';
import { DefinitionFault, valueText } from './faults.ts';
import { type Coercion, jsonCheck, maxFaults } from './json-schema.ts';

/** @throws DefinitionFault for an object that has another interface */
function standardCheck(name: string, schema: StandardSchema): Check {
  const { '~standard': standard } = schema;
  if (typeof standard?.validate !== 'function' || standard.version !== 1)
    throw new DefinitionFault(`${name} must be a Standard Schema of version 1`);
  const checked = (result: Awaited<ReturnType<typeof standard.validate>>): CheckResult =>
    result.issues === undefined ? { value: result.value } : { faults: result.issues.slice(0, maxFaults).map(faultOf) };
  return (value) => {
    const result = standard.validate(value);
    return types.isPromise(result) ? result.then(checked) : checked(result);
  };
}

function faultOf({ message, path = [] }: SchemaIssue): PathFault {
  const parts = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return { path: parts.join('.'), kind: 'schema', message };
}

/** The JSON Schema that a library gives of what it reads or returns; undefined where it gives none, as for values that JSON lacks. */
function standardDescription(
  { '~standard': { jsonSchema } }: StandardSchema,
  side: 'input' | 'output',
): JsonSchema | undefined {
  try {
    return jsonSchema?.[side]({ target: 'draft-2020-12' });
  } catch {
    return undefined;
  }
}

const isStandard = (schema: object): schema is StandardSchema => '~standard' in schema;

/** @param name for the fault: of what has the schema, and of the part @param coercion whether texts become what the schema wants @throws DefinitionFault for a schema that is none */
export function compiledSchema(name: string, schema: ValueSchema, coercion: Coercion): CompiledSchema {
  // the schemas of some libraries are functions
  if (!(['object', 'function'] as unknown[]).includes(typeof schema) || schema === null || Array.isArray(schema))
    throw new DefinitionFault(`${name} must be a JSON Schema or a Standard Schema, got ${valueText(schema)}`);
  if (isStandard(schema))
    return { check: standardCheck(name, schema), described: standardDescription(schema, 'input') };
  return { check: jsonCheck(name, schema, coercion), described: schema };
}

/** The description of what is answered. @throws DefinitionFault */
export function answerDescription(name: string, schema: ValueSchema): JsonSchema | undefined {
  const { described } = compiledSchema(name, schema, 'none');
  return isStandard(schema) ? standardDescription(schema, 'output') : described;
}
