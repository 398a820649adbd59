/** Parses escape sequences, inside and outside of brackets. */
import { notSupported } from '../../errors.ts';
import { complement, lettered, type Range } from './char-set.ts';
import { type Cursor, invalid } from './cursor.ts';

/** The characters of an escape. */
export interface Escaped {
  readonly ranges: readonly Range[];
  readonly properties: readonly string[];
}

const one = (code: number): Escaped => ({ ranges: [[code, code]], properties: [] });

const controls: ReadonlyMap<string, number> = new Map([
  ['a', 7],
  ['e', 27],
  ['f', 12],
  ['n', 10],
  ['r', 13],
  ['t', 9],
]);

/** Parses an escape after its letter into characters. */
export function readEscape(letter: string, cursor: Cursor): Escaped {
  const control = controls.get(letter);
  if (control !== undefined) return one(control);
  const set = lettered.get(letter.toLowerCase());
  if (set !== undefined) return { ranges: letter === letter.toLowerCase() ? set : othersThan(set), properties: [] };
  const read = readers.get(letter);
  if (read !== undefined) return read(cursor);
  if (/[a-zA-Z]/.test(letter)) throw invalid('unrecognized character follows \\');
  return one(letter.codePointAt(0) ?? 0);
}

/** Under case folding, the long s and the Kelvin sign would count as s and k. */
const foldedToAscii: readonly Range[] = [
  [0x17f, 0x17f],
  [0x212a, 0x212a],
];

const othersThan = (set: readonly Range[]): readonly Range[] => complement([...set, ...foldedToAscii]);

type Reader = (cursor: Cursor) => Escaped;

const hexadecimal: Reader = (cursor) => {
  const braced = cursor.take(/\{([0-9a-fA-F]{1,6})\}/y);
  const digits = braced?.[1] ?? cursor.take(/[0-9a-fA-F]{0,2}/y)?.[0] ?? '';
  return codePoint(Number.parseInt(digits === '' ? '0' : digits, 16));
};

const octal: Reader = (cursor) => codePoint(Number.parseInt(cursor.take(/[0-7]{0,2}/y)?.[0] || '0', 8));

const bracedOctal: Reader = (cursor) => {
  const digits = cursor.take(/\{([0-7]{1,8})\}/y)?.[1];
  if (digits === undefined) throw invalid('missing opening brace after \\o');
  return codePoint(Number.parseInt(digits, 8));
};

const control: Reader = (cursor) => one((cursor.next('\\c at end of pattern').toUpperCase().codePointAt(0) ?? 0) ^ 64);

function codePoint(code: number): Escaped {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
    throw invalid('character code point value in \\x{} or \\o{} is too large');
  return one(code);
}

/** Parses `\p{L}`, `\pL`, `\p{^L}` and `\P{L}`. */
const property =
  (letter: 'p' | 'P'): Reader =>
  (cursor) => {
    const [, caret = '', braced, short] = cursor.take(/\{(\^?)\s*([A-Za-z_]+)\s*\}|([A-Za-z])/y) ?? [];
    const name = braced ?? short;
    if (name === undefined) throw invalid('malformed \\P or \\p sequence');
    const negated = (letter === 'P') !== (caret === '^');
    return { ranges: [], properties: [`${negated ? 'P' : 'p'}{${knownProperty(name)}}`] };
  };

/** A general category as it is, a script with its prefix. */
function knownProperty(name: string): string {
  if (name === 'Any') return 'Any';
  for (const candidate of [name, `Script=${name}`]) {
    if (isProperty(candidate)) return candidate;
  }
  throw invalid('unknown property name after \\P or \\p');
}

function isProperty(name: string): boolean {
  try {
    return new RegExp(`\\p{${name}}`, 'u').source !== '';
  } catch {
    return false;
  }
}

const refused =
  (letter: string): Reader =>
  () => {
    throw notSupported(`\\${letter} in a regular expression`);
  };

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['x', hexadecimal],
  ['0', octal],
  ['o', bracedOctal],
  ['c', control],
  ['p', property('p')],
  ['P', property('P')],
  ['X', refused('X')],
  ['C', refused('C')],
  ['K', refused('K')],
  ['G', refused('G')],
]);
