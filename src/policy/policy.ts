/** What one caller may do with one model: which rows, and which paths of them. The only maker of row filters. */
import { type Failure, forbidden } from '../errors.ts';
import type { ModelEntry } from '../models/entry.ts';
import type { Letter } from '../models/letters.ts';
import { ObjectId } from '../models/object-id.ts';
import { allOf } from '../query/and.ts';
import type { Filter } from '../query/filter.ts';
import type { SchemaView } from '../query/schema-view.ts';
import type { Principal } from './principal.ts';
import { rightOn, type RowRight } from './rights.ts';
import { viewOf } from './view.ts';
import { isWritable } from './writable.ts';

/** Rows: all of a model, none, or those that a filter matches. */
type Rows = 'all' | 'none' | Filter;

export interface Policy {
  readonly model: ModelEntry;
  /** Which paths the caller may name and see. */
  readonly view: SchemaView;
  /** Callers whose policies have equal keys read the same rows and paths of the model: the key of cached answers. */
  readonly key: string;
  /** Whether the letter is given for any row. */
  permits(letter: Letter): boolean;
  /** The rows that the letter is given for. */
  rows(letter: Letter): Rows;
  /** The filters joined by AND with the rows that the letter is given for. */
  filter(letter: Letter, ...filters: readonly (Filter | undefined)[]): Filter;
  /** Whether the letter is given for a row in memory; the row has the `rowPaths`. */
  admits(letter: Letter, row: Readonly<Record<string, unknown>>): boolean;
  /** The paths that `admits` looks at. */
  readonly rowPaths: readonly string[];
  /** Whether the caller sees a path in all rows that they read, in their own only, or in none. */
  readable(path: string): 'all' | 'own' | 'none';
  /** Whether a body of the caller may set a path; aliases are replaced before. @param letter `c` for a new document, `u` for a change */
  writable(path: string, letter: 'c' | 'u'): boolean;
}

/** The path that says whose a document is: users own their own document. */
export const ownerPath = (model: ModelEntry): '_id' | '_owner_id' => (model.name === 'user' ? '_id' : '_owner_id');

const made = new WeakMap<Principal, WeakMap<ModelEntry, Policy>>();

/** The policy of a caller for a model, made once for each principal. */
export function policyFor(principal: Principal, model: ModelEntry): Policy {
  const known = made.get(principal) ?? new WeakMap<ModelEntry, Policy>();
  made.set(principal, known);
  const policy = known.get(model) ?? makePolicy(model, principal, (letter) => rightOn(principal, letter, model));
  known.set(model, policy);
  return policy;
}

/** The policy for people who are shown by name because another document names them, whatever the caller may read of users. */
export const identityPolicy = (principal: Principal, model: ModelEntry): Policy => ({
  ...makePolicy(model, principal, (letter) => (letter === 'r' ? 'all' : 'none')),
  key: 'identity',
});

/** The policy that gives no rows at all: where each operation of a request asks for its own letter. */
export const noRows = (principal: Principal, model: ModelEntry): Policy => makePolicy(model, principal, () => 'none');

function makePolicy(model: ModelEntry, principal: Principal, rightOf: (letter: Letter) => RowRight): Policy {
  const path = ownerPath(model);
  const rights = { c: rightOf('c'), r: rightOf('r'), u: rightOf('u'), d: rightOf('d') };
  const owner = principal.user?.id;
  const rows = (letter: Letter): Rows => {
    if (rights[letter] !== 'own') return rights[letter];
    return owner === undefined ? 'none' : { [path]: new ObjectId(owner) };
  };
  const view = viewOf(model.schema);
  return {
    model,
    view,
    key: `${rights.r === 'own' ? `own:${owner}` : rights.r} ${view.hidden.paths.join()}`,
    permits: (letter) => rights[letter] !== 'none',
    rows,
    filter(letter, ...filters) {
      const allowed = rows(letter);
      if (allowed === 'all') return allOf(filters);
      return allOf([...filters, allowed === 'none' ? { _id: { $in: [] } } : allowed]);
    },
    admits: (letter, row) =>
      rights[letter] === 'all' || (rights[letter] === 'own' && owner !== undefined && String(row[path]) === owner),
    rowPaths: [path],
    readable: (name) => (view.shows(name) ? 'all' : 'none'),
    writable: (name, letter) => isWritable(name, letter, model, principal),
  };
}

/** The failure of a caller who may read a row and do no more with it. */
export const notYours = (model: ModelEntry): Failure => forbidden(`this ${model.name} is not yours`);
