/**
 * Row rules: the filters that letters carry in model files. A rule is checked and compiled when the server starts; for a caller it becomes
 * a plain filter, in which the values of the caller's own document stand as values, never as operators.
 */
import { badFilter } from '../errors/errors.ts';
import { castJson } from '../models/fields/cast.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';
import { typeAt } from '../models/fields/path-type.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { isExtendedName } from '../models/fields/values/extended-values.ts';
import { ObjectId } from '../models/object-id.ts';
import { isPlainObject, type Json } from '../models/plain-object.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { conditionOfAnyValue, filterOfAnyValue } from '../query/json-filter.ts';
import { checkKnown, checkPath } from '../query/key-checks.ts';
import { operators } from '../query/operators.ts';
import type { SchemaView } from '../query/schema-view.ts';
import { isOwn, type OwnDocument, ownPath, valueOf, verifiedKey } from './own-document.ts';

/** A rule, ready for use. */
export interface CompiledRule {
  /** It names the time, so that its filter differs at each request. */
  readonly isTimed: boolean;
  /** The paths of the model that it names. */
  readonly paths: readonly string[];
  /** The paths of the user model that it names. */
  readonly userPaths: readonly string[];
  /** The rows of the caller; undefined for none. */
  filterFor(own: OwnDocument, now: Date): Filter | undefined;
}

/**
 * What a part of a rule has become for a caller: a filter, or undefined where it matches nothing. `hasVoid`: a part of it, however deep,
 * has no value to compare with, so that its negation matches nothing either.
 */
interface Bound {
  readonly filter: Filter | undefined;
  readonly hasVoid: boolean;
}
type Part = (own: OwnDocument, now: Date) => Bound;

const nothing: Bound = { filter: undefined, hasVoid: true };
const bound = (filter: Filter): Bound => ({ filter, hasVoid: false });

/** What compiling a rule collects. */
interface Compiling {
  readonly view: SchemaView;
  readonly user: ModelSchema;
  readonly paths: Set<string>;
  readonly userPaths: Set<string>;
  isTimed: boolean;
}

/** @param where a filter as in `/query` @param user the schema of the user model @throws 400 that says what is wrong with it */
export function compileRule(where: Json, view: SchemaView, user: ModelSchema): CompiledRule {
  const compiling: Compiling = { view, user, paths: new Set(), userPaths: new Set(), isTimed: false };
  const part = filterPart(where, '', compiling);
  return {
    isTimed: compiling.isTimed,
    paths: [...compiling.paths],
    userPaths: [...compiling.userPaths],
    filterFor: (own, now) => part(own, now).filter,
  };
}

/** @param prefix of paths inside `$elemMatch`, with a dot at its end */
function filterPart(given: unknown, prefix: string, compiling: Compiling): Part {
  if (!isPlainObject(given)) throw badFilter('a filter must be an object');
  return allParts(
    Object.entries(given).map(([key, value]) => {
      if (key === verifiedKey) return callerPart(value, compiling);
      return key.startsWith('$') ? logicalPart(key, value, prefix, compiling) : pathPart(key, value, prefix, compiling);
    }),
  );
}

/** A condition on the caller: whether their address is verified. */
function callerPart(value: unknown, compiling: Compiling): Part {
  if (typeof value !== 'boolean') throw badFilter(`${verifiedKey} must be true or false`);
  const path = nameOwn(verifiedKey, compiling);
  return (own) => (own?.[path] === undefined ? nothing : bound(own[path] === value ? {} : { $nor: [{}] }));
}

/** All parts joined by AND. */
const allParts =
  (parts: readonly Part[]): Part =>
  (own, now) => {
    const all = parts.map((part) => part(own, now));
    const hasVoid = all.some((one) => one.hasVoid);
    const filters = all.map(({ filter }) => filter);
    return { filter: filters.includes(undefined) ? undefined : allOf(filters), hasVoid };
  };

function logicalPart(key: string, value: unknown, prefix: string, compiling: Compiling): Part {
  // the reader of filters refuses anything but a list of filters, with its own message
  if (operators.get(key)?.operand !== 'filters' || !Array.isArray(value) || value.length === 0)
    return staticPart({ [key]: value }, compiling);
  const members = value.map((member) => filterPart(member, prefix, compiling));
  if (key === '$and') return allParts(members);
  return (own, now) => {
    const all = members.map((member) => member(own, now));
    const hasVoid = all.some((one) => one.hasVoid);
    if (key === '$nor' && hasVoid) return nothing;
    const filters = all.flatMap(({ filter }) => filter ?? []);
    return { filter: filters.length === 0 ? undefined : { [key]: filters }, hasVoid };
  };
}

function pathPart(name: string, value: unknown, prefix: string, compiling: Compiling): Part {
  const { view } = compiling;
  const full = realPath(view.schema, prefix + name);
  checkPath(view, full);
  checkKnown(view, full, 'where');
  compiling.paths.add(full);
  const path = full.slice(prefix.length);
  const conditions = conditionsPart(full, value, compiling);
  return (own, now) => {
    const { filter, hasVoid } = conditions(own, now);
    return { filter: filter === undefined ? undefined : { [path]: filter }, hasVoid };
  };
}

const isOperators = (value: unknown): value is Json =>
  isPlainObject(value) && Object.keys(value).some((key) => key.startsWith('$') && !isExtendedName(key));

/** The operators on one path, as the object that is the value of the path. */
function conditionsPart(path: string, value: unknown, compiling: Compiling): Part {
  if (!isOperators(value)) return valuePart(path, '$eq', value, compiling);
  const { $options, ...others } = value;
  const parts = Object.entries(others).map(([name, operand]) =>
    operatorPart(path, [name, operand], compiling, $options === undefined ? {} : { $options }),
  );
  if ($options !== undefined && !Object.hasOwn(others, '$regex')) return staticCondition(path, value, compiling);
  return allParts(parts);
}

function operatorPart(path: string, [name, operand]: [string, unknown], compiling: Compiling, options: Json): Part {
  switch (operators.get(name)?.operand) {
    case 'value':
    case 'list':
      return valuePart(path, name, operand, compiling);
    case 'condition':
      return negated(isOperators(operand) ? conditionsPart(path, operand, compiling) : undefined, () =>
        staticCondition(path, { [name]: operand }, compiling),
      );
    case 'element':
      return elementPart(path, operand, compiling);
    case undefined:
    case 'filters':
      return staticCondition(path, { [name]: operand }, compiling);
    default:
      refuseOwn(name, operand);
      return staticCondition(path, { [name]: operand, ...(name === '$regex' ? options : {}) }, compiling);
  }
}

/** A negation of what has no value to compare with matches nothing. */
const negated = (inner: Part | undefined, otherwise: () => Part): Part => {
  if (inner === undefined) return otherwise();
  return (own, now) => {
    const { filter, hasVoid } = inner(own, now);
    return filter === undefined || hasVoid ? nothing : bound({ $not: filter });
  };
};

function elementPart(path: string, operand: unknown, compiling: Compiling): Part {
  const namesFields = isPlainObject(operand) && !isOperators(operand);
  const hasLogic =
    isPlainObject(operand) && Object.keys(operand).some((key) => operators.get(key)?.operand === 'filters');
  const inner =
    namesFields || hasLogic ? filterPart(operand, `${path}.`, compiling) : conditionsPart(path, operand, compiling);
  return (own, now) => {
    const { filter, hasVoid } = inner(own, now);
    return { filter: filter === undefined ? undefined : { $elemMatch: filter }, hasVoid };
  };
}

/** @returns the path of the user model that a rule names @throws 400 for one that it does not store */
function nameOwn(text: string, { user, userPaths }: Compiling): string {
  const path = ownPath(text, user);
  userPaths.add(path);
  return path;
}

/** @throws 400 for a path of the caller's document where the operator takes no value */
function refuseOwn(name: string, operand: unknown): void {
  if (isOwn(operand) || operand === '$now') throw badFilter(`${name} takes no ${String(operand)}`);
}

/** A comparison with a value, a list of them, the time, or values of the caller's own document. */
function valuePart(path: string, name: string, operand: unknown, compiling: Compiling): Part {
  const members = Array.isArray(operand) ? (operand as unknown[]) : [operand];
  const ownPaths = members.filter(isOwn).map((member) => nameOwn(member, compiling));
  if (ownPaths.length === 0) return staticCondition(path, { [name]: operand }, compiling);
  const takesList = operators.get(name)?.operand === 'list';
  if (Array.isArray(operand) && !takesList) throw badFilter(`${name} of ${path} takes one value`);
  const { schema } = compiling.view;
  // the members that are not values of the caller are checked once, here
  const others = members.filter((member) => !isOwn(member));
  const fixed = takesList && others.length > 0 ? listOf(path, name, others, compiling) : [];
  return (own) => {
    const values = ownPaths.map((one) => valueOf(own, one));
    if (!takesList) {
      const found = castOne(schema, path, values[0]);
      return found === undefined ? nothing : bound({ [name]: found });
    }
    const list = castList(schema, path, values);
    // without these members `$in` matches fewer rows; its negation and the other operators would match more
    if (list === undefined || (list.hasVoid && name !== '$in')) return nothing;
    return { filter: { [name]: [...fixed, ...list.found] }, hasVoid: list.hasVoid };
  };
}

function listOf(path: string, name: string, members: readonly unknown[], { view }: Compiling): readonly unknown[] {
  const condition = conditionOfAnyValue(path, { [name]: members }, view, () => new Date());
  return (condition as Readonly<Record<string, readonly unknown[]>>)[name] ?? [];
}

/**
 * Values and lists of values for `$in` and similar operators; undefined where one of them is not a value. `hasVoid`: some members cannot be
 * compared, and are left out.
 */
function castList(schema: ModelSchema, path: string, values: readonly unknown[]) {
  if (values.some((value) => value === undefined || value === null || isPlainObject(value))) return undefined;
  const cast = values.flat().map((value) => castOne(schema, path, value));
  const found = cast.filter((value) => value !== undefined);
  return { found, hasVoid: found.length < cast.length };
}

/** One value as the type of a path has it; undefined for none, for null, for lists and objects, and for what has another type. */
function castOne(schema: ModelSchema, path: string, value: unknown): unknown {
  if (value === undefined || value === null || Array.isArray(value) || isPlainObject(value)) return undefined;
  const type = typeAt(schema, path);
  const isText = type.kind === 'leaf' && type.field.typeName === 'String';
  try {
    return castJson(schema, path, isText && value instanceof ObjectId ? value.toHexString() : value) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Conditions without values of the caller. They are compiled once, unless they name the time. */
function staticCondition(path: string, conditions: Json, compiling: Compiling): Part {
  const inner = staticPart({ [path]: conditions }, compiling);
  return (own, now) => bound((inner(own, now).filter ?? {})[path] as Filter);
}

function staticPart(filter: Json, compiling: Compiling): Part {
  const { view } = compiling;
  const checked = bound(filterOfAnyValue(withTime(filter, new Date()), view, () => new Date()));
  if (!namesTime(filter)) return () => checked;
  compiling.isTimed = true;
  return (_own, now) => bound(filterOfAnyValue(withTime(filter, now), view, () => now));
}

const isTime = (text: unknown): boolean =>
  typeof text === 'string' && (text === '$now' || text.startsWith('relative_date('));
const namesTime = (value: unknown): boolean =>
  isTime(value) ||
  (Array.isArray(value) && value.some(namesTime)) ||
  (isPlainObject(value) && Object.values(value).some(namesTime));

function withTime(value: unknown, now: Date): unknown {
  if (value === '$now') return now;
  if (Array.isArray(value)) return value.map((member) => withTime(member, now));
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withTime(inner, now)]));
}
