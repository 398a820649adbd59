/** The answer of a write of one document. */
import type { Row } from '../models/mongoose.ts';
import type { Policy } from '../policy/policy.ts';
import { present } from '../policy/present.ts';
import type { Shaped } from '../policy/shaped.ts';

export interface Written {
  readonly id: string;
  /** Undefined where rules keep the caller from reading the document. */
  readonly data: Shaped | undefined;
}

export const written = (policy: Policy, row: Row): Written => ({
  id: String(row['_id']),
  data: policy.showsWritten(row) ? present(policy, row) : undefined,
});
