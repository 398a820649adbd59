/** Parses character classes, `[a-z\d[:punct:]]`. */
import { type CharSet, charSet, complement, named, type Range } from './char-set.ts';
import { type Cursor, invalid } from './cursor.ts';
import { type Escaped, readEscape } from './escapes.ts';

const missingEnd = 'missing terminating ] for character class';

/** Parses a class after its opening bracket. */
export function readBrackets(cursor: Cursor): CharSet {
  const negated = cursor.skip('^');
  const ranges: Range[] = [];
  const properties: string[] = [];
  for (let first = true; first || !cursor.skip(']'); first = false) {
    const item = readItem(cursor);
    if (item === undefined) continue;
    const end = startsRange(cursor, item) ? readRangeEnd(cursor) : undefined;
    if (end === undefined) {
      ranges.push(...item.ranges);
      properties.push(...item.properties);
    } else ranges.push(rangeOf(item, end), ...end.rest);
  }
  return charSet(ranges, properties, negated);
}

/** One character or class; undefined for items without meaning, such as `\E`. */
function readItem(cursor: Cursor): Escaped | undefined {
  const posix = cursor.take(/\[:(\^?)([a-z]+):\]/y);
  if (posix !== undefined) return namedSet(posix[2] ?? '', posix[1] === '^');
  const letter = cursor.next(missingEnd);
  if (letter !== '\\') return single(letter);
  if (cursor.skip('b')) return single('\b');
  if (cursor.skip('Q') || cursor.skip('E')) return undefined;
  const octal = cursor.take(/[1-7][0-7]{0,2}/y);
  if (octal !== undefined) return single(String.fromCodePoint(Number.parseInt(octal[0], 8)));
  return readEscape(cursor.next('\\ at end of pattern'), cursor);
}

function namedSet(name: string, negated: boolean): Escaped {
  const ranges = named.get(name);
  if (ranges === undefined) throw invalid('unknown POSIX class name');
  return { ranges: negated ? complement(ranges) : ranges, properties: [] };
}

function single(letter: string): Escaped {
  const code = letter.codePointAt(0) ?? 0;
  return { ranges: [[code, code]], properties: [] };
}

const isSingle = ({ ranges, properties }: Escaped): boolean =>
  properties.length === 0 && ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];

/** A minus is a range if it stands between two characters. */
function startsRange(cursor: Cursor, item: Escaped): boolean {
  return isSingle(item) && cursor.take(/-(?!\])/y) !== undefined;
}

interface RangeEnd {
  readonly code: number | undefined;
  readonly rest: readonly Range[];
}

const minus: Range = [45, 45];

/** The end of a range; a class there, as in `[a-\d]`, makes the minus a character. */
function readRangeEnd(cursor: Cursor): RangeEnd {
  const end = readItem(cursor);
  if (end === undefined) return { code: undefined, rest: [minus] };
  if (isSingle(end)) return { code: end.ranges[0]?.[0], rest: [] };
  if (end.properties.length > 0) throw invalid('invalid range in character class');
  return { code: undefined, rest: [minus, ...end.ranges] };
}

function rangeOf(item: Escaped, { code }: RangeEnd): Range {
  const from = item.ranges[0]?.[0] ?? 0;
  const to = code ?? from;
  if (to < from) throw invalid('range out of order in character class');
  return [from, to];
}
