/** The order of rows, as MongoDB sorts the values that JSON shows, where the values alone decide it. */

/** Negative, 0 or positive; undefined where only the server can say. */
export type Order = (one: object, other: object) => number | undefined;

type Key = readonly [path: string, direction: 1 | -1];

/** @param sort as `list` takes it */
export function orderOf(sort: unknown): Order {
  const keys = keysOf(sort);
  if (keys.every(([path]) => path !== '_id')) keys.push(['_id', 1]);
  return (one, other) => {
    for (const [path, direction] of keys) {
      const sign = compared(valueAt(one, path), valueAt(other, path));
      if (sign === undefined) return undefined;
      if (sign !== 0) return sign * direction;
    }
    return 0;
  };
}

function keysOf(sort: unknown): Key[] {
  if (typeof sort === 'object' && sort !== null && !Array.isArray(sort))
    return Object.entries(sort).map(([path, direction]) => [path, [-1, 'desc'].includes(direction as -1) ? -1 : 1]);
  const names = (Array.isArray(sort) ? sort : [sort ?? '']).flatMap((part) => String(part).split(','));
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => (name.startsWith('-') ? [name.slice(1), -1] : [name.replace(/^\+/, ''), 1]));
}

/** A list on the way has many values, of which it is the value. */
function valueAt(row: object, path: string): unknown {
  let value: unknown = row;
  for (const name of path.split('.')) {
    if (value === undefined || value === null || Array.isArray(value)) return value;
    if (typeof value !== 'object') return undefined;
    value = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }
  return value;
}

function compared(one: unknown, other: unknown): number | undefined {
  const [first, second] = [one ?? null, other ?? null];
  // lists sort by their least or greatest member, and nested documents by all of theirs
  if (isInner(first) || isInner(second)) return undefined;
  if (first === second) return 0;
  // a missing value is null, which is less than all values
  if (first === null || second === null) return first === null ? -1 : 1;
  if (typeof first === 'string' && typeof second === 'string') return comparedTexts(first, second);
  // text may be a date or a number of another type
  if (typeof first !== typeof second) return undefined;
  return first < second ? -1 : 1;
}

const isInner = (value: unknown): boolean => typeof value === 'object' && value !== null;

const hexId = /^[0-9a-f]{24}$/;
/** Of the years 0 to 9999, whose texts have the order of the times. */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A number that JSON cannot hold, or a time of another year. */
const number = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$|^-?Infinity$|^NaN$|^[+-]\d{6}-/i;

/** Text in the order of its code points; ids and times are in the same order. */
function comparedTexts(one: string, other: string): number | undefined {
  for (const kind of [hexId, time]) {
    if (kind.test(one) && kind.test(other)) return one < other ? -1 : 1;
    if (kind.test(one) || kind.test(other)) return undefined;
  }
  if (number.test(one) && number.test(other)) return undefined;
  const sign = byCodePoints(one, other);
  // a collation of the model may have another order
  return collators.every((collator) => Math.sign(collator.compare(one, other)) === sign) ? sign : undefined;
}

const collators = [new Intl.Collator('en', { sensitivity: 'base' }), new Intl.Collator('en', { numeric: true })];

/** JavaScript compares code units, of which characters beyond U+FFFF have two that are less than others. */
function byCodePoints(one: string, other: string): number {
  const [first, second] = [[...one], [...other]];
  for (let at = 0; at < first.length && at < second.length; at++) {
    const difference = (first[at]?.codePointAt(0) ?? 0) - (second[at]?.codePointAt(0) ?? 0);
    if (difference !== 0) return Math.sign(difference);
  }
  return Math.sign(first.length - second.length);
}
