/** Bulk writes: a body of operations is read, and run. */
import type { ModelActor } from '../../context.ts';
import { type BulkIntent, withBulkTime } from '../../write/bulk/actor.ts';
import type { BulkCounts } from '../../write/bulk/result.ts';
import { runOperations } from '../../write/bulk/run.ts';
import { readOperations } from './read-operations.ts';

/** @throws 400, 403 before anything is written; later faults name the operation and carry the counts so far */
export async function bulkWrite(caller: ModelActor, intent: BulkIntent): Promise<BulkCounts> {
  const actor = withBulkTime(caller, intent);
  return runOperations(actor, await readOperations(actor));
}
