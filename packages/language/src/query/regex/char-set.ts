/** Character sets: ranges of code points and Unicode properties. */
import { casePairs } from './case.ts';

/** An inclusive range of code points. */
export type Range = readonly [from: number, to: number];

export interface CharSet {
  /** Sorted and disjoint. */
  readonly ranges: readonly Range[];
  /** Properties such as `p{L}` or `P{Greek}`. */
  readonly properties: readonly string[];
  /** Whether the set is negated. It is not resolved, because case folding comes first. */
  readonly negated: boolean;
}

const last = 0x10ffff;

/** Creates a set of ranges and properties, or its negation. */
export function charSet(ranges: readonly Range[], properties: readonly string[] = [], negated = false): CharSet {
  return { ranges: merge(ranges), properties, negated };
}

function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of ranges.toSorted((a, b) => a[0] - b[0])) {
    const before = merged.at(-1);
    if (before !== undefined && range[0] <= before[1] + 1) {
      merged[merged.length - 1] = [before[0], Math.max(before[1], range[1])];
    } else merged.push(range);
  }
  return merged;
}

/** The complement of ranges. */
export function complement(ranges: readonly Range[]): readonly Range[] {
  const gaps: Range[] = [];
  let from = 0;
  for (const range of merge(ranges)) {
    if (range[0] > from) gaps.push([from, range[0] - 1]);
    from = range[1] + 1;
  }
  if (from <= last) gaps.push([from, last]);
  return gaps;
}

/** Whether two sets certainly have no character in common. */
export function apart(a: CharSet, b: CharSet): boolean {
  if (a.properties.length > 0) return b.properties.length === 0 && apartFromProperties(b, a);
  if (b.properties.length > 0) return apartFromProperties(a, b);
  const others = membersOf(b);
  return !membersOf(a).some(([from, to]) => others.some((other) => from <= other[1] && other[0] <= to));
}

/** Maximum characters that are tested against properties one by one. */
const maxCompared = 1000;

function apartFromProperties(plain: CharSet, { ranges, properties, negated }: CharSet): boolean {
  const members = membersOf(plain);
  if (members.reduce((sum, [from, to]) => sum + to - from + 1, 0) > maxCompared) return false;
  const has = new RegExp(properties.map((property) => `\\${property}`).join('|'), 'u');
  return members.every(([from, to]) => {
    for (let code = from; code <= to; code++) {
      const isListed = ranges.some(([first, end]) => first <= code && code <= end);
      if ((isListed || has.test(String.fromCodePoint(code))) !== negated) return false;
    }
    return true;
  });
}

const membersOf = ({ ranges, negated }: CharSet): readonly Range[] => (negated ? complement(ranges) : ranges);

/**
 * A set with the case variants of its letters, so that `apart` compares case-insensitively; undefined for properties.
 */
export function withBothCases({ ranges, properties, negated }: CharSet): CharSet | undefined {
  if (properties.length > 0) return undefined;
  const variants = casePairs()
    .filter(([code]) => ranges.some(([from, to]) => from <= code && code <= to))
    .map(([, other]): Range => [other, other]);
  return charSet([...ranges, ...variants], [], negated);
}

const digits: readonly Range[] = [[48, 57]];
const upper: readonly Range[] = [[65, 90]];
const lower: readonly Range[] = [[97, 122]];
const letters = [...upper, ...lower];
const spaces: readonly Range[] = [
  [9, 13],
  [32, 32],
];
const horizontal: readonly Range[] = [
  [9, 9],
  [32, 32],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x180e, 0x180e],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];
const vertical: readonly Range[] = [
  [10, 13],
  [0x85, 0x85],
  [0x2028, 0x2029],
];
const printable: readonly Range[] = [[33, 126]];

/** The sets of class escapes; the capital letter negates the set. */
export const lettered: ReadonlyMap<string, readonly Range[]> = new Map([
  ['d', digits],
  ['w', [...digits, ...letters, [95, 95]]],
  ['s', spaces],
  ['h', horizontal],
  ['v', vertical],
]);

/** The POSIX classes, `[[:alpha:]]`. */
export const named: ReadonlyMap<string, readonly Range[]> = new Map<string, readonly Range[]>([
  ['alnum', [...digits, ...letters]],
  ['alpha', letters],
  ['ascii', [[0, 127]]],
  [
    'blank',
    [
      [9, 9],
      [32, 32],
    ],
  ],
  [
    'cntrl',
    [
      [0, 31],
      [127, 127],
    ],
  ],
  ['digit', digits],
  ['graph', printable],
  ['lower', lower],
  ['print', [[32, 126]]],
  [
    'punct',
    [
      [33, 47],
      [58, 64],
      [91, 96],
      [123, 126],
    ],
  ],
  ['space', spaces],
  ['upper', upper],
  ['word', [...digits, ...letters, [95, 95]]],
  ['xdigit', [...digits, [65, 70], [97, 102]]],
]);

/** Everything but line breaks. */
export const notLineBreak = charSet([[10, 10]], [], true);

/** Everything. */
export const everything = charSet([[0, last]]);
