/**
 * Parses query strings and form bodies to plain data. Input that is too large or malformed is a 400 and is never
 * truncated.
 */
import { badRequest, dangerousKey, tooDeep, tooMany } from '../errors/errors.ts';
import { preload } from '../models/preload.ts';
import type { TextParameter } from '../operations/inner-request.ts';
import { isWrite, type Operation } from '../operations/operation.ts';
import { isCredential } from '../query/parameter-table.ts';
import { isTree, type Parameter, type ParameterTree } from '../query/parameter-tree.ts';
import { deepFreeze } from '../settings/freeze.ts';

const maxParameters = 1000;
const maxLevels = 20;
const inherited: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

type Building = Record<string, Parameter>;

/** @throws 400 */
export function parseQueryString(text: string | null | undefined): ParameterTree {
  const root = empty();
  // Express passes null where there is no query string
  if (text === '' || text === null || text === undefined) return root;
  const pairs = text.split('&');
  if (pairs.length > maxParameters) throw tooMany('parameters', maxParameters);
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decoded(equals === -1 ? pair : pair.slice(0, equals));
    place(root, segmentsOf(name), equals === -1 ? '' : decoded(pair.slice(equals + 1)));
  }
  return root;
}

/** @throws 400 */
function treeOf(parameters: readonly TextParameter[]): ParameterTree {
  if (parameters.length > maxParameters) throw tooMany('parameters', maxParameters);
  const root = empty();
  for (const [names, text] of parameters) {
    const parts = checkedPath(names.map((name) => name.toWellFormed()));
    place(root, parts, text.toWellFormed());
  }
  return root;
}

/**
 * The parameters of an operation that is asked for without a text, read as strictly as those of a URL.
 * @param key of the request, by which those of a read are kept @throws 400
 */
export function treeFor(
  { operation, hooks }: { readonly operation: Operation; readonly hooks: object | undefined },
  parameters: readonly TextParameter[],
  key: string,
): ParameterTree {
  const loaded = preload();
  const isKept = loaded === undefined && isPlainRead(operation, hooks);
  const known = isKept ? kept.get(key) : undefined;
  if (known !== undefined) return known;
  const tree = treeOf(parameters);
  return isKept ? keep(key, tree) : (loaded?.parameters(tree) ?? tree);
}

/** The parameters of a URL, as model files of JXP expect them where there are some. @throws 400 */
export function parametersOf(url: string): ParameterTree {
  const query = queryOf(url);
  return preload()?.parameters(query) ?? query;
}

/** The parameters of a URL. @throws 400 */
export function queryOf(url: string): ParameterTree {
  const mark = url.indexOf('?');
  return parseQueryString(mark === -1 ? '' : url.slice(mark + 1));
}

/** Characters of a query string whose tree is kept, and the number of such trees. */
const maxKeptLength = 500;
const maxKept = 1000;
/** Frozen trees by their texts: clients read with the same few query strings again and again. */
const kept = new Map<string, ParameterTree>();

/** The parameters of a URL of a read: kept and frozen, unless the URL is long or holds a credential. @throws 400 */
export function parametersOfRead(url: string): ParameterTree {
  const known = kept.get(url);
  if (known !== undefined) return known;
  return keep(url, queryOf(url));
}

function keep(text: string, tree: ParameterTree): ParameterTree {
  if (!mayBeKept(text, tree)) return tree;
  if (kept.size >= maxKept) kept.clear();
  kept.set(text, deepFreeze(tree));
  return tree;
}

const mayBeKept = (url: string, tree: ParameterTree): boolean =>
  url.length <= maxKeptLength && !Object.keys(tree).some(isCredential);

/** The same as model files of JXP expect them, which are not kept: another server of the process may have no preload. */
function parametersOfPreloadedRead(url: string): ParameterTree {
  const tree = parametersOf(url);
  return mayBeKept(url, tree) ? deepFreeze(tree) : tree;
}

/** Reads the parameters of an operation. Hooks may change those that they get. */
export function parametersFor(operation: Operation, hooks: object | undefined): (url: string) => ParameterTree {
  if (!isPlainRead(operation, hooks)) return parametersOf;
  return preload() === undefined ? parametersOfRead : parametersOfPreloadedRead;
}

/** Whether nothing changes the parameters of an operation, and equal ones come again. */
const isPlainRead = (operation: Operation, hooks: object | undefined): boolean =>
  operation.access.kind === 'letter' && !isWrite(operation) && operation.opensStream !== true && hooks === undefined;

const empty = (): Building => Object.create(null) as Building;

function decoded(text: string): string {
  // most names and values are written as they are
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw badRequest('a parameter is not percent-encoded correctly');
  }
}

/** `a[b][]` → `a`, `b` and the marker of a list. */
function segmentsOf(name: string): readonly string[] {
  const open = name.indexOf('[');
  if (open <= 0) return checked([name]);
  const brackets = name.slice(open);
  if (!/^(\[[^[\]]*\])+$/.test(brackets))
    throw badRequest(`the parameter ${JSON.stringify(name.slice(0, 100))} has unbalanced brackets`);
  return checkedPath([name.slice(0, open), ...brackets.slice(1, -1).split('][')], name);
}

function checkedPath(names: string[], name = names.join('.')): readonly string[] {
  const parts = checked(names);
  if (parts.slice(0, -1).includes(''))
    throw badRequest(
      `the parameter ${JSON.stringify(name.slice(0, 100))} has empty brackets before the end: write an index, such as [0]`,
    );
  if (parts.length > maxLevels) throw tooDeep('a parameter', maxLevels);
  return parts;
}

function checked(parts: string[]): readonly string[] {
  for (const part of parts) if (inherited.has(part) || part.includes('\0')) throw dangerousKey(part);
  return parts;
}

/** A parameter that is given both with and without brackets becomes a list of both values. */
function place(root: Building, parts: readonly string[], value: string): void {
  let level = root;
  const isList = parts.length > 1 && parts.at(-1) === '';
  const path = isList ? parts.slice(0, -1) : parts;
  for (const part of path.slice(0, -1)) level = below(level, part);
  const last = path.at(-1) ?? '';
  // the members of an operator's list are one value; a parameter given twice has two values
  if (isList && last.startsWith('$')) {
    const members = below(level, last);
    members[String(Object.keys(members).length)] = value;
    return;
  }
  const before = level[last];
  if (before === undefined) level[last] = isList ? [value] : value;
  else level[last] = [...(isMembers(before) ? before : [before]), value];
}

/** The tree under a name; a missing one is created. */
function below(level: Building, part: string): Building {
  const inner = level[part];
  if (isTree(inner)) return inner;
  if (inner === undefined) return (level[part] = empty());
  const members = isMembers(inner) ? inner : [inner];
  const known = members.find(isTree);
  if (known !== undefined) return known;
  const made = empty();
  level[part] = [...members, made];
  return made;
}

const isMembers = (value: Parameter): value is readonly Parameter[] => Array.isArray(value);

/** Converts the fields of a form to a body: names in brackets become objects, and `[0]`, `[1]` … become lists. */
export function formBody(tree: Parameter): unknown {
  if (typeof tree === 'string') return tree;
  if (Array.isArray(tree)) return tree.map(formBody);
  const entries = Object.entries(tree as ParameterTree);
  if (entries.length > 0 && entries.every(([key], at) => key === String(at)))
    return entries.map(([, value]) => formBody(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, formBody(value)]));
}
