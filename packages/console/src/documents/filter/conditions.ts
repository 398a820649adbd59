/** Conditions of a form, and the filter that is equivalent to them. Pure. */
import type { Field, Input } from '../../api/models.ts';
import { dateText } from '../../parts/dates.ts';

export type Filter = Readonly<Record<string, unknown>>;

/** A row of the form. The value is what the person has typed. */
export interface Condition {
  readonly path: string;
  readonly operator: OperatorName;
  readonly value: string;
}

type Cast = (text: string) => unknown;

interface Operator {
  readonly label: string;
  readonly kinds: readonly Input[] | 'all';
  readonly hasValue: boolean;
  /** The condition on a path. */
  readonly write: (value: string, cast: Cast) => unknown;
  /** The text of a condition that it has written; undefined for any other. */
  readonly read: (condition: unknown) => string | undefined;
}

const ordered: readonly Input[] = ['number', 'date', 'text', 'id'];
const texts: readonly Input[] = ['text'];

const escaped = (text: string): string => text.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&');
const unescaped = (pattern: string): string | undefined => {
  const text = pattern.replace(/\\([$()*+.?[\\\]^{|}])/g, '$1');
  return escaped(text) === pattern ? text : undefined;
};

const isObject = (value: unknown): value is Filter =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The operand of a condition with this operator alone. */
function operandOf(condition: unknown, name: string): unknown {
  return isObject(condition) && Object.keys(condition).length === 1 ? condition[name] : undefined;
}

const textOf = (value: unknown): string | undefined =>
  ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;

const comparing = (label: string, name: string, kinds: Operator['kinds'] = ordered): Operator => ({
  label,
  kinds,
  hasValue: true,
  write: (value, cast) => ({ [name]: cast(value) }),
  read: (condition) => textOf(operandOf(condition, name)),
});

function patternOf(condition: unknown): string | undefined {
  if (!isObject(condition) || condition['$options'] !== 'i') return undefined;
  const { $regex } = condition;
  return typeof $regex === 'string' && Object.keys(condition).length === 2 ? $regex : undefined;
}

const matching = (label: string, before: string, read: (pattern: string) => string | undefined): Operator => ({
  label,
  kinds: texts,
  hasValue: true,
  write: (value) => ({ $regex: before + (label === 'matches' ? value : escaped(value)), $options: 'i' }),
  read: (condition) => {
    const pattern = patternOf(condition);
    return pattern === undefined ? undefined : read(pattern);
  },
});

/** The text of several values: separated by commas, or JSON where one of them has a comma. */
export const listText = (values: readonly unknown[]): string =>
  values.some((one) => /^\[|,/.test(String(one))) ? JSON.stringify(values.map(String)) : values.join(', ');

/** The values of such a text. */
export function valuesIn(text: string): string[] {
  if (!text.startsWith('[')) return text.split(',').map((one) => one.trim());
  try {
    return (JSON.parse(text) as unknown[]).map(String);
  } catch {
    return [text];
  }
}

const operandText = (operand: unknown): string | undefined =>
  Array.isArray(operand) && operand.every((one) => textOf(one) !== undefined) ? listText(operand) : undefined;

/** The operators by name; of those that can read a condition, the first one does. */
export const operators = {
  contains: matching('contains', '', unescaped),
  starts: matching('starts with', '^', (pattern) =>
    pattern.startsWith('^') ? unescaped(pattern.slice(1)) : undefined,
  ),
  matches: matching('matches', '', (pattern) => pattern),
  is: {
    label: 'is',
    kinds: ['text', 'number', 'date', 'boolean', 'id', 'json'],
    hasValue: true,
    write: (value, cast) => cast(value),
    read: textOf,
  },
  not: comparing('is not', '$ne'),
  least: comparing('is at least', '$gte'),
  most: comparing('is at most', '$lte'),
  above: comparing('is above', '$gt'),
  below: comparing('is below', '$lt'),
  in: {
    label: 'is one of',
    kinds: ordered,
    hasValue: true,
    write: (value, cast) => ({ $in: valuesIn(value).map(cast) }),
    read: (condition) => operandText(operandOf(condition, '$in')),
  },
  empty: {
    label: 'is empty',
    kinds: 'all',
    hasValue: false,
    write: () => null,
    read: (one) => (one === null ? '' : undefined),
  },
  filled: {
    label: 'is not empty',
    kinds: 'all',
    hasValue: false,
    write: () => ({ $ne: null }),
    read: (condition) => (operandOf(condition, '$ne') === null ? '' : undefined),
  },
} as const satisfies Readonly<Record<string, Operator>>;

export type OperatorName = keyof typeof operators;

const names = Object.keys(operators) as OperatorName[];

/** The operators that compare by an order. */
const ofOrder: ReadonlySet<OperatorName> = new Set(['least', 'most', 'above', 'below']);
/** The operators that look into a text. */
const ofText: ReadonlySet<OperatorName> = new Set(['contains', 'starts', 'matches']);

/** Choices and links are what they are: they have no order, and no text that is sought. */
export const operatorsFor = (field: Field): OperatorName[] =>
  names.filter((name) => {
    const { kinds }: Operator = operators[name];
    if (field.enum !== undefined && ofText.has(name)) return false;
    if ((field.enum !== undefined || field.link !== undefined) && ofOrder.has(name)) return false;
    return kinds === 'all' || kinds.includes(field.input);
  });

/** Whether a row lacks its value. An empty text can be sought as it is, and no other empty value. */
export const isUnfinished = ({ operator, value }: Condition, field: Field | undefined): boolean =>
  operators[operator].hasValue &&
  value.trim() === '' &&
  !(field?.input === 'text' && field.enum === undefined && (operator === 'is' || operator === 'not'));

/** Reads a typed text as a value of a field; an invalid text is sent unchanged, and the server reports what is wrong. */
function castFor(field: Field | undefined): Cast {
  const kind = field === undefined ? 'text' : field.input;
  return (text) => {
    if (kind === 'number') return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
    if (kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
    return text;
  };
}

type Fields = Readonly<Record<string, Field>>;

/** The filter of conditions that all hold. */
export function filterOf(conditions: readonly Condition[], fields: Fields): Filter {
  const single = conditions.map(({ path, operator, value }) => ({
    [path]: operators[operator].write(value, castFor(fields[path])),
  }));
  const paths = conditions.map(({ path }) => path);
  return new Set(paths).size === paths.length ? (Object.assign({}, ...single) as Filter) : { $and: single };
}

/** The conditions of a filter; undefined for a filter that the form cannot show. */
export function conditionsOf(filter: Filter): Condition[] | undefined {
  const parts = Array.isArray(filter['$and']) && Object.keys(filter).length === 1 ? filter['$and'] : [filter];
  const found: Condition[] = [];
  for (const part of parts as unknown[]) {
    if (!isObject(part)) return undefined;
    for (const [path, condition] of Object.entries(part)) {
      const read = path.startsWith('$') ? undefined : conditionOf(path, condition);
      if (read === undefined) return undefined;
      found.push(read);
    }
  }
  return found;
}

function conditionOf(path: string, condition: unknown): Condition | undefined {
  for (const operator of names) {
    const value = operators[operator].read(condition);
    if (value !== undefined) return { path, operator, value };
  }
  return undefined;
}

/** A condition as a sentence, such as "Year is at least 2000". Dates and choices of yes and no are shown as tables show them. */
export function conditionText({ operator, value }: Condition, label: string, field?: Field): string {
  const { label: verb, hasValue } = operators[operator];
  if (!hasValue) return `${label} ${verb}`;
  if (value === '') return `${label} ${verb} an empty text`;
  return `${label} ${verb} ${valueText(value, field?.input)}`;
}

function valueText(value: string, input: Input | undefined): string {
  if (value.startsWith('[')) return valuesIn(value).join(', ');
  if (input === 'boolean') return value === 'true' ? 'yes' : value === 'false' ? 'no' : value;
  return input === 'date' ? value.split(', ').map(dateText).join(', ') : value;
}
