/** Writes options as parameters, and filters as parameters or JSON. */
import type { Parameter } from './sender.ts';

type Json = Readonly<Record<string, unknown>>;

/** Characters of a filter in an address, beyond which it is sent in a body: servers and proxies limit addresses. */
const maxFilterLength = 4000;

/** The options that parameters have, as far as they are given. */
export interface QueryOptions {
  readonly filter?: unknown;
  readonly search?: unknown;
  readonly sort?: unknown;
  readonly fields?: readonly string[];
  readonly populate?: readonly string[];
  readonly [name: string]: unknown;
}

/** Options that are sent under their own names. */
const plain = 'limit page after before count showDeleted position allowDiskUse since id user at until who op'.split(
  ' ',
);
/** Options that are sent under other names. */
const named: Readonly<Record<string, string>> = {
  silent: '_silence',
  permanent: '_permaDelete',
  cascade: '_cascade',
};
const names: readonly string[] = [...plain, ...Object.keys(named)];

/** Options as parameters, behind those of their filter. */
export function parametersOf(options: QueryOptions, filter: readonly Parameter[] = []): readonly Parameter[] {
  const { search, sort, fields = [], populate = [] } = options;
  const found: Parameter[] = [...filter, ...keyed('search', search), ...sorted(sort)];
  if (fields.length > 0) found.push([['fields'], fields.join(',')]);
  if (populate.length > 0) found.push([['populate'], populate.join(',')]);
  for (const name of names) {
    const value = options[name];
    if (value !== undefined && value !== false) found.push([[named[name] ?? name], String(value)]);
  }
  return found;
}

/** Parameters as a query string: empty, or with a question mark in front. */
export function queryText(parameters: readonly Parameter[]): string {
  const text = new URLSearchParams(
    parameters.map(([path, value]): [string, string] => [nameOf(path), value]),
  ).toString();
  return text === '' ? '' : `?${text}`;
}

/** The query string of options. */
export const queryOf = (options: QueryOptions, filter?: readonly Parameter[]): string =>
  queryText(parametersOf(options, filter));

const nameOf = (path: readonly string[]): string => path.reduce((name, part) => `${name}[${part}]`);

const keyed = (name: string, value: unknown): readonly Parameter[] =>
  isObject(value)
    ? Object.entries(value).map(([key, inner]) => [[name, key], String(inner)])
    : value === undefined
      ? []
      : [[[name], String(value)]];

const sorted = (sort: unknown): readonly Parameter[] =>
  keyed('sort', Array.isArray(sort) ? sort.join(',') || undefined : sort);

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof RegExp);

/** A filter or a pipeline as JSON: dates become `$date`, patterns `$regex` and `$options`. */
export function jsonFilter(value: unknown): unknown {
  if (value instanceof RegExp) return { $regex: value.source, $options: flagsOf(value) };
  if (value instanceof Date) return { $date: value.toISOString() };
  if (Array.isArray(value)) return value.map(jsonFilter);
  if (!isObject(value)) return value;
  const { $regex, ...others } = value;
  const inner = Object.fromEntries(Object.entries(others).map(([key, one]) => [key, jsonFilter(one)]));
  if ($regex === undefined) return inner;
  return $regex instanceof RegExp ? { ...(jsonFilter($regex) as Json), ...inner } : { ...inner, $regex };
}

/** An operation of a bulk write, whose filter may have dates and patterns. */
export const jsonOperation = (operation: Json): Json =>
  Object.fromEntries(
    Object.entries(operation).map(([name, parts]) => [
      name,
      isObject(parts) && 'filter' in parts ? { ...parts, filter: jsonFilter(parts['filter']) } : parts,
    ]),
  );

/** The flags that the server supports: `g`, `u` and `y` do not affect what matches. */
const flagsOf = ({ flags }: RegExp): string => flags.replace(/[^ims]/g, '');

/** A filter as parameters; undefined where they cannot express it. */
export function filterPairs(filter: unknown): readonly Parameter[] | undefined {
  if (filter === undefined) return [];
  const pairs = isObject(filter) ? branch(filter, ['filter']) : undefined;
  const length = pairs?.reduce((sum, [path, text]) => sum + nameOf(path).length + text.length, 0) ?? 0;
  return length > maxFilterLength ? undefined : pairs;
}

/** All pairs; undefined where one part cannot be expressed. */
function joined(parts: readonly (readonly Parameter[] | undefined)[]): readonly Parameter[] | undefined {
  return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
}

const branch = (filter: Json, prefix: readonly string[]): readonly Parameter[] | undefined =>
  joined(
    Object.entries(filter).map(([key, value]) => {
      if (value === undefined) return [];
      if (/[[\]]/.test(key)) return undefined;
      if (!key.startsWith('$')) return condition(value, [...prefix, key]);
      if (!Array.isArray(value)) return undefined;
      return joined(
        value.map((member, at) => (isObject(member) ? branch(member, [...prefix, key, String(at)]) : undefined)),
      );
    }),
  );

function condition(value: unknown, path: readonly string[]): readonly Parameter[] | undefined {
  if (value instanceof RegExp) return condition(jsonFilter(value), path);
  if (!isObject(value)) return scalar(value, path);
  const { $regex, $options = '', ...others } = value;
  if ($regex instanceof RegExp) return condition(jsonFilter(value), path);
  const operators = Object.entries(others).filter(([, operand]) => operand !== undefined);
  if (operators.length === 0 && $regex === undefined) return undefined;
  const pattern: readonly Parameter[] =
    typeof $regex === 'string' ? [[[...path, '$regex'], `/${$regex}/${String($options)}`]] : [];
  return joined([pattern, ...operators.map(([key, operand]) => operation(key, operand, [...path, key]))]);
}

const lists = ['$in', '$nin', '$all'];
const scalars = ['$eq', '$ne', '$gt', '$gte', '$lt', '$lte', '$exists', '$size'];

function operation(key: string, operand: unknown, path: readonly string[]): readonly Parameter[] | undefined {
  if (scalars.includes(key)) return scalar(operand, path, []);
  if (!lists.includes(key) || !Array.isArray(operand)) return undefined;
  const texts = operand.map(textOf);
  return texts.includes(undefined) ? undefined : [[path, JSON.stringify(texts)]];
}

/** @param operator for a value that would be read as `$op:<value>` */
function scalar(
  value: unknown,
  path: readonly string[],
  operator: readonly string[] = ['$eq'],
): readonly Parameter[] | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : [[text.startsWith('$') ? [...path, ...operator] : path, text]];
}

/** The text of a value that the server reads as this value; undefined where there is none, as for the text "null". */
function textOf(value: unknown): string | undefined {
  if (value instanceof Date) return value.toISOString();
  if (value === null) return 'null';
  if (typeof value === 'string') return ['null', ''].includes(value) || value.includes('\0') ? undefined : value;
  return ['number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : undefined;
}
