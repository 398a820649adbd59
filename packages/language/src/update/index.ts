/** Compiles updates to functions from a document to the changed document. */
import { StoreError } from '../errors.ts';
import type { Charge, Matcher } from '../query/index.ts';
import type { Collation } from '../values/collation.ts';
import { equal } from '../values/order.ts';
import { field } from '../values/path.ts';
import { same } from '../values/same.ts';
import type { Doc } from '../values/types.ts';
import { type ArrayFilters, readArrayFilters } from './array-filters.ts';
import type { UpdateContext } from './change.ts';
import { Draft, type Parts } from './draft.ts';
import { Expansion } from './expand.ts';
import { type Plan, type PlannedChange, readOperators } from './operators.ts';
import { checkConflicts, comparePaths, filterName, isDynamic } from './paths.ts';
import { dollarField, idFirst, replacing, transforming } from './replace.ts';

export { checkUpsertFilter, upsertDocument } from './upsert-document.ts';

/** Options of an update. */
export interface UpdateOptions {
  readonly arrayFilters?: readonly Doc[];
  /** The query, which resolves the positional `$`. */
  readonly filter: Matcher;
  /** Compiles an update given as a pipeline. */
  readonly pipeline?: (stages: readonly Doc[]) => (doc: Doc) => Doc;
  readonly now: Date;
  readonly collation?: Collation | undefined;
  /** Meters the work on one document. */
  readonly charge?: Charge | undefined;
}

/** A compiled update. */
export interface CompiledUpdate {
  /** The changed document; the same object if nothing changes. */
  apply(doc: Doc, inserting: boolean): Doc;
  /** Whether it replaces the whole document. */
  readonly isReplacement: boolean;
}

/** Compiles an update. @throws StoreError with MongoDB's code for an invalid update */
export function compileUpdate(update: Doc | readonly Doc[], options: UpdateOptions): CompiledUpdate {
  if (isPipeline(update)) return compilePipeline(update, options);
  const [first] = Object.keys(update);
  return first?.startsWith('$') === true ? compileOperators(update, options) : compileReplacement(update, options);
}

const isPipeline = (update: Doc | readonly Doc[]): update is readonly Doc[] => Array.isArray(update);

function compilePipeline(stages: readonly Doc[], { pipeline, arrayFilters }: UpdateOptions): CompiledUpdate {
  refuseArrayFilters(arrayFilters, 'pipeline-style');
  if (pipeline === undefined) throw new StoreError(9, 'an update by a pipeline is not allowed here');
  return { apply: transforming(pipeline(stages)), isReplacement: false };
}

function compileReplacement(replacement: Doc, { arrayFilters }: UpdateOptions): CompiledUpdate {
  refuseArrayFilters(arrayFilters, 'replacement-style');
  return { apply: replacing(replacement), isReplacement: true };
}

function refuseArrayFilters(filters: readonly Doc[] | undefined, style: string): void {
  if (filters !== undefined && filters.length > 0) {
    throw new StoreError(9, `arrayFilters may not be specified for ${style} updates`);
  }
}

function compileOperators(update: Doc, options: UpdateOptions): CompiledUpdate {
  const { now, collation, charge = () => undefined } = options;
  const context: UpdateContext = { now, collation, charge };
  const plan = readOperators(update, context);
  const filters = readArrayFilters(options.arrayFilters ?? [], context);
  checkFilterNames(plan, filters);
  const dynamic = plan.changes.some(({ parts }) => parts.some(isDynamic));
  const dollars = plan.paths.map(([first = '']) => first).filter((name) => name.startsWith('$'));
  const plans: Application = { plan, filters, matcher: options.filter, dynamic, dollars, charge };
  return { apply: (doc, inserting) => applyOperators(doc, inserting, plans), isReplacement: false };
}

interface Application {
  readonly plan: Plan;
  readonly filters: ArrayFilters;
  readonly matcher: Matcher;
  readonly dynamic: boolean;
  /** The top-level fields whose names start with a dollar. */
  readonly dollars: readonly string[];
  readonly charge: Charge;
}

function applyOperators(doc: Doc, inserting: boolean, application: Application): Doc {
  const draft = new Draft(doc);
  for (const { parts, change } of changesFor(doc, inserting, application)) {
    change.make(draft, parts, { path: parts.join('.'), id: doc['_id'] });
  }
  if (inserting) return idFirst(draft.doc);
  checkId(doc, draft.doc);
  for (const name of application.dollars) checkDollar(name, doc, draft.doc);
  return draft.doc;
}

function changesFor(
  doc: Doc,
  inserting: boolean,
  { plan, filters, matcher, dynamic, charge }: Application,
): readonly PlannedChange[] {
  const changes = plan.changes.filter(({ change }) => inserting || change.onlyInserting !== true);
  if (!dynamic) return changes;
  const expansion = new Expansion(doc, { filters, position: () => matcher.matchPosition(doc), charge });
  const expanded = changes.flatMap(({ parts, change }) =>
    expansion.of(parts, change.values ?? 1).map((place): PlannedChange => ({ parts: place, change })),
  );
  const sorted = expanded.sort((a, b) => comparePaths(a.parts, b.parts));
  checkConflicts(sorted.map(({ parts }) => parts));
  return sorted;
}

function checkId(before: Doc, after: Doc): void {
  if (before === after || same(before['_id'], after['_id'])) return;
  if (after['_id'] === undefined || !equal(before['_id'], after['_id'])) {
    throw new StoreError(66, "Performing an update on the path '_id' would modify the immutable field '_id'");
  }
}

/** @throws StoreError 52 if the update writes a field whose name starts with a dollar; it may remove one */
function checkDollar(name: string, before: Doc, after: Doc): void {
  const value = field(after, name);
  if (value !== undefined && value !== field(before, name)) throw dollarField(name);
}

/** Every name in a path has a filter, and every filter is used. */
function checkFilterNames(plan: Plan, filters: ArrayFilters): void {
  const used = new Set(plan.paths.flatMap((parts) => namesIn(parts)));
  for (const parts of plan.paths) {
    for (const name of namesIn(parts)) {
      if (!filters.has(name)) {
        throw new StoreError(2, `No array filter found for identifier '${name}' in path '${parts.join('.')}'`);
      }
    }
  }
  for (const name of filters.keys()) {
    if (!used.has(name))
      throw new StoreError(9, `The array filter for identifier '${name}' was not used in the update`);
  }
}

const namesIn = (parts: Parts): readonly string[] =>
  parts.map(filterName).filter((name): name is string => name !== undefined && name !== '');
