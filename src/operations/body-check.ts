/**
 * Compiles a JSON Schema to a check of request bodies when the server starts. It supports the keywords that bodies of fixed shape
 * use.
 */
import type { JsonSchema } from '../docs/openapi/shapes.ts';
import { badBody, badValue, type Failure } from '../errors/errors.ts';
import { firstName } from '../models/fields/path-type.ts';
import { isObject } from '../models/plain-object.ts';
import { isEmail, plainEmail } from '../text/email.ts';
import { suggestion } from '../text/nearest.ts';

/** The first part of a body that violates the schema: its dotted path, and the keyword of the schema. */
export interface Fault {
  readonly path: string;
  readonly keyword: string;
}

/** How the bodies of an operation are checked against their schema. */
export interface BodyRules {
  readonly optional?: true;
  /** Creates the failure for a body that violates the schema. Without it the operation checks the values itself. */
  readonly refuse?: (fault: Fault) => Failure;
  /** Creates the failure for a name that the schema does not allow, in place of the usual one. */
  readonly refuseName?: (name: string) => Failure;
  /** The operation checks the names itself too. */
  readonly checksNamesItself?: true;
}

type Check = (value: unknown, path: string) => Fault | undefined;

const own = Symbol('checked by the operation');
/** A part of a body that the operation checks itself: both its presence and its value. */
export const ownCheck = (schema: JsonSchema): JsonSchema => ({ ...schema, [own]: true });
const isOwn = (schema: JsonSchema): boolean => own in schema;

/**
 * The failures of bodies by a table. A rule of a list is stated of the list, not of a member.
 * @param rules what the parts of the body must be, by their names @param form the failure of any other fault: what to send
 */
export const refusals =
  (rules: Readonly<Record<string, string>>, form: string) =>
  ({ path, keyword }: Fault): Failure => {
    const name = firstName(path);
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    return rule === undefined ? badBody(form) : badValue(name, keyword, rule);
  };

const typeOf = (value: unknown): string => (Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value);
const below = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);

/** Keywords that limit strings and lists. @returns whether a value satisfies the keyword; a value of another type always does */
const simple: Readonly<Record<string, (operand: unknown) => (value: unknown) => boolean>> = {
  type: (type) => (value) => typeOf(value) === type,
  minItems: (min) => (value) => !Array.isArray(value) || value.length >= Number(min),
  maxItems: (max) => (value) => !Array.isArray(value) || value.length <= Number(max),
  maxLength: (max) => (value) => typeof value !== 'string' || value.length <= Number(max),
  pattern: (source) => {
    const pattern = new RegExp(String(source), 'u');
    return (value) => typeof value !== 'string' || pattern.test(value);
  },
  // the only format in bodies of fixed shape is `email`
  format: () => (value) => typeof value !== 'string' || isEmail(plainEmail(value)),
};

const nested: Readonly<Record<string, (operand: never, schema: JsonSchema) => Check>> = {
  properties: (properties: Readonly<Record<string, JsonSchema>>, { required = [] }) => {
    const checks = Object.entries(properties).map(([name, schema]) => {
      const check = partOf(schema);
      const missing = (required as readonly string[]).includes(name) && !isOwn(schema);
      return (body: Readonly<Record<string, unknown>>, path: string): Fault | undefined => {
        if (body[name] !== undefined) return check(body[name], below(path, name));
        return missing ? { path: below(path, name), keyword: 'required' } : undefined;
      };
    });
    return (value, path) => (isObject(value) ? first(checks, (check) => check(value, path)) : undefined);
  },
  items: (items: JsonSchema) => {
    const check = partOf(items);
    return (value, path) =>
      Array.isArray(value) ? first([...value.entries()], ([at, member]) => check(member, below(path, at))) : undefined;
  },
  // alternatives differ in type: the fault is that of the alternative with the value's type
  oneOf: (alternatives: readonly JsonSchema[]) => {
    const byType = new Map(alternatives.map((schema) => [schema['type'], partOf(schema)]));
    return (value, path) => {
      const check = byType.get(typeOf(value));
      return check === undefined ? { path, keyword: 'type' } : check(value, path);
    };
  },
};

/** `required` is read together with `properties`; names of a body are checked by `compileNames`. */
const unchecked: ReadonlySet<string> = new Set(['required', 'description', 'additionalProperties', '$ref']);

/** @throws Error for an unsupported keyword */
function partOf(schema: JsonSchema): Check {
  if (isOwn(schema)) return () => undefined;
  const checks = Object.entries(schema).flatMap(([keyword, operand]): Check[] => {
    const fits = simple[keyword]?.(operand);
    if (fits !== undefined) return [(value, path) => (fits(value) ? undefined : { path, keyword })];
    const check = nested[keyword]?.(operand as never, schema);
    if (check === undefined && !unchecked.has(keyword))
      throw new Error(`the body check does not support the keyword ${keyword}`);
    return check === undefined ? [] : [check];
  });
  return (value, path) => first(checks, (check) => check(value, path));
}

function first<T>(list: readonly T[], find: (member: T) => Fault | undefined): Fault | undefined {
  for (const member of list) {
    const fault = find(member);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** @returns a function that finds the first fault of a body; undefined for a valid body */
export function compileCheck(schema: JsonSchema): (body: unknown) => Fault | undefined {
  const check = partOf(schema);
  return (body) => check(body, '');
}

/** The failure of a name that a body does not have. @param known the names that it may have */
const unknownName = (name: string, known: readonly string[]): Failure =>
  badBody(`${name.slice(0, 40)} is unknown; there ${listed(known)}${suggestion(name, known)}`);
const listed = (known: readonly string[]): string => `${known.length === 1 ? 'is' : 'are'} ${known.join(', ')}`;

/**
 * Compiles the check of the names of a body. One whose schema allows no other names has only these, and those that begin with `_`.
 * @returns a function that finds the failure of the first other name; undefined for a schema that allows other names
 */
export function compileNames(
  schema: JsonSchema,
  failureOf: (name: string, known: readonly string[]) => Failure = unknownName,
): ((body: unknown) => Failure | undefined) | undefined {
  const { oneOf = [schema] } = schema as { readonly oneOf?: readonly JsonSchema[] };
  const closed = oneOf.find(({ additionalProperties }) => additionalProperties === false);
  if (closed === undefined) return undefined;
  const known = Object.keys(closed['properties'] ?? {});
  return (body) => {
    if (!isObject(body)) return undefined;
    const other = Object.keys(body).find((name) => !known.includes(name) && !name.startsWith('_'));
    return other === undefined ? undefined : failureOf(other, known);
  };
}

/**
 * @param body its schema is a symbol for a document of a model
 * @returns undefined where the operation has no body of its own; the check throws the operation's failure for an invalid one
 */
export function bodyChecker(
  body: (BodyRules & { readonly schema: JsonSchema | symbol }) | undefined,
): ((value: unknown) => void) | undefined {
  const { schema, optional, refuse, refuseName, checksNamesItself } = body ?? {};
  if (typeof schema !== 'object') return undefined;
  const check = refuse === undefined ? undefined : compileCheck(schema);
  const checks = [
    checksNamesItself === true ? undefined : compileNames(schema, refuseName),
    (value: unknown) => {
      const fault = check?.(value);
      return fault === undefined ? undefined : refuse?.(fault);
    },
  ];
  return (value) => {
    if (value === undefined && optional === true) return;
    for (const failureOf of checks) {
      const failure = failureOf?.(value);
      if (failure !== undefined) throw failure;
    }
  };
}
