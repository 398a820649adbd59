/** What aggregation is given of the store: reading other collections, the clock, and memory. */
import { compileExpression, Meter, type PipelineContext } from 'dossier-language/aggregate';
import { compileFilter, type Charge, type ExprCompiler } from 'dossier-language/query';
import type { Collation } from 'dossier-language/values';
import type { Doc, Value } from 'dossier-language/values';
import type { Clock } from './clock.ts';
import type { Limits } from './limits.ts';
import { planFor } from './planner.ts';
import { documentsIn, readGroups } from './read.ts';
import type { View } from './view.ts';

/** What a query or pipeline runs with. */
export interface Surroundings {
  readonly db: string;
  readonly collection: string;
  readonly view: View;
  readonly clock: Clock;
  readonly limits: Limits;
  readonly now: Date;
  readonly let: Doc | undefined;
  /** The command's own, else that of the collection. */
  readonly collation: Collation | undefined;
  /** Lets others write, when they have waited long enough; undefined where nobody else may write in between. */
  readonly pass: (() => Promise<void>) | undefined;
}

/** The context of a pipeline. */
export function pipelineContext(surroundings: Surroundings): PipelineContext {
  const { db, collection, clock, limits, now, collation } = surroundings;
  const read = (name: string, filter: Doc | undefined) => readAll(surroundings, name, filter ?? {});
  return {
    db,
    collection,
    read,
    lookupEqual: async (name: string, path: string, values: readonly Value[]) => {
      const found: Doc[] = [];
      for await (const group of read(name, { [path]: { $in: [...values] } })) found.push(...group);
      return found;
    },
    now,
    ...(collation ? { collation } : {}),
    ...(surroundings.let ? { let: surroundings.let } : {}),
    checkTime: () => clock.operation.checkTime(),
    yield: () => clock.operation.yield(),
    due: () => clock.operation.due(),
    meter: meterOf(surroundings),
    memoryLimitBytes: limits.commandBytes,
  };
}

const meterOf = ({ clock: { operation } }: Surroundings): Meter =>
  new Meter(
    () => operation.pauses,
    () => operation.checkTime(),
  );

/** Counts the work of filters, projections and updates on one document, as that of expressions is counted. */
export function chargeOf(surroundings: Surroundings): Charge {
  const meter = meterOf(surroundings);
  return (steps) => meter.charge(steps);
}

/** How `$expr` in a filter reaches aggregation; made only when a filter has one. */
export function exprCompiler(surroundings: Surroundings): ExprCompiler {
  let context: PipelineContext | undefined;
  return (expression) => {
    context ??= pipelineContext(surroundings);
    const compiled = compileExpression(expression, context);
    return (doc) => compiled(doc);
  };
}

/** Options for compiling a filter. */
export function filterOptions(surroundings: Surroundings): NonNullable<Parameters<typeof compileFilter>[1]> {
  const { collation } = surroundings;
  return {
    expr: exprCompiler(surroundings),
    charge: chargeOf(surroundings),
    ...(collation ? { collation } : {}),
  };
}

async function* readAll(surroundings: Surroundings, name: string, filter: Doc): AsyncGenerator<readonly Doc[]> {
  const collection = surroundings.view.find(surroundings.db, name);
  if (collection === undefined) return;
  const matcher = compileFilter(filter, filterOptions(surroundings));
  const { collation } = surroundings;
  const plan = planFor(collection, { filter, sort: [], count: Number.POSITIVE_INFINITY, hint: undefined, collation });
  yield* documentsIn(
    readGroups(collection, {
      plan,
      matcher,
      sort: undefined,
      sortFields: [],
      collation,
      skip: 0,
      limit: 0,
      clock: surroundings.clock,
      counts: { keys: 0, documents: 0 },
      memoryBytes: surroundings.limits.commandBytes,
    }),
  );
}
