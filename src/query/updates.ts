/** The update operators of bulk writes, one row each. Any other operator is a 400. */

/**
 * The operand for a path: a plain value, a number, any ignored value, a list to push, a value to pull, an end of a list, another
 * path, or a kind of date.
 */
type UpdateOperand = 'value' | 'number' | 'any' | 'push' | 'pull' | 'end' | 'path' | 'date';

export interface UpdateRow {
  readonly name: string;
  readonly operand: UpdateOperand;
  /** Whether it may write a password-named path: only operators that store the given value, which can be hashed. */
  readonly mayTouchSecrets: boolean;
  readonly meaning: string;
}

export const updateRows: readonly UpdateRow[] = [
  { name: '$set', operand: 'value', mayTouchSecrets: true, meaning: 'sets fields' },
  {
    name: '$setOnInsert',
    operand: 'value',
    mayTouchSecrets: true,
    meaning: 'sets fields of a document that an upsert creates',
  },
  { name: '$unset', operand: 'any', mayTouchSecrets: false, meaning: 'removes fields' },
  { name: '$inc', operand: 'number', mayTouchSecrets: false, meaning: 'adds a number' },
  { name: '$mul', operand: 'number', mayTouchSecrets: false, meaning: 'multiplies by a number' },
  { name: '$min', operand: 'value', mayTouchSecrets: false, meaning: 'sets when the value is smaller' },
  { name: '$max', operand: 'value', mayTouchSecrets: false, meaning: 'sets when the value is larger' },
  {
    name: '$push',
    operand: 'push',
    mayTouchSecrets: false,
    meaning: 'appends to a list; supports $each, $slice, $sort and $position',
  },
  {
    name: '$addToSet',
    operand: 'push',
    mayTouchSecrets: false,
    meaning: 'appends values that the list does not contain; supports $each',
  },
  {
    name: '$pull',
    operand: 'pull',
    mayTouchSecrets: false,
    meaning: 'removes a value, or each value of $in, from a list',
  },
  {
    name: '$pop',
    operand: 'end',
    mayTouchSecrets: false,
    meaning: 'removes the last (1) or first (-1) member of a list',
  },
  { name: '$rename', operand: 'path', mayTouchSecrets: false, meaning: 'renames a field' },
  { name: '$currentDate', operand: 'date', mayTouchSecrets: false, meaning: 'sets the current time' },
];

export const updateOperators: ReadonlyMap<string, UpdateRow> = new Map(updateRows.map((row) => [row.name, row]));

/** An update: the operands by operator and path. */
export type Update = Record<string, Record<string, unknown>>;

/** The paths that an update changes. */
export function pathsOf(update: Update): string[] {
  const paths: string[] = [];
  for (const name of Object.keys(update)) addPaths(paths, name, update[name] ?? {});
  return paths;
}

function addPaths(paths: string[], operator: string, operand: Readonly<Record<string, unknown>>): void {
  for (const path of Object.keys(operand)) paths.push(path);
  if (operator === '$rename') for (const path of Object.values(operand)) paths.push(String(path));
}

/** Operators that set values which the request has, or remove them. */
const setting: ReadonlySet<string> = new Set(['$set', '$setOnInsert', '$unset']);

/** The paths whose values an update computes from those that are stored, without that of the revision. */
export function computedPathsOf(update: Update): readonly string[] {
  const paths: string[] = [];
  for (const name of Object.keys(update)) if (!setting.has(name)) addPaths(paths, name, update[name] ?? {});
  return paths.filter((path) => path !== '__v');
}
