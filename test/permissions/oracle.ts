/**
 * What docs/permissions.md says, as a slow and simple interpreter: which rows and paths of a model a caller may read
 * and write. It shares no code with the server, so that the two can be compared.
 */
export type Letter = 'c' | 'r' | 'u' | 'd';
export type Json = Readonly<Record<string, unknown>>;
export type Right = boolean | { readonly where: Json };

/** A model as its file has it. */
export interface Model {
  readonly name: string;
  readonly perms: Readonly<Record<string, string | Readonly<Partial<Record<Letter, Right>>>>>;
  /** Letters of single paths: path → role → letters. */
  readonly fields: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Caller {
  /** Undefined for anonymous callers. */
  readonly id: string | undefined;
  readonly admin: boolean;
  readonly groups: readonly string[];
  /** The caller's own document as stored now. */
  readonly own: Json | undefined;
}

/** A stored row with ids as text; dates stay dates. */
export type Row = Json;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Date);

// The rights of roles

const rolesOf = ({ id, admin, groups }: Caller): readonly string[] => [
  'all',
  ...(id === undefined ? [] : ['user', ...groups]),
  ...(admin ? ['admin'] : []),
];

function rightOf(model: Model, role: string, letter: Letter): Right {
  const given = model.perms[role] ?? (role === 'admin' ? 'crud' : '');
  return typeof given === 'string' ? given.includes(letter) : (given[letter] ?? false);
}

const owns = (caller: Caller, row: Row): boolean => caller.id !== undefined && row['_owner_id'] === caller.id;

/** Whether a caller has a letter at all. */
export const isGiven = (model: Model, caller: Caller, letter: Letter): boolean =>
  [...rolesOf(caller), ...(caller.id === undefined ? [] : ['owner'])].some(
    (role) => rightOf(model, role, letter) !== false,
  );

/** Which rows a letter is for, by the model file alone. */
export function extentOf(model: Model, caller: Caller, letter: Letter): 'all' | 'rules' | 'own' | 'none' {
  const rights = rolesOf(caller).map((role) => rightOf(model, role, letter));
  const owner = caller.id === undefined ? false : rightOf(model, 'owner', letter);
  if (rights.includes(true)) return 'all';
  if (rights.some(isObject) || isObject(owner)) return 'rules';
  return owner === true ? 'own' : 'none';
}

/** Whether a caller has a letter on a row. */
export function may(model: Model, caller: Caller, letter: Letter, row: Row): boolean {
  const roles = [...rolesOf(caller), ...(owns(caller, row) ? ['owner'] : [])];
  return roles.some((role) => {
    const right = rightOf(model, role, letter);
    return typeof right === 'boolean' ? right : matches(right.where, row, caller);
  });
}

/** Whether a write by a letter reaches a row: where rows of a model may be read, it must be one of them. */
export const reaches = (model: Model, caller: Caller, letter: 'u' | 'd', row: Row): boolean =>
  may(model, caller, letter, row) && (!isGiven(model, caller, 'r') || may(model, caller, 'r', row));

// The letters of paths

const isAt = (path: string, above: string): boolean => path === above || path.startsWith(`${above}.`);

/** In which rows a caller has a letter on a path. */
export function pathRight(model: Model, caller: Caller, letter: Letter, path: string): 'all' | 'own' | 'none' {
  const above = Object.entries(model.fields).filter(([held]) => isAt(path, held));
  const has = (perms: Json, role: string): boolean => String(perms[role] ?? '').includes(letter);
  const missing = above.filter(([, perms]) => !rolesOf(caller).some((role) => has(perms, role)));
  if (missing.length === 0) return 'all';
  return caller.id !== undefined && missing.every(([, perms]) => has(perms, 'owner')) ? 'own' : 'none';
}

/** Whether filters, orders and pipelines of a caller may name a path. */
export function mayName(model: Model, caller: Caller, path: string): boolean {
  const right = pathRight(model, caller, 'r', path);
  if (right !== 'own') return right === 'all';
  const readsOthers = rolesOf(caller).some((role) => rightOf(model, role, 'r') !== false);
  return !readsOthers;
}

/** The paths of a change that a caller may not set in any row, or in rows of others. */
export function unwritable(
  model: Model,
  caller: Caller,
  paths: readonly string[],
  letter: 'c' | 'u',
): { readonly never: readonly string[]; readonly own: readonly string[] } {
  const worst = (path: string): 'all' | 'own' | 'none' => {
    const inside = letter === 'u' ? Object.keys(model.fields).filter((held) => isAt(held, path)) : [];
    const rights = [path, ...inside].map((one) => pathRight(model, caller, letter, one));
    return rights.includes('none') ? 'none' : rights.includes('own') ? 'own' : 'all';
  };
  return {
    never: paths.filter((path) => worst(path) === 'none'),
    own: letter === 'c' ? [] : paths.filter((path) => worst(path) === 'own'),
  };
}

/** A row without the paths that fail a test, as JSON. */
export function cut(row: unknown, shows: (path: string) => boolean, prefix = ''): unknown {
  if (Array.isArray(row)) return row.map((member) => cut(member, shows, prefix));
  if (row instanceof Date) return row.toISOString();
  if (!isObject(row)) return row;
  const kept = Object.entries(row).filter(([name]) => shows(prefix + name));
  return Object.fromEntries(kept.map(([name, value]) => [name, cut(value, shows, `${prefix}${name}.`)]));
}

/** A row as an answer shows it to a caller who may read it. */
export function shown(model: Model, caller: Caller, row: Row): Json {
  const isOwn = owns(caller, row);
  const result = cut(row, (path) => {
    const right = pathRight(model, caller, 'r', path);
    return right === 'all' || (right === 'own' && isOwn);
  });
  return { ...(result as Json), id: row['_id'] };
}

// Filters

/** Whether a row matches a filter; `$user.` paths are values of the caller's own document. */
export function matches(filter: Json, row: unknown, caller: Caller): boolean {
  return Object.entries(filter).every(([key, operand]) => {
    const members = operand as readonly Json[];
    if (key === '$and') return members.every((member) => matches(member, row, caller));
    if (key === '$or') return members.some((member) => matches(member, row, caller));
    if (key === '$nor') return !isVoid(operand, caller) && !members.some((member) => matches(member, row, caller));
    return fits(valuesAt(row, key.split('.')), operand, caller);
  });
}

const hasOperators = (value: unknown): value is Json =>
  isObject(value) && Object.keys(value).some((key) => key.startsWith('$'));

/** @param values at a path: a list counts as itself and as its members */
function fits(values: readonly unknown[], condition: unknown, caller: Caller): boolean {
  if (!hasOperators(condition)) return compares('$eq', values, condition, caller);
  return Object.entries(condition).every(([name, operand]) => {
    if (name === '$not') return !isVoid(operand, caller) && !fits(values, operand, caller);
    if (name === '$exists') return values.length > 0 === operand;
    if (name === '$elemMatch')
      return values.some((value) => Array.isArray(value) && value.some((member) => isElement(member, operand, caller)));
    return compares(name, values, operand, caller);
  });
}

const isElement = (member: unknown, condition: unknown, caller: Caller): boolean =>
  hasOperators(condition) ? fits([member], condition, caller) : matches(condition as Json, member, caller);

function compares(name: string, values: readonly unknown[], operand: unknown, caller: Caller): boolean {
  if (name === '$ne' || name === '$nin')
    return !isVoid(operand, caller, name) && !compares(name === '$ne' ? '$eq' : '$in', values, operand, caller);
  const given = resolved(operand, caller, name);
  if (given === undefined || (name === '$all' && isVoid(operand, caller, name))) return false;
  const candidates = values.flatMap((value) => (Array.isArray(value) ? [value, ...(value as unknown[])] : [value]));
  const has = (one: unknown): boolean => candidates.some((value) => isEqual(value, one));
  if (name === '$eq' || name === '$in') return given.some(has);
  if (name === '$all') return given.length > 0 && given.every(has);
  const order = { $gt: [1], $gte: [1, 0], $lt: [-1], $lte: [-1, 0] }[name];
  if (order === undefined) throw new Error(`the oracle does not know ${name}`);
  return candidates.some((value) => isSameKind(value, given[0]) && order.includes(orderOf(value, given[0])));
}

const kindOf = (value: unknown): string => (value instanceof Date ? 'date' : typeof value);
const isSameKind = (one: unknown, other: unknown): boolean =>
  one !== null && other !== null && typeof one !== 'undefined' && kindOf(one) === kindOf(other) && !Array.isArray(one);
export const orderOf = (one: unknown, other: unknown): number => {
  const [a, b] = [one, other].map((value) => (value instanceof Date ? value.getTime() : value)) as [never, never];
  return a < b ? -1 : a > b ? 1 : 0;
};
const isEqual = (one: unknown, other: unknown): boolean =>
  one === other || (isSameKind(one, other) && kindOf(one) !== 'object' && orderOf(one, other) === 0);

// Values of the caller's own document

const isOwnPath = (value: unknown): value is string => typeof value === 'string' && value.startsWith('$user.');
const isComparable = (value: unknown): boolean =>
  value !== undefined && value !== null && !Array.isArray(value) && !isObject(value);

const takesList = (name: string): boolean => ['$in', '$nin', '$all'].includes(name);

/** The values that an operand stands for; undefined where a part of it stands for none. */
function resolved(operand: unknown, caller: Caller, name: string): readonly unknown[] | undefined {
  const members = takesList(name) ? [operand].flat() : [operand];
  const values = members.map((member) => (isOwnPath(member) ? ownValue(member, caller) : constant(member)));
  const isUsable = (value: unknown): boolean => isComparable(value) || (takesList(name) && Array.isArray(value));
  return values.every(isUsable) ? values.flat().filter(isComparable) : undefined;
}

const dateText = /^\d{4}-\d\d-\d\dT/;
const constant = (value: unknown): unknown =>
  value === '$now' ? new Date() : typeof value === 'string' && dateText.test(value) ? new Date(value) : value;

/** Whether a part of a rule names a value with which nothing can be compared, so that its negation matches nothing. */
function isVoid(part: unknown, caller: Caller, name = '$eq'): boolean {
  if (isOwnPath(part)) {
    const value = ownValue(part, caller);
    return !(isComparable(value) || (takesList(name) && Array.isArray(value) && value.every(isComparable)));
  }
  if (Array.isArray(part)) return part.some((member) => isVoid(member, caller, name));
  if (!isObject(part)) return false;
  return Object.entries(part).some(([key, inner]) => isVoid(inner, caller, key.startsWith('$') ? key : '$eq'));
}

function ownValue(name: string, caller: Caller): unknown {
  const parts = name.slice('$user.'.length).split('.');
  const found = valuesAt(caller.own, parts);
  const first = parts.slice(0, -1).reduce<unknown>((at, part) => (isObject(at) ? at[part] : at), caller.own);
  return Array.isArray(first) ? found : found[0];
}

/** The values at a path; members of lists on the way count each. */
function valuesAt(value: unknown, [part, ...rest]: readonly string[]): readonly unknown[] {
  if (part === undefined) return [value];
  if (Array.isArray(value)) return value.filter(isObject).flatMap((member) => valuesAt(member, [part, ...rest]));
  return isObject(value) && Object.hasOwn(value, part) && value[part] !== undefined ? valuesAt(value[part], rest) : [];
}
