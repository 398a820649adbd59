/** The answer of a write of one document. */
import type { Row } from '../models/mongoose.ts';
import type { Policy } from '../policy/policy.ts';
import { present } from '../policy/present.ts';
import type { Shaped } from '../policy/shaped.ts';

export interface Written {
  readonly id: string;
  readonly data: Shaped;
}

export const written = (policy: Policy, row: Row): Written => ({ id: String(row['_id']), data: present(policy, row) });
