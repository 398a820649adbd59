/** Whether a caller's right on a model covers given documents. */
import type { ModelActor } from '../../context.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Letter } from '../../models/letters.ts';
import type { Row } from '../../models/mongoose.ts';
import { policyFor } from '../../policy/policy.ts';

export function coversAll({ principal }: ModelActor, letter: Letter, model: ModelEntry, rows: readonly Row[]): boolean {
  const policy = policyFor(principal, model);
  return policy.permits(letter) && rows.every((row) => policy.reaches(letter, row));
}
