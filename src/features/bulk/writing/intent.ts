/** The intent of a bulk write. */
import type { ValuesIntent } from '../../../write/intents.ts';

/** A list of operations, each with a target of its own. */
export interface BulkIntent extends ValuesIntent {
  readonly input: readonly unknown[];
  /** Whether deletions are permanent. */
  readonly permanently: boolean;
}
