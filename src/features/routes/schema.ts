/** The schemas of a route: what checks a value, and how it is described. */
import type { RouteSchema, StandardSchema } from '../../define/contract.ts';
import type { JsonSchema } from '../../docs/openapi/shapes.ts';
import type { Check } from './contract.ts';
import { RouteFault, shownValue } from './faults.ts';
import { type Coercion, jsonCheck } from './json-schema.ts';
import { standardCheck, standardDescription } from './standard-schema.ts';

export interface CompiledSchema {
  readonly check: Check;
  /** Undefined where the library of the schema gives none. */
  readonly described: JsonSchema | undefined;
}

const isStandard = (schema: object): schema is StandardSchema => '~standard' in schema;

/** @param name of the route and of the part, for the fault @param coercion whether texts become what the schema wants @throws RouteFault for a schema that is none */
export function compiledSchema(name: string, schema: RouteSchema, coercion: Coercion): CompiledSchema {
  // the schemas of some libraries are functions
  if (!(['object', 'function'] as unknown[]).includes(typeof schema) || schema === null || Array.isArray(schema))
    throw new RouteFault(`${name} must be a JSON Schema or a Standard Schema, got ${shownValue(schema)}`);
  if (isStandard(schema))
    return { check: standardCheck(name, schema), described: standardDescription(schema, 'input') };
  return { check: jsonCheck(name, schema, coercion), described: schema };
}

/** The description of what a route answers. @throws RouteFault */
export function answerDescription(name: string, schema: RouteSchema): JsonSchema | undefined {
  const { described } = compiledSchema(name, schema, 'none');
  return isStandard(schema) ? standardDescription(schema, 'output') : described;
}
