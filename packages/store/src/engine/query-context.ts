/** The context of queries and pipelines: other collections, the work on the cursor, and limits. */
import {
  compileExpression,
  compilePipeline,
  fieldsOfFilter,
  Meter,
  type PipelineContext,
} from 'dossier-language/aggregate';
import { type Charge, compileFilter, type ExprCompiler } from 'dossier-language/query';
import type { Collation } from 'dossier-language/values';
import type { Doc } from 'dossier-language/values';
import type { Collection } from './collection.ts';
import type { CollectionOptions } from './collection-options.ts';
import type { CursorWork } from './cursor-work.ts';
import type { Limits } from './limits.ts';
import { planFor } from './planner.ts';
import { documentsIn, readGroups } from './read.ts';
import { readerOf } from './stored-document.ts';
import type { View } from './view.ts';
import { resolveView } from './view-definition.ts';

/** The checks of documents by the validators of collections (`validation.ts`). */
export interface DocumentChecks {
  read(options: CollectionOptions, collection: Collection): void;
  check(collection: Collection, doc: Doc, before?: () => Doc): void;
  accepts(collection: Collection, doc: Doc): boolean;
}

/** The context of a query or pipeline. */
export interface QueryContext {
  readonly db: string;
  readonly collection: string;
  readonly view: View;
  readonly work: CursorWork;
  readonly limits: Limits;
  readonly now: Date;
  readonly let: Doc | undefined;
  /** The collation of the command, otherwise that of the collection. */
  readonly collation: Collation | undefined;
  /** Checks what the command writes by the validators of collections. */
  readonly check: DocumentChecks;
  /** Yields the write lock to writers that have waited long enough; undefined if the command must not yield it. */
  readonly yieldLock: (() => Promise<void>) | undefined;
  /** Whether a plan is only shown, and counts as no use of its index. */
  readonly isExplained?: true;
}

/** The context of a pipeline. */
export function pipelineContext(queryContext: QueryContext): PipelineContext {
  const { db, collection, work, limits, now, collation } = queryContext;
  const read = (name: string, filter: Doc | undefined) => readAll(queryContext, name, filter ?? {});
  return {
    db,
    collection,
    read,
    now,
    ...(collation ? { collation } : {}),
    ...(queryContext.let ? { let: queryContext.let } : {}),
    checkTime: () => work.operation.checkTime(),
    yield: () => work.operation.yield(),
    due: () => work.operation.due(),
    meter: meterOf(queryContext),
    memoryLimitBytes: limits.commandBytes,
  };
}

/** The meter of a cursor follows the command that works on it: after `find`, each `getMore`. */
const meterOf = ({ work }: QueryContext): Meter =>
  new Meter(
    () => work.operation.yieldCount,
    () => work.operation.checkTime(),
  );

/** Meters the work of filters, projections and updates on one document. */
export function chargeOf(queryContext: QueryContext): Charge {
  const meter = meterOf(queryContext);
  return (steps) => meter.charge(steps);
}

/** Compiles the expressions of `$expr`. It is created only for filters that have one. */
export function exprCompiler(queryContext: QueryContext): ExprCompiler {
  let context: PipelineContext | undefined;
  return (expression) => {
    context ??= pipelineContext(queryContext);
    const compiled = compileExpression(expression, context);
    return (doc) => compiled(doc);
  };
}

/** Options for compiling a filter. */
export function filterOptions(queryContext: QueryContext): NonNullable<Parameters<typeof compileFilter>[1]> {
  const { collation } = queryContext;
  return {
    expr: exprCompiler(queryContext),
    charge: chargeOf(queryContext),
    ...(collation ? { collation } : {}),
  };
}

/** The documents of a view, or none if there is no such view either. */
async function* readView(queryContext: QueryContext, name: string, filter: Doc): AsyncGenerator<readonly Doc[]> {
  const resolved = resolveView(queryContext.view, queryContext.db, name);
  if (resolved === undefined) return;
  const { on, stages, collation } = resolved;
  const inner: QueryContext = { ...queryContext, collection: on, collation, let: undefined };
  const documents = compilePipeline(stages, pipelineContext(inner))(readAll(inner, on, {}));
  const matcher = compileFilter(filter, filterOptions(queryContext));
  for await (const group of documents) yield group.filter((doc) => matcher.matches(doc));
}

async function* readAll(queryContext: QueryContext, name: string, filter: Doc): AsyncGenerator<readonly Doc[]> {
  const collection = queryContext.view.find(queryContext.db, name);
  if (collection === undefined) {
    yield* readView(queryContext, name, filter);
    return;
  }
  const matcher = compileFilter(filter, filterOptions(queryContext));
  const { collation } = queryContext;
  const plan = planFor(collection, { filter, sort: [], count: Number.POSITIVE_INFINITY, hint: undefined, collation });
  if (plan.kind === 'index') plan.use.tree.uses.count += 1;
  yield* documentsIn(
    readGroups(collection, {
      plan,
      matcher,
      filterDoc: readerOf(fieldsOfFilter(filter)),
      sortDoc: readerOf(undefined),
      sort: undefined,
      sortFields: [],
      collation,
      skip: 0,
      limit: 0,
      work: queryContext.work,
      counts: { keys: 0, documents: 0 },
      memoryBytes: queryContext.limits.commandBytes,
    }),
    readerOf(undefined),
  );
}
