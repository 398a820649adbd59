/** What one caller may do with one model: which rows, and which paths of them. Only `policy/` creates row filters. */
import type { ModelEntry } from '../models/entry.ts';
import type { ModelVisibility } from '../models/fields/describe.ts';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import type { Letter } from '../models/letters.ts';
import type { FieldLetter } from '../models/options/permissions.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import type { HiddenNames, SchemaView } from '../query/schema-view.ts';
import type { OwnRows } from './presentation.ts';
import type { Principal } from './principal.ts';
import { noRight, type PathRight, pathRight, rightOn, type RowRight, userRightOn } from './rights.ts';
import { bothAccesses, type RowAccess, rowAccess, type Rows } from './row-access.ts';
import { lettersInScope } from './scopes.ts';
import { fieldViewOf } from './view.ts';
import { isWritable } from './writable.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Policy {
  readonly model: ModelEntry;
  /** Which paths the caller sees in every row that they read: those that filters, orders and pipelines may name. */
  readonly view: SchemaView;
  /** Which paths the caller sees in some rows at least: those that answers and descriptions may have. */
  readonly shownView: SchemaView;
  /** What the caller sees of the model's description. */
  readonly described: ModelVisibility;
  /** Where the caller sees more of their own rows than of others: which rows these are, and what is hidden in them. */
  readonly ownRows: OwnRows | undefined;
  /** Callers whose policies have equal keys see the same paths of the model's rows. */
  readonly key: string;
  /** Whether the letter is given for any row. */
  permits(letter: Letter): boolean;
  /**
   * The rows that a request reaches by the letter: those that it is given for. `u` and `d` reach only rows that the user may also read,
   * where `r` is given for some rows; without `r` at all they are blind, and reach what they are given for.
   */
  rows(letter: Letter): Rows;
  /** The filters joined by AND with the rows that a request reaches by the letter. */
  filter(letter: Letter, ...filters: readonly (Filter | undefined)[]): Filter;
  /** Whether a request reaches a row in memory by the letter; the row has the `rowPaths` of the letter. */
  reaches(letter: Letter, row: Row): boolean;
  /** The paths that decide which rows a request reaches by the letter. */
  rowPaths(letter: Letter): readonly string[];
  /** Whether a rule decides which rows a request reaches by the letter. */
  hasRules(letter: Letter): boolean;
  /** Whether the letter is given for a row in memory, whatever else a request needs. */
  admits(letter: Letter, row: Row): boolean;
  /** What a document must be after a write by the letter, by the rules of the letter; undefined where there are none. */
  ruleFor(letter: 'c' | 'u'): ((after: Row) => boolean) | undefined;
  /** Whether the rows that the caller reads change with the time, so that answers are not kept. */
  readonly isTimed: boolean;
  /** Which rows the letter is given for, in a word. */
  extent(letter: Letter): Extent;
  /** Equal for callers who read the same rows, and at any time. */
  rowsKey(): unknown;
  owns(row: Row): boolean;
  /** Which paths the caller sees in a row. */
  viewIn(row: Row): SchemaView;
  /** What is hidden in a row. */
  hiddenIn(row: Row): HiddenNames;
  /** Whether the caller has a letter on a path in all rows, in their own only, or in none. Positions in lists do not count. */
  pathRight(letter: FieldLetter, path: string): PathRight;
  /**
   * Whether a body of the caller counts where it sets a path; aliases are replaced before.
   * @param letter `c` for a new document, `u` for a change
   */
  writable(path: string, letter: 'c' | 'u'): boolean;
}

/** Which rows a letter is given for, in a word. */
export type Extent = 'all' | 'some' | 'own' | 'none';

/** The path of a document's owner: users own their own document. */
export const ownerPath = (model: ModelEntry): '_id' | '_owner_id' => (model.name === 'user' ? '_id' : '_owner_id');

const made = new WeakMap<Principal, WeakMap<ModelEntry, Policy>>();

/** The policy of a caller for a model, created once for each principal. */
export function policyFor(principal: Principal, model: ModelEntry): Policy {
  const known = made.get(principal) ?? new WeakMap<ModelEntry, Policy>();
  made.set(principal, known);
  const policy = known.get(model) ?? makePolicy(model, principal, rightsOf(principal, model));
  known.set(model, policy);
  return policy;
}

/** The policy for people who are shown by name because another document names them, whatever the caller may read of users. */
export function identityPolicy(principal: Principal, model: ModelEntry): Policy {
  const policy = makePolicy(model, principal, { of: (letter) => (letter === 'r' ? 'all' : noRight) });
  const { view } = policy;
  const isIdentity = (path: string): boolean => path === '_id' || path === 'name';
  const identityView = { ...view, shows: (path: string) => isIdentity(path) && view.shows(path) };
  return { ...policy, view: identityView, key: `identity ${policy.key}` };
}

/** The policy that gives no rows at all: where each operation of a request requires its own letter. */
export const noRows = (principal: Principal, model: ModelEntry): Policy =>
  makePolicy(model, principal, { of: () => noRight });

interface Rights {
  readonly of: (letter: Letter) => RowRight;
  /** What the caller's user may read, which limits the writes of a key whose scopes lack `r`; by default `of('r')`. */
  readonly readByUser?: RowRight;
}

const rightsOf = (principal: Principal, model: ModelEntry): Rights => ({
  of: (letter) => rightOn(principal, letter, model),
  ...(principal.scopes === undefined ? {} : { readByUser: userRightOn(principal, 'r', model) }),
});

function makePolicy(model: ModelEntry, principal: Principal, rights: Rights): Policy {
  const path = ownerPath(model);
  const access = accessOf(model, principal, rights.of);
  const reach = reachOf(access, rights.readByUser && rowAccess(rights.readByUser, principal, model, path));
  const readsOwnOnly = isOwnOnly(rights.of('r'));
  const fields = [...model.fieldPerms.keys()];
  const readRight = (name: string): PathRight => pathRight(principal, 'r', model, withoutPositions(model.schema, name));
  const { ownPaths: own } = model;
  const hiddenFrom = [...fields.filter((name) => readRight(name) === 'none'), ...own];
  const inOwnOnly = readsOwnOnly ? [] : fields.filter((name) => readRight(name) === 'own');
  const view = fieldViewOf(model.schema, [...hiddenFrom, ...inOwnOnly]);
  const shownView = fieldViewOf(model.schema, hiddenFrom);
  const owner = principal.user?.id;
  const ownRows =
    inOwnOnly.length === 0 || owner === undefined ? undefined : { path, id: owner, hidden: shownView.hidden };
  return {
    model,
    view,
    shownView,
    described: {
      shows: shownView.shows,
      describes: (name) => !own.includes(name) && readRight(name) !== 'none',
      withRules: principal.admin,
    },
    ownRows,
    key: keyOf(principal, model, view, ownRows),
    ...rowMethods(access, reach),
    isTimed: access.r.isTimed,
    extent: (letter) => extentOf(access[letter]),
    rowsKey: () => (access.r.isTimed ? { user: owner ?? null, roles: principal.roles } : access.r.rows()),
    owns: (row) => owner !== undefined && String(row[path]) === owner,
    ...views(view, shownView, ownRows),
    pathRight: (letter, name) => pathRight(principal, letter, model, withoutPositions(model.schema, name)),
    writable: (name, letter) => isWritable(name, letter, model, principal),
  };
}

type RowMethods = 'permits' | 'rows' | 'filter' | 'reaches' | 'rowPaths' | 'hasRules' | 'admits' | 'ruleFor';

/** Which rows the letters are given for, and reach. */
const rowMethods = (access: Access, reach: Access): Pick<Policy, RowMethods> => ({
  permits: (letter) => access[letter].isGiven,
  rows: (letter) => reach[letter].rows(),
  filter(letter, ...filters) {
    const allowed = reach[letter].rows();
    if (allowed === 'all') return allOf(filters);
    return allOf([...filters, allowed === 'none' ? { _id: { $in: [] } } : allowed]);
  },
  reaches: (letter, row) => reach[letter].admits(row),
  rowPaths: (letter) => reach[letter].paths,
  hasRules: (letter) => reach[letter].hasRules,
  admits: (letter, row) => access[letter].admits(row),
  ruleFor: (letter) => (access[letter].hasRules ? (after) => access[letter].admits(after) : undefined),
});

/** What is seen and hidden in a row. */
function views(view: SchemaView, shownView: SchemaView, own: OwnRows | undefined): Pick<Policy, 'viewIn' | 'hiddenIn'> {
  const viewIn = (row: Row): SchemaView => (own !== undefined && String(row[own.path]) === own.id ? shownView : view);
  return { viewIn, hiddenIn: (row) => viewIn(row).hidden };
}

const isOwnOnly = (right: RowRight): boolean => right !== 'all' && right.rules.length === 0;

/** @param ownRows of which more is shown */
function keyOf({ scopes }: Principal, model: ModelEntry, { hidden }: SchemaView, ownRows: OwnRows | undefined): string {
  const inScope = lettersInScope(scopes, model);
  const own = ownRows === undefined ? '' : `${ownRows.id} ${ownRows.hidden.paths.join()}`;
  return `${own} ${hidden.paths.join()}${inScope === undefined ? '' : ` scope ${inScope}`}`;
}

function extentOf(access: RowAccess): Extent {
  const { isGiven, hasRules } = access;
  const given = access.rows();
  if (!isGiven || given === 'none') return 'none';
  if (given === 'all') return 'all';
  return hasRules ? 'some' : 'own';
}

type Access = Readonly<Record<Letter, RowAccess>>;

function accessOf(model: ModelEntry, principal: Principal, rightOf: Rights['of']): Access {
  const of = (letter: Letter): RowAccess => rowAccess(rightOf(letter), principal, model, ownerPath(model));
  return { c: of('c'), r: of('r'), u: of('u'), d: of('d') };
}

/** The rows that requests reach. @param readable what the caller's user may read */
const reachOf = (access: Access, readable = access.r): Access =>
  readable.isGiven ? { ...access, u: bothAccesses(access.u, readable), d: bothAccesses(access.d, readable) } : access;
