/** JSON Schemas of routes, by ajv. The adapter of ajv. */
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonSchema } from '../../docs/openapi/shapes.ts';
import type { PathFault } from '../../failure.ts';
import type { Check } from './contract.ts';
import { RouteFault } from './faults.ts';

/** `text`: values are texts of a URL, which become numbers, lists and so on, as the schema says. */
export type Coercion = 'none' | 'text';

const optionsFor = (coercion: Coercion): Options => ({
  allErrors: true,
  useDefaults: true,
  coerceTypes: coercion === 'text' ? 'array' : false,
  strictTypes: false,
  strictTuples: false,
  logger: false,
});

const draft7 = /^https?:\/\/json-schema\.org\/draft-07\/schema#?$/;

/** @throws RouteFault for what is no JSON Schema, or refers to one that is elsewhere */
export function jsonCheck(name: string, schema: JsonSchema, coercion: Coercion): Check {
  const validate = compiled(name, schema, coercion);
  return (value) => {
    // defaults and coerced values are set in place, and what was sent must stay as it is
    const copy = structuredClone(value);
    return validate(copy) ? { value: copy } : { faults: (validate.errors ?? []).map(faultOf) };
  };
}

function compiled(name: string, schema: JsonSchema, coercion: Coercion): ValidateFunction {
  const { $schema, $async } = schema;
  if ($async !== undefined) throw new RouteFault(`${name}: $async is no keyword of JSON Schema`);
  const Version = typeof $schema === 'string' && draft7.test($schema) ? Ajv : Ajv2020;
  try {
    // each schema by itself: two may have the same $id
    return addFormats.default(new Version(optionsFor(coercion))).compile(schema);
  } catch (error) {
    throw new RouteFault(`${name} is no valid JSON Schema: ${(error as Error).message}`);
  }
}

/** A keyword that names a property as missing or as unknown has its name in the parameters. */
function faultOf({ instancePath, keyword, message = 'is not valid', params }: ErrorObject): PathFault {
  const { missingProperty, additionalProperty, unevaluatedProperty, allowedValues } = params as Record<string, unknown>;
  const named = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  const parts = instancePath.split('/').slice(1).map(unescaped);
  const path = [...parts, ...(named === undefined ? [] : [String(named)])].join('.');
  const more = Array.isArray(allowedValues) ? `: ${allowedValues.map((one) => JSON.stringify(one)).join(', ')}` : '';
  return { path, kind: keyword, message: `${sentenceOf(message, named)}${more}` };
}

function sentenceOf(message: string, named: unknown): string {
  if (message.startsWith('must have required property')) return 'is required';
  return named === undefined ? message : 'is not a property that is accepted';
}

/** RFC 6901. */
const unescaped = (part: string): string => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
