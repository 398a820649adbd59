/** Whether a caller's right on a model covers given documents, and whether a refusal may name the model. */
import type { ModelActor } from '../../context.ts';
import type { ModelEntry } from '../../models/entry.ts';
import type { Letter } from '../../models/letters.ts';
import type { Row } from '../../models/mongoose.ts';
import { policyFor } from '../../policy/policy.ts';

export function coversAll({ principal }: ModelActor, letter: Letter, model: ModelEntry, rows: readonly Row[]): boolean {
  const policy = policyFor(principal, model);
  return policy.permits(letter) && rows.every((row) => policy.reaches(letter, row));
}

/** The name of a model for a refusal; `another model` where the caller may read none of the documents that are the reason for it. */
export function nameFor({ principal }: ModelActor, letter: Letter, model: ModelEntry, rows: readonly Row[]): string {
  const policy = policyFor(principal, model);
  const reasons = rows.filter((row) => !policy.permits(letter) || !policy.reaches(letter, row));
  return policy.permits('r') && reasons.some((row) => policy.admits('r', row)) ? model.name : 'another model';
}
