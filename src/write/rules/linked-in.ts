/** The values of update operators that may be links. */
import type { Row } from '../../models/mongoose.ts';

/** Update operators that do not store their operands. */
const storeNothing: ReadonlySet<string> = new Set(['$unset', '$pull', '$pullAll', '$pop', '$rename']);

/**
 * @param update the operands by operator and path
 * @returns objects of values by path; a member that is added to a list counts as the list
 */
export const linkedIn = (update: Readonly<Record<string, Row>>): readonly Row[] =>
  Object.entries(update)
    .filter(([name]) => !storeNothing.has(name))
    .map(([, operand]) => withMembers(operand));

const withMembers = (operand: Row): Row =>
  Object.fromEntries(Object.entries(operand).map(([path, value]) => [path, membersOf(value)]));

const membersOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$each' in value ? value.$each : value;
