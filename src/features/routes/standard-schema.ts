/** Schemas of libraries that have the interface of Standard Schema, such as zod and valibot. */
import { types } from 'node:util';
import type { SchemaIssue, StandardSchema } from '../../define/contract.ts';
import type { JsonSchema } from '../../docs/openapi/shapes.ts';
import type { PathFault } from '../../failure.ts';
import type { Check, Checked } from './contract.ts';
import { RouteFault } from './faults.ts';

/** @throws RouteFault for an object that has another interface */
export function standardCheck(name: string, schema: StandardSchema): Check {
  const { '~standard': standard } = schema;
  if (typeof standard?.validate !== 'function' || standard.version !== 1)
    throw new RouteFault(`${name} must be a Standard Schema of version 1`);
  const checked = (result: Awaited<ReturnType<typeof standard.validate>>): Checked =>
    result.issues === undefined ? { value: result.value } : { faults: result.issues.map(faultOf) };
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
export function standardDescription(
  { '~standard': { jsonSchema } }: StandardSchema,
  side: 'input' | 'output',
): JsonSchema | undefined {
  try {
    return jsonSchema?.[side]({ target: 'draft-2020-12' });
  } catch {
    return undefined;
  }
}
