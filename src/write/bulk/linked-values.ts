/** The values of an operation that may be links. */
import type { Row } from '../../models/mongoose.ts';
import type { BulkOperation } from './operations.ts';
import type { Update } from './update.ts';
import { seedOf } from './upsert.ts';

/** Update operators that do not store their operands. */
const storeNothing: ReadonlySet<string> = new Set(['$unset', '$pull', '$pullAll', '$pop', '$rename']);

/** Objects of values by path; a member that is added to a list counts as the list. */
export function linkedValues(operation: BulkOperation): readonly Row[] {
  if (operation.kind === 'insert') return [operation.document];
  if (operation.kind === 'delete') return [];
  const seeds = operation.upsert ? [seedOf(operation.filter)] : [];
  if (operation.kind === 'replace') return [operation.replacement, ...seeds];
  return [...linkedIn(operation.update), ...seeds];
}

/** The same of update operators. */
export const linkedIn = (update: Update): readonly Row[] =>
  Object.entries(update)
    .filter(([name]) => !storeNothing.has(name))
    .map(([, operand]) => withMembers(operand));

const withMembers = (operand: Row): Row =>
  Object.fromEntries(Object.entries(operand).map(([path, value]) => [path, membersOf(value)]));

const membersOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$each' in value ? value.$each : value;
