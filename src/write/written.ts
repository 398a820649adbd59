/** The answer of a write of one document. */
import { turnForLarge } from '../async/yield.ts';
import type { Row } from '../models/mongoose.ts';
import type { Policy } from '../policy/policy.ts';
import { present } from '../policy/present.ts';
import type { Shaped } from '../policy/shaped.ts';
import { isLarge } from './rules/size.ts';

export interface Written {
  readonly id: string;
  /** Undefined where the caller may not read the document. */
  readonly data: Shaped | undefined;
  /** Immutable paths that the change names with other values, and that stay as they are. */
  readonly ignored?: readonly string[];
}

/** A turn before a large document is presented: those that share a command are stored at once. */
export const turnBeforePresenting = (row: Row): Promise<void> | undefined => turnForLarge(isLarge(row));

export const written = (policy: Policy, row: Row): Written => ({
  id: String(row['_id']),
  data: policy.admits('r', row) ? present(policy, row) : undefined,
});
