/** Compiles projections to functions from a document to its projected fields. */
import { StoreError } from '../errors.ts';
import type { Charge, ExprCompiler, Matcher } from '../query/index.ts';
import type { Doc } from '../values/types.ts';
import { type Mode, project } from './apply.ts';
import { keepingMatched } from './positional.ts';
import { type Entry, readEntries } from './read.ts';
import { addLeaf, type Branch, newBranch } from './tree.ts';

/** Options of a projection. */
export interface ProjectionOptions {
  /** The query, which resolves the positional `$`. */
  readonly filter?: Matcher;
  readonly expr?: ExprCompiler;
  /** Whether it is `$project`: `$slice` is the expression there. */
  readonly isStage?: boolean;
  readonly textScore?: (doc: Doc) => number;
  /** Meters the work on one document. */
  readonly charge?: Charge;
}

/** Compiles a projection. @throws StoreError with MongoDB's code for an invalid projection */
export function compileProjection(projection: Doc, options: ProjectionOptions): (doc: Doc) => Doc {
  const entries = readEntries(projection, options);
  if (entries.length === 0) return (doc) => doc;
  const mode = modeOf(entries);
  const tree = treeOf(entries, mode);
  const array = positionalOf(entries);
  if (array === undefined) return (doc) => project(doc, tree, mode);
  if (options.filter === undefined) throw new StoreError(51246, 'a positional projection needs a query');
  const keep = keepingMatched(array, options.filter);
  return (doc) => keep(project(doc, tree, mode), doc);
}

/** Whether the projection is an inclusion or an exclusion. A plain `_id` may differ from the others. */
function modeOf(entries: readonly Entry[]): Mode {
  const sided = entries.filter(({ path, side, form }) => side !== 'either' && (path !== '_id' || form !== undefined));
  const [first] = sided;
  if (first === undefined) return modeWithoutSides(entries);
  const mode = first.side === 'inclusion' ? 'inclusion' : 'exclusion';
  for (const entry of sided) if (entry.side !== mode) throw mixed(entry, mode);
  return mode;
}

function modeWithoutSides(entries: readonly Entry[]): Mode {
  if (entries.some(({ form }) => form === 'slice')) return 'exclusion';
  const names = entries.some(({ form, side }) => form === 'elemMatch' || side === 'inclusion');
  return names ? 'inclusion' : 'exclusion';
}

function mixed({ path, side, form }: Entry, mode: Mode): StoreError {
  if (form === 'expression') {
    return new StoreError(31252, 'Cannot use expression other than $meta in exclusion projection');
  }
  if (form === 'literal') return new StoreError(31310, `Cannot use an expression ${path} in an exclusion projection`);
  const code = mode === 'inclusion' ? 31254 : 31253;
  return new StoreError(code, `Cannot do ${side} on field ${path} in ${mode} projection`);
}

function treeOf(entries: readonly Entry[], mode: Mode): Branch {
  const tree = newBranch();
  for (const { path, leaf } of entries) addLeaf(tree, path, leaf);
  if (mode === 'inclusion' && !tree.children.has('_id')) tree.children.set('_id', { kind: 'include' });
  return tree;
}

function positionalOf(entries: readonly Entry[]): string | undefined {
  const [first, second] = entries.filter(({ positional }) => positional);
  if (second !== undefined)
    throw new StoreError(31276, 'Cannot specify more than one positional projection per query.');
  const elemMatch = entries.find(({ form }) => form === 'elemMatch');
  if (first !== undefined && elemMatch !== undefined) {
    const code = entries.indexOf(elemMatch) < entries.indexOf(first) ? 31256 : 31255;
    throw new StoreError(code, 'Cannot specify positional operator and $elemMatch.');
  }
  return first?.path;
}
