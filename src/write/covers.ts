/** Whether a caller's right on a model holds for documents at hand. */
import { decide } from '../access/decide.ts';
import { ownerPath } from '../access/rows.ts';
import type { ModelContext } from '../context.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { Letter } from '../registry/letters.ts';
import type { Row } from '../registry/mongoose.ts';

export function covers({ principal }: ModelContext, letter: Letter, model: ModelEntry, rows: readonly Row[]): boolean {
  const grant = decide(principal, letter, model);
  if (grant === undefined) return false;
  return grant.rows === 'all' || rows.every((row) => String(row[ownerPath(model)]) === grant.owner);
}
