/** The values of an operation that may be links. */
import type { Row } from '../../../models/mongoose.ts';
import { linkedIn } from '../../../write/rules/linked-in.ts';
import type { BulkOperation } from './kinds.ts';
import { seedOf } from './upsert.ts';

/** Objects of values by path; a member that is added to a list counts as the list. */
export function linkedValues(operation: BulkOperation): readonly Row[] {
  if (operation.kind === 'insert') return [operation.document];
  if (operation.kind === 'delete') return [];
  const seeds = operation.upsert ? [seedOf(operation.filter)] : [];
  if (operation.kind === 'replace') return [operation.replacement, ...seeds];
  return [...linkedIn(operation.update), ...seeds];
}
