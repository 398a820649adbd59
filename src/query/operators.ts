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
  /** Whether it can be used in `filter[...]` of a URL. */
  readonly inUrl: boolean;
  readonly meaning: string;
}

export const operatorRows: readonly OperatorRow[] = [
  { name: '$eq', operand: 'value', inUrl: true, meaning: 'equal' },
  { name: '$ne', operand: 'value', inUrl: true, meaning: 'not equal' },
  { name: '$gt', operand: 'value', inUrl: true, meaning: 'greater than' },
  { name: '$gte', operand: 'value', inUrl: true, meaning: 'greater than or equal' },
  { name: '$lt', operand: 'value', inUrl: true, meaning: 'less than' },
  { name: '$lte', operand: 'value', inUrl: true, meaning: 'less than or equal' },
  { name: '$in', operand: 'list', inUrl: true, meaning: 'one of a list' },
  { name: '$nin', operand: 'list', inUrl: true, meaning: 'none of a list' },
  { name: '$all', operand: 'list', inUrl: true, meaning: 'a list with all of these' },
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

export const operators: ReadonlyMap<string, OperatorRow> = new Map(operatorRows.map((row) => [row.name, row]));
