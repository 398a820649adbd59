/** The update operators of bulk writes: one row each. Whatever is not here is a 400. */

/** What stands behind a path: a plain value, a number, nothing that counts, a list to push, a value to pull, another path, or a kind of date. */
type UpdateOperand = 'value' | 'number' | 'any' | 'push' | 'pull' | 'end' | 'path' | 'date';

export interface UpdateRow {
  readonly name: string;
  readonly operand: UpdateOperand;
  /** It may touch a password-named path; only where the value is stored as it was given, hashed. */
  readonly mayTouchSecrets: boolean;
  readonly meaning: string;
}

export const updateRows: readonly UpdateRow[] = [
  { name: '$set', operand: 'value', mayTouchSecrets: true, meaning: 'sets fields' },
  {
    name: '$setOnInsert',
    operand: 'value',
    mayTouchSecrets: true,
    meaning: 'sets fields of a document that an upsert makes',
  },
  { name: '$unset', operand: 'any', mayTouchSecrets: false, meaning: 'takes fields away' },
  { name: '$inc', operand: 'number', mayTouchSecrets: false, meaning: 'adds a number' },
  { name: '$mul', operand: 'number', mayTouchSecrets: false, meaning: 'multiplies by a number' },
  { name: '$min', operand: 'value', mayTouchSecrets: false, meaning: 'sets when the value is smaller' },
  { name: '$max', operand: 'value', mayTouchSecrets: false, meaning: 'sets when the value is larger' },
  {
    name: '$push',
    operand: 'push',
    mayTouchSecrets: false,
    meaning: 'appends to a list; $each, $slice, $sort and $position are known',
  },
  {
    name: '$addToSet',
    operand: 'push',
    mayTouchSecrets: false,
    meaning: 'appends what the list does not have; $each is known',
  },
  { name: '$pull', operand: 'pull', mayTouchSecrets: false, meaning: 'takes a value, or each of $in, out of a list' },
  {
    name: '$pop',
    operand: 'end',
    mayTouchSecrets: false,
    meaning: 'takes the last (1) or first (-1) member out of a list',
  },
  { name: '$rename', operand: 'path', mayTouchSecrets: false, meaning: 'renames a field' },
  { name: '$currentDate', operand: 'date', mayTouchSecrets: false, meaning: 'sets the time of now' },
];

export const updateOperators: ReadonlyMap<string, UpdateRow> = new Map(updateRows.map((row) => [row.name, row]));
