/** Writes JSON Schemas of values as TypeScript types. */
import type { JsonSchema } from '../docs/openapi/shapes.ts';

/** The direction of a value: dates are text in answers, and text or `Date` in requests. */
export type Direction = 'answer' | 'request';

interface Parts {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
}

/** The keywords of a JSON Schema that decide its type. */
export const partsOf = (schema: JsonSchema): Parts => schema;

/** The names of the types of a schema; none for a value of any type. */
export const typeNames = ({ type }: Parts): readonly string[] =>
  type === undefined ? [] : typeof type === 'string' ? [type] : type;

/** A property name in a type, quoted where it is not an identifier. */
export const keyText = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** The text of a type. @param indent of the line on which it begins */
export function typeText(schema: JsonSchema, direction: Direction, indent = ''): string {
  const parts = partsOf(schema);
  if (parts.const !== undefined) return JSON.stringify(parts.const);
  const alternatives = parts.anyOf ?? parts.oneOf;
  if (alternatives !== undefined) return unionOf(alternatives.map((one) => typeText(one, direction, indent)));
  if (parts.enum !== undefined) return unionOf(parts.enum.map((value) => JSON.stringify(value)));
  const names = typeNames(parts);
  return names.length === 0 ? 'unknown' : unionOf(names.map((name) => textOf(name, parts, direction, indent)));
}

const unionOf = (texts: readonly string[]): string => [...new Set(texts)].join(' | ') || 'never';

function textOf(name: string, parts: Parts, direction: Direction, indent: string): string {
  if (name === 'object') return objectText(parts, direction, indent);
  if (name === 'array') return listText(parts.items ?? {}, direction, indent);
  if (name === 'string' && parts.format === 'date-time' && direction === 'request') return 'string | Date';
  return name === 'integer' ? 'number' : name;
}

function listText(items: JsonSchema, direction: Direction, indent: string): string {
  const member = typeText(items, direction, indent);
  return /[^\w]/.test(member) && !member.startsWith('{') ? `(${member})[]` : `${member}[]`;
}

/** An object with fields, a map, or an object with any fields. */
function objectText(parts: Parts, direction: Direction, indent: string): string {
  const { properties, required = [], additionalProperties } = parts;
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined;
  if (properties === undefined) return `Record<string, ${typeText(others ?? {}, direction, indent)}>`;
  const fields = Object.entries(properties).map(([name, schema]) => {
    const isRequired = required.includes(name);
    return `${keyText(name)}${isRequired ? '' : '?'}: ${typeText(schema, direction, `${indent}  `)}`;
  });
  return blockOf([...fields, ...(others === undefined ? [] : ['[field: string]: unknown'])], indent);
}

/** The schema of the values other than null. */
export function withoutNull(schema: JsonSchema): JsonSchema {
  const parts = partsOf(schema);
  const names = typeNames(parts);
  return {
    ...schema,
    ...(names.length === 0 ? {} : { type: names.filter((name) => name !== 'null') }),
    ...(parts.enum === undefined ? {} : { enum: parts.enum.filter((value) => value !== null) }),
  };
}

/**
 * The schema of a model's documents without the nulls that a client does not meet: those of members of lists, and in answers those of
 * fields that every answer has.
 */
export function withoutRareNulls(schema: JsonSchema, direction: Direction): JsonSchema {
  const { properties, required = [], items, additionalProperties: others, anyOf, oneOf } = partsOf(schema);
  const inner = (one: JsonSchema): JsonSchema => withoutRareNulls(one, direction);
  const isPresent = (name: string): boolean => direction === 'answer' && required.includes(name);
  const fields = Object.entries(properties ?? {}).map(
    ([name, one]) => [name, isPresent(name) ? withoutNull(inner(one)) : inner(one)] as const,
  );
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(fields) }),
    ...(items === undefined ? {} : { items: withoutNull(inner(items)) }),
    ...(typeof others === 'object' ? { additionalProperties: inner(others) } : {}),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(inner) }),
    ...(oneOf === undefined ? {} : { oneOf: oneOf.map(inner) }),
  };
}

/** Lines in braces, each ended by a semicolon. */
export const blockOf = (lines: readonly string[], indent = ''): string =>
  lines.length === 0 ? '{}' : `{\n${lines.map((line) => `${indent}  ${line};\n`).join('')}${indent}}`;
