/** Reads filters in JSON: checks operators, depth, keys and hidden paths, and casts values by the schema. */
import { badFilter, expressionDenied, operatorDenied, secretPath } from '../errors.ts';
import { castJson } from '../models/cast.ts';
import { ObjectId } from '../models/object-id.ts';
import { realPath } from '../models/resolve-alias.ts';
import { typeAt } from '../models/path-type.ts';
import { FilterBudget, filterLimits } from './budget.ts';
import { fromExtended, fromText } from './extended.ts';
import type { Filter } from './filter.ts';
import { checkKnown, checkPath, isDangerous } from './key-checks.ts';
import { operators } from './operators.ts';
import { pattern } from './regex.ts';
import type { SchemaView } from './schema-view.ts';
import { refuseWholes } from './whole-paths.ts';

type Json = Readonly<Record<string, unknown>>;

/** The context of each step. */
interface Walk {
  readonly view: SchemaView;
  readonly budget: FilterBudget;
  readonly now: Date;
  /** The path that encloses conditions inside `$elemMatch`. */
  readonly prefix: string;
  /** Reads the operand of `$expr`, where that is allowed: in pipelines. */
  readonly expression: ((value: unknown) => unknown) | undefined;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Date) &&
  !(value instanceof ObjectId);

/** Reads a filter of stored documents from a JSON body. @throws 400 with the reason */
export function filterFromJson(value: unknown, view: SchemaView, now: Date): Filter {
  const read = filter(value, { view, budget: new FilterBudget(), now, prefix: '', expression: undefined }, 1);
  refuseWholes(read, view);
  return read;
}

/**
 * Reads the filter of a `$match`. It runs on documents without password-named parts, so it may compare whole objects and use
 * expressions.
 * @param expression reads the operand of `$expr` @throws 400
 */
export function filterOfCleaned(value: unknown, view: SchemaView, now: Date, expression: Walk['expression']): Filter {
  return filter(value, { view, budget: new FilterBudget(), now, prefix: '', expression }, 1);
}

function filter(value: unknown, walk: Walk, depth: number): Filter {
  if (!isObject(value)) throw badFilter('a filter must be an object');
  walk.budget.level(depth);
  const result: Filter = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key.startsWith('$')) result[key] = logical(key, inner, walk, depth);
    else condition(result, key, inner, walk, depth);
  }
  return result;
}

function logical(key: string, value: unknown, walk: Walk, depth: number): unknown {
  if (key === '$expr' && walk.prefix === '') {
    if (walk.expression === undefined) throw expressionDenied();
    return walk.expression(value);
  }
  if (operators.get(key)?.operand !== 'filters') throw operatorDenied(key);
  if (!Array.isArray(value) || value.length === 0) throw badFilter(`${key} takes a list of filters`);
  return value.map((member: unknown) => filter(member, walk, depth + 1));
}

function condition(result: Filter, name: string, value: unknown, walk: Walk, depth: number): void {
  const full = realPath(walk.view.schema, walk.prefix + name);
  const path = full.slice(walk.prefix.length);
  checkPath(walk.view, full);
  checkKnown(walk.view, full, 'filter');
  if (Object.hasOwn(result, path)) throw badFilter(`${path} is given twice`);
  result[path] = isOperation(value) ? operations(full, value, walk, depth + 1) : equal(full, value, walk);
}

/** Whether an object consists of operators, rather than being a value to compare with. */
function isOperation(value: unknown): value is Json {
  return isObject(value) && Object.keys(value).some((key) => key.startsWith('$')) && fromExtended(value) === undefined;
}

function operations(path: string, value: Json, walk: Walk, depth: number): unknown {
  walk.budget.level(depth);
  const result: Filter = {};
  for (const [name, operand] of Object.entries(value)) {
    if (name === '$options') continue;
    Object.assign(result, operation(path, name, operand, value, walk, depth));
  }
  if (Object.hasOwn(value, '$options') && !Object.hasOwn(value, '$regex')) throw badFilter('$options needs $regex');
  return result;
}

function operation(path: string, name: string, operand: unknown, all: Json, walk: Walk, depth: number): Filter {
  const row = operators.get(name);
  if (row === undefined || row.operand === 'filters') throw operatorDenied(name);
  walk.budget.condition();
  switch (row.operand) {
    case 'list':
      return { [name]: list(path, name, operand, walk) };
    case 'switch':
      if (operand !== true && operand !== false && operand !== 1 && operand !== 0)
        throw badFilter(`${name} takes true or false`);
      return { [name]: Boolean(operand) };
    case 'size':
      if (!Number.isSafeInteger(operand) || (operand as number) < 0) throw badFilter(`${name} takes a whole number`);
      return { [name]: operand };
    case 'pattern':
      walk.budget.pattern();
      return { ...pattern(operand, Object.hasOwn(all, '$options') ? all['$options'] : '') };
    case 'modulo':
      if (!Array.isArray(operand) || operand.length !== 2 || !operand.every(Number.isSafeInteger) || operand[0] === 0)
        throw badFilter('$mod takes a divisor and a remainder');
      return { $mod: operand };
    case 'type':
      return { $type: typeNames(operand) };
    case 'condition':
      if (!isOperation(operand)) throw badFilter('$not takes operators');
      return { $not: operations(path, operand, walk, depth + 1) };
    case 'element':
      return { $elemMatch: element(path, operand, walk, depth + 1) };
    default:
      return { [name]: plain(path, operand, walk) };
  }
}

function element(path: string, operand: unknown, walk: Walk, depth: number): unknown {
  if (!isObject(operand)) throw badFilter('$elemMatch takes an object');
  if (isOperation(operand) && !Object.keys(operand).some((key) => operators.get(key)?.operand === 'filters'))
    return operations(path, operand, walk, depth);
  return filter(operand, { ...walk, prefix: `${path}.` }, depth);
}

const bsonTypes: ReadonlySet<unknown> = new Set([
  ...[
    'double',
    'string',
    'object',
    'array',
    'binData',
    'objectId',
    'bool',
    'date',
    'null',
    'regex',
    'int',
    'long',
    'decimal',
    'number',
  ],
  ...[1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 16, 18, 19],
]);

function typeNames(operand: unknown): unknown {
  const names: unknown[] = Array.isArray(operand) ? operand : [operand];
  if (names.length === 0 || !names.every((name) => bsonTypes.has(name)))
    throw badFilter('$type takes names of BSON types');
  return operand;
}

function list(path: string, name: string, operand: unknown, walk: Walk): unknown[] {
  if (!Array.isArray(operand)) throw badFilter(`${name} takes a list`);
  walk.budget.values(operand.length);
  return operand.map((member: unknown) => plain(path, member, walk));
}

function equal(path: string, value: unknown, walk: Walk): unknown {
  walk.budget.condition();
  const cast = plain(path, value, walk);
  // an object or list is compared as a whole and must not be mistaken for operators
  return isObject(cast) || Array.isArray(cast) ? { $eq: cast } : cast;
}

/** Reads a value: converts extended forms, refuses operators and dangerous keys, and casts by the type of its path. */
function plain(path: string, value: unknown, walk: Walk): unknown {
  const read = literal(value, walk, 1);
  const type = typeAt(walk.view.schema, path);
  if (type.kind === 'leaf' && isObject(read)) throw badFilter(`${path} cannot be an object`);
  return castJson(walk.view.schema, path, read);
}

function literal(value: unknown, walk: Walk, depth: number): unknown {
  if (depth > filterLimits.levels) throw badFilter(`a value must have at most ${filterLimits.levels} levels`);
  if (typeof value === 'string') return fromText(value, walk.now);
  if (typeof value === 'number' && !Number.isFinite(value)) throw badFilter('a number must be finite');
  if (Array.isArray(value)) return value.map((member: unknown) => literal(member, walk, depth + 1));
  if (!isObject(value)) return value;
  const extended = fromExtended(value);
  if (extended !== undefined) return extended;
  const result: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key.startsWith('$')) throw operatorDenied(key);
    if (isDangerous(key)) throw badFilter(`${JSON.stringify(key)} cannot be used as a name`);
    if (!walk.view.showsKey(key)) throw secretPath(key);
    result[key] = literal(inner, walk, depth + 1);
  }
  return result;
}
