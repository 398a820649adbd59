/** Parses `filter[...]` of a query string to a filter for MongoDB, with values cast by the schema. */
import { badFilter, badParameter, Failure, operatorDenied, unknownField } from '../errors/errors.ts';
import { castText } from '../models/fields/cast.ts';
import { refuseUnlisted } from '../models/fields/enum-values.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { parseExactly } from '../models/fields/values/exact-json.ts';
import { isBsonNumber } from '../models/fields/values/number-values.ts';
import { BSON, ObjectId } from '../models/object-id.ts';
import { FilterBudget } from './budget.ts';
import { checkKnown, checkPath, isKnown } from './key-checks.ts';
import { withinKinds } from './kind-filter.ts';
import { joinLinked, linkedCondition, type LinkResolver, type LinkStep } from './link-conditions.ts';
import { logicalNames, type OperatorRow, operators, urlConditionNames } from './operators.ts';
import { isTree, type Parameter, type ParameterTree } from './parameter-tree.ts';
import { patternFromText } from './regex.ts';
import type { SchemaView } from './schema-view.ts';

export type Filter = Record<string, unknown>;

/** Whether a condition of a checked filter is a value itself, with which it compares. */
export const isValue = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  value instanceof Date ||
  value instanceof ObjectId ||
  value instanceof BSON.Binary;

/**
 * The filters of a query string, joined by AND; undefined when there is none.
 * @param resolveLink the links that filters may lead through; none where a filter judges single documents @throws 400, 403
 */
export function filterFromQuery(
  value: Parameter | undefined,
  view: SchemaView,
  resolveLink?: LinkResolver,
): Filter | undefined {
  if (value === undefined) return undefined;
  if (!isTree(value)) throw badParameter('filter', 'must name a field: filter[<field>]=<value>');
  const context = { view, schema: view.schema, budget: new FilterBudget(), resolveLink, where: 'filter' };
  const filter = joined(parseTree(value, context, 1));
  return view.schema.kinds.length === 0 ? filter : withinKinds(filter, view.schema);
}

interface FilterContext {
  readonly view: SchemaView;
  readonly schema: SchemaView['schema'];
  readonly budget: FilterBudget;
  readonly resolveLink: LinkResolver | undefined;
  /** The part of the request that messages name. */
  readonly where: string;
}

/** Joins a list of filters by AND. */
function joined(filters: readonly Filter[]): Filter {
  const all = joinLinked(filters);
  return all.length === 1 ? (all[0] as Filter) : { $and: [...all] };
}

function parseTree(tree: ParameterTree, context: FilterContext, depth: number): Filter[] {
  context.budget.level(depth);
  return Object.entries(tree).flatMap(([key, value]) =>
    key.startsWith('$') ? [parseLogical(key, value, context, depth)] : parseConditions(key, value, context, depth + 1),
  );
}

function parseLogical(key: string, value: Parameter, context: FilterContext, depth: number): Filter {
  if (operators.get(key)?.operand !== 'filters') throw operatorDenied(key, logicalNames);
  if (typeof value === 'string') throw badFilter(`${key} takes a list of filters`);
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  if (members.length === 0) throw badFilter(`${key} must not be empty`);
  return {
    [key]: members.map((member) => {
      if (!isTree(member)) throw badFilter(`${key} takes a list of filters`);
      return joined(parseTree(member, context, depth + 1));
    }),
  };
}

/** Reads the conditions on one path; names in brackets other than operators extend the path. */
function parseConditions(path: string, value: Parameter, context: FilterContext, depth: number): Filter[] {
  context.budget.level(depth - 1);
  if (isTree(value) && !Object.keys(value).some((key) => key.startsWith('$')))
    return Object.entries(value).flatMap(([key, inner]) =>
      parseConditions(`${path}.${key}`, inner, context, depth + 1),
    );
  const real = realPath(context.schema, path);
  checkPath(context.view, real);
  const step = context.resolveLink?.(real);
  if (step !== undefined) return throughLink(step, value, context, depth);
  checkWritten(context, real);
  checkKnown(context.view, real, context.where);
  if (typeof value === 'string') return [fromText(real, value, context)];
  if (Array.isArray(value)) return value.flatMap((member: Parameter) => parseConditions(path, member, context, depth));
  return Object.entries(value).flatMap(([key, inner]) => {
    if (!key.startsWith('$')) return parseConditions(`${path}.${key}`, inner, context, depth + 1);
    if (isTree(inner)) return [listCondition(operatorRow(key), real, inner, context)];
    const texts: readonly Parameter[] = typeof inner === 'string' ? [inner] : inner;
    return texts.map((text) => {
      if (typeof text !== 'string') throw badFilter(`${key} takes a value`);
      return operatorCondition(operatorRow(key), real, text, context);
    });
  });
}

/** Refuses an operator without its `$`, which reads as a path: `price.gte`. @throws 400 */
function checkWritten({ view, where }: FilterContext, path: string): void {
  const dot = path.lastIndexOf('.');
  const name = `$${path.slice(dot + 1)}`;
  if (dot === -1 || !urlConditionNames.includes(name) || isKnown(view, path)) return;
  const field = path.slice(0, dot);
  if (isKnown(view, field))
    throw unknownField(where, `${path} is not in the schema; operators begin with $: filter[${field}][${name}]`);
}

/** Reads conditions on a path of a linked document, each as one on the ids. */
function throughLink(step: LinkStep, value: Parameter, { budget, where }: FilterContext, depth: number): Filter[] {
  const { view, resolveLink, rest, as } = step;
  const inner = { view, schema: view.schema, budget, resolveLink, where: `${where} through ${as}` };
  return parseConditions(rest, value, inner, depth).map((condition) => {
    budget.link();
    return linkedCondition(step, [withinKinds(condition, view.schema)]);
  });
}

/** A plain value, or `$op:<value>`. */
function fromText(path: string, text: string, context: FilterContext): Filter {
  const match = /^(\$[A-Za-z]\w*):(.*)$/s.exec(text);
  return match === null
    ? operatorCondition(operatorRow('$eq'), path, text, context)
    : operatorCondition(operatorRow(match[1] ?? ''), path, match[2] ?? '', context);
}

function operatorRow(name: string): OperatorRow {
  const row = operators.get(name);
  if (row === undefined || !row.inUrl || row.operand === 'filters') throw operatorDenied(name, urlConditionNames);
  return row;
}

/** Reads a list with one parameter per member: `filter[f][$in][]=a&filter[f][$in][]=b`. */
function listCondition(row: OperatorRow, path: string, members: ParameterTree, context: FilterContext): Filter {
  const { name, operand } = row;
  const operands = Object.entries(members).map(([key, text], at) => {
    if (operand !== 'list' || key !== String(at) || typeof text !== 'string')
      throw badFilter(`${name} takes ${operand === 'list' ? 'a list of values' : 'a value'}`);
    return operandOf(text);
  });
  context.budget.condition();
  context.budget.values(operands.length);
  return inList(name, path, castOperands(row, path, operands, context));
}

/** An operand before its cast: a text, or no value. */
type Operand = string | null;

const operandOf = (text: string): Operand => (text === 'null' ? null : text);

/** The values that each operand may mean. @throws 400 for one that cannot be cast, or that the schema's `enum` does not have */
function castOperands(
  { isExact }: OperatorRow,
  path: string,
  operands: readonly Operand[],
  { schema }: FilterContext,
): readonly (readonly unknown[])[] {
  const members = operands.map((text) => (text === null ? [null] : castText(schema, path, text)));
  if (isExact === true) refuseUnlisted(schema, path, members);
  return members;
}

function operatorCondition(row: OperatorRow, path: string, text: string, context: FilterContext): Filter {
  const { name, operand } = row;
  const { budget } = context;
  budget.condition();
  switch (operand) {
    case 'list': {
      const values = listOf(text);
      budget.values(values.length);
      return inList(name, path, castOperands(row, path, values, context));
    }
    case 'switch':
      return { [path]: { [name]: switchOf(name, text) } };
    case 'size':
      if (!/^\d{1,9}$/.test(text)) throw badFilter(`${name} takes a whole number`);
      return { [path]: { [name]: Number(text) } };
    case 'pattern':
      budget.pattern();
      return { [path]: patternFromText(text) };
    default:
      if (text.includes('\0')) throw badFilter('a value must not contain a NUL character');
      return comparison(name, path, castOperands(row, path, [operandOf(text)], context).flat());
  }
}

/** A comparison with the values that a string may represent. */
function comparison(name: string, path: string, values: readonly unknown[]): Filter {
  if (values.length === 1) return { [path]: { [name]: values[0] } };
  if (name === '$eq') return { [path]: { $in: values } };
  if (name === '$ne') return { [path]: { $nin: values } };
  return { $or: values.map((value) => ({ [path]: { [name]: value } })) };
}

/** A comparison with the values of a list of strings. */
function inList(name: string, path: string, members: readonly (readonly unknown[])[]): Filter {
  return name === '$all' && members.some((values) => values.length > 1)
    ? joined(members.map((values) => ({ [path]: { $in: values } })))
    : { [path]: { [name]: members.flat() } };
}

function switchOf(name: string, text: string): boolean {
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw badFilter(`${name} takes true or false`);
}

/** Parses `a,b`, `[a,b]`, or a JSON list for values with commas and for the text `null`. */
function listOf(text: string): Operand[] {
  if (/^\[("|null\s*,)/.test(text)) {
    const parsed = parsedList(text);
    if (parsed !== undefined) return parsed;
  }
  const inner = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1) : text;
  return inner === '' ? [] : inner.split(',').map((part) => operandOf(part.trim()));
}

function parsedList(text: string): Operand[] | undefined {
  try {
    const list: unknown = parseExactly(text, JSON.parse);
    return Array.isArray(list) &&
      list.every((value) => typeof value !== 'object' || value === null || isBsonNumber(value))
      ? list.map((value) => (value === null ? null : String(value)))
      : undefined;
  } catch (error) {
    if (error instanceof Failure) throw error;
    return undefined;
  }
}
