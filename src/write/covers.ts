/** Whether a caller's right on a model covers given documents. */
import { decide } from '../policy/decide.ts';
import { covers } from '../policy/policy.ts';
import type { ModelContext } from '../context.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { Letter } from '../registry/letters.ts';
import type { Row } from '../registry/mongoose.ts';

export function coversAll(
  { principal }: ModelContext,
  letter: Letter,
  model: ModelEntry,
  rows: readonly Row[],
): boolean {
  const grant = decide(principal, letter, model);
  return grant !== undefined && rows.every((row) => covers(grant, model, row));
}
