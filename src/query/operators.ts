/** The filter operators, one row each. Any other operator is a 400, for all callers and at every depth. */

/**
 * The operand of an operator: a value of the field's type, a list of such values, a boolean, a size, a pattern, a condition or
 * filters.
 */
type Operand =
  | 'value'
  | 'list'
  | 'switch'
  | 'size'
  | 'pattern'
  | 'options'
  | 'condition'
  | 'element'
  | 'filters'
  | 'modulo'
  | 'type';

export interface OperatorRow {
  readonly name: string;
  readonly operand: Operand;
  /** Whether it compares with certain values, which are those of the schema's `enum`, if it has one. */
  readonly isExact?: true;
  /** Whether it can be used in `filter[...]` of a URL. */
  readonly inUrl: boolean;
  readonly meaning: string;
}

const isLogical = ({ operand }: OperatorRow): boolean => operand === 'filters';

export const operatorRows: readonly OperatorRow[] = [
  { name: '$eq', operand: 'value', isExact: true, inUrl: true, meaning: 'equal' },
  { name: '$ne', operand: 'value', isExact: true, inUrl: true, meaning: 'not equal' },
  { name: '$gt', operand: 'value', inUrl: true, meaning: 'greater than' },
  { name: '$gte', operand: 'value', inUrl: true, meaning: 'greater than or equal' },
  { name: '$lt', operand: 'value', inUrl: true, meaning: 'less than' },
  { name: '$lte', operand: 'value', inUrl: true, meaning: 'less than or equal' },
  { name: '$in', operand: 'list', isExact: true, inUrl: true, meaning: 'one of a list' },
  { name: '$nin', operand: 'list', isExact: true, inUrl: true, meaning: 'none of a list' },
  { name: '$all', operand: 'list', isExact: true, inUrl: true, meaning: 'a list with all of these' },
  { name: '$exists', operand: 'switch', inUrl: true, meaning: 'the field exists, or not' },
  { name: '$size', operand: 'size', inUrl: true, meaning: 'a list of this length' },
  { name: '$regex', operand: 'pattern', inUrl: true, meaning: 'matches a regular expression' },
  { name: '$options', operand: 'options', inUrl: false, meaning: 'flags of $regex: i, m, s, x' },
  { name: '$not', operand: 'condition', inUrl: false, meaning: 'the condition is not met' },
  { name: '$elemMatch', operand: 'element', inUrl: false, meaning: 'one member of the list matches' },
  { name: '$mod', operand: 'modulo', inUrl: false, meaning: 'remainder of a division' },
  { name: '$type', operand: 'type', inUrl: false, meaning: 'the BSON type of the value' },
  { name: '$and', operand: 'filters', inUrl: true, meaning: 'all of these filters' },
  { name: '$or', operand: 'filters', inUrl: true, meaning: 'one of these filters' },
  { name: '$nor', operand: 'filters', inUrl: true, meaning: 'none of these filters' },
];

/** The names of operators whose operand is a list of filters. */
export const logicalNames: readonly string[] = operatorRows.filter(isLogical).map(({ name }) => name);
/** The names of operators on a field. */
export const conditionNames: readonly string[] = operatorRows.filter((row) => !isLogical(row)).map(({ name }) => name);
/** Those that `filter[...]` of a URL takes. */
export const urlConditionNames: readonly string[] = operatorRows
  .filter((row) => row.inUrl && !isLogical(row))
  .map(({ name }) => name);

export const operators: ReadonlyMap<string, OperatorRow> = new Map(operatorRows.map((row) => [row.name, row]));
