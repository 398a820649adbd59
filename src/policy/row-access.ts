/** A right on rows → the filter of these rows, and the test of one row in memory. */
import { isDeepStrictEqual } from 'node:util';
import type { ModelEntry } from '../models/entry.ts';
import { ObjectId } from '../models/object-id.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import { comparedFilter, rowTest } from '../query/row-test.ts';
import { ruleTime } from './model-rules.ts';
import type { Principal } from './principal.ts';
import type { RowRight } from './rights.ts';
import type { CompiledRule } from './row-rules.ts';

/** Rows: all of a model, none, or those that a filter matches. */
export type Rows = 'all' | 'none' | Filter;

type Row = Readonly<Record<string, unknown>>;

/** What a caller may do to the rows of a model by one letter. */
export interface RowAccess {
  /** Whether the letter is given at all, even if only for rows that do not exist. */
  readonly isGiven: boolean;
  rows(): Rows;
  admits(row: Row): boolean;
  /** It depends on more of a row than its owner. */
  readonly hasRules: boolean;
  /** It depends on the time of the request. */
  readonly isTimed: boolean;
  /** The paths that it depends on. */
  readonly paths: readonly string[];
}

/** @param path of the owner of a row */
export function rowAccess(right: RowRight, principal: Principal, model: ModelEntry, path: string): RowAccess {
  if (right === 'all')
    return { isGiven: true, rows: () => 'all', admits: () => true, hasRules: false, isTimed: false, paths: [] };
  const { own, rules, ownRule } = right;
  const all = [...rules, ...(ownRule === undefined ? [] : [ownRule])];
  const ownId = principal.user?.id;
  const isTimed = all.some((rule) => rule.isTimed);
  const isOwn = (row: Row): boolean => ownId !== undefined && String(row[path]) === ownId;
  const rows = memoizedUnless(isTimed, () => rowsOf(right, principal, model, path));
  const test = memoizedUnless(isTimed, () => testOf(rows(), model));
  return {
    isGiven: own || all.length > 0,
    rows,
    admits: (row) => (own && isOwn(row)) || (all.length > 0 && test()(row)),
    hasRules: all.length > 0,
    isTimed,
    paths: [...(own || ownRule !== undefined ? [path] : []), ...all.flatMap((rule) => rule.paths)],
  };
}

/** What both admit, as one condition; where one of them admits all rows, or both the same, the other. */
export function bothAccesses(one: RowAccess, other: RowAccess): RowAccess {
  if (isUnlimited(other)) return one;
  if (isUnlimited(one)) return { ...other, isGiven: one.isGiven };
  const isTimed = one.isTimed || other.isTimed;
  return {
    isGiven: one.isGiven,
    rows: memoizedUnless(isTimed, () => commonRows(one.rows(), other.rows())),
    admits: (row) => one.admits(row) && other.admits(row),
    hasRules: one.hasRules || other.hasRules,
    isTimed,
    paths: [...one.paths, ...other.paths],
  };
}

const isUnlimited = ({ isGiven, paths, hasRules }: RowAccess): boolean => isGiven && !hasRules && paths.length === 0;

function commonRows(one: Rows, other: Rows): Rows {
  if (one === 'none' || other === 'none') return 'none';
  if (one === 'all' || isDeepStrictEqual(one, other)) return other;
  return other === 'all' ? one : allOf([one, other]);
}

/** Created when it is first needed, and kept unless it changes with time. */
function memoizedUnless<T>(changes: boolean, make: () => T): () => T {
  let memo: { readonly value: T } | undefined;
  return () => (changes ? make() : (memo ??= { value: make() }).value);
}

function rowsOf(
  { own, rules, ownRule }: Exclude<RowRight, 'all'>,
  principal: Principal,
  model: ModelEntry,
  path: string,
): Rows {
  const { user, own: document } = principal;
  const filterOf = (rule: CompiledRule): Filter | undefined => rule.filterFor(document, ruleTime(model));
  const ownRows = user === undefined ? undefined : { [path]: new ObjectId(user.id) };
  const ofOwnRule = ownRule && filterOf(ownRule);
  const alternatives = [
    own ? ownRows : undefined,
    ofOwnRule && ownRows && allOf([ownRows, ofOwnRule]),
    ...rules.map(filterOf),
  ].filter((filter) => filter !== undefined);
  if (alternatives.some((filter) => Object.keys(filter).length === 0)) return 'all';
  const [first, ...others] = alternatives;
  if (first === undefined) return 'none';
  return others.length === 0 ? first : { $or: alternatives };
}

function testOf(rows: Rows, { schema }: ModelEntry): (row: Row) => boolean {
  if (rows === 'all' || rows === 'none') return () => rows === 'all';
  return rowTest(comparedFilter(rows, schema.collation));
}
