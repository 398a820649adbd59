/**
 * The order of values of different types (MongoDB's manual, "Comparison/Sort Order"), as brackets. A comparison such as `$gt` finds
 * values of its own bracket only.
 */

/** Brackets in ascending order, each with the types that `$type` names. `empty` is an empty list, `nan` is the least number. */
const brackets = [
  { name: 'minKey', types: ['minKey'] },
  { name: 'empty', types: [] },
  { name: 'null', types: [] },
  { name: 'nan', types: [] },
  { name: 'number', types: ['number'] },
  { name: 'text', types: ['string', 'symbol'] },
  { name: 'object', types: ['object'] },
  { name: 'binary', types: ['binData'] },
  { name: 'id', types: ['objectId'] },
  { name: 'boolean', types: ['bool'] },
  { name: 'date', types: ['date'] },
  { name: 'timestamp', types: ['timestamp'] },
  { name: 'other', types: ['regex', 'dbPointer', 'javascript', 'javascriptWithScope'] },
  { name: 'maxKey', types: ['maxKey'] },
] as const satisfies readonly { readonly name: string; readonly types: readonly string[] }[];

export type Bracket = (typeof brackets)[number]['name'];

const byType: ReadonlyMap<string, Bracket> = new Map<string, Bracket>([
  ...brackets.flatMap(({ name, types }) => types.map((type): [string, Bracket] => [type, name])),
  ...['missing', 'null'].map((type): [string, Bracket] => [type, 'null']),
  ...['int', 'long', 'double', 'decimal'].map((type): [string, Bracket] => [type, 'number']),
]);

/**
 * The bracket of a value by its type.
 * @returns undefined for types whose values the database cannot be asked to compare: lists, patterns and code
 */
export function bracketOf(type: string, isNaN: boolean): Bracket | undefined {
  const bracket = byType.get(type);
  return isNaN ? 'nan' : bracket === 'other' ? undefined : bracket;
}

/** The brackets above a bracket, or below it. */
export function bracketsBeyond(bracket: Bracket, upwards: boolean): (typeof brackets)[number][] {
  const at = brackets.findIndex(({ name }) => name === bracket);
  return upwards ? brackets.slice(at + 1) : brackets.slice(0, at);
}
