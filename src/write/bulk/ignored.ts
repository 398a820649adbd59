/** The immutable paths that operations of a bulk write name with other values than the documents keep. */
import { modelOf, type Row } from '../../models/mongoose.ts';
import { sessionOf } from '../commit.ts';
import { ignoredPaths, namedImmutables } from '../plan/ignored.ts';
import type { BulkActor } from './actor.ts';
import type { BulkCounts } from './result.ts';
import type { Step } from './step-types.ts';

/** Documents of one operation that are compared; those after them are not read. */
const maxCompared = 10_000;

/**
 * The paths of a command, which returns no documents, from those that it is about to change: it leaves immutable paths as they are. Nothing is
 * read for a step that names none, and no more than it takes to know that all named ones are ignored.
 */
export async function commandIgnoredPaths(actor: BulkActor, step: Step): Promise<readonly string[]> {
  const { saving, naming, many, filter } = step;
  if (saving !== undefined || naming === undefined) return [];
  const { model } = actor;
  const named = new Set(namedImmutables(model.schema, naming).map(({ path }) => path));
  const ignored = new Set<string>();
  const options = { limit: many ? maxCompared : 1, ...sessionOf(actor) };
  for await (const row of modelOf(model).collection.find<Row>(filter, options)) {
    for (const path of ignoredPaths(actor, naming, row)) ignored.add(path);
    if (ignored.size === named.size) break;
  }
  return [...ignored].sort();
}

/** Adds paths to those of an operation. */
export function noteIgnored(counts: BulkCounts, { at }: Pick<Step, 'at'>, paths: readonly string[]): void {
  if (paths.length === 0) return;
  const before = counts.ignored?.[at] ?? [];
  counts.ignored = { ...counts.ignored, [at]: [...new Set([...before, ...paths])].sort() };
}
