/** Parses regular expressions in PCRE's syntax. */
import { notSupported } from '../../errors.ts';
import { readBrackets } from './brackets.ts';
import { type CharSet, charSet, everything, notLineBreak } from './char-set.ts';
import { Cursor, invalid } from './cursor.ts';
import { readEscape } from './escapes.ts';
import { type Assertion, hasPart, type Node } from './nodes.ts';

/** The flags of a pattern. */
export interface Flags {
  /** Ignores case. */
  readonly i: boolean;
  /** `^` and `$` also match at line breaks. */
  readonly m: boolean;
  /** `.` also matches line breaks. */
  readonly s: boolean;
  /** Ignores white space and comments. */
  readonly x: boolean;
}

const maxDepth = 200;
const maxRepeat = 65_535;

/** Parses a pattern. @throws StoreError 51091 if it is invalid, 115 if it is unsupported */
export function parsePattern(pattern: string, flags: Flags): Node {
  const reader = new PatternReader(pattern);
  const node = reader.choice(flags, 0);
  if (!reader.cursor.done) throw invalid('unmatched closing parenthesis');
  checkReferences(node, reader.groups);
  return node;
}

function checkReferences(node: Node, groups: number): void {
  if (hasPart(node, (part) => part.type === 'reference' && part.index > groups)) {
    throw invalid('reference to non-existent subpattern');
  }
}

const assertion = (name: Assertion): Node => ({ type: 'assertion', name });
const empty: Node = { type: 'sequence', parts: [] };

/** The assertions of escape letters. */
const escapedAssertions: ReadonlyMap<string, Assertion> = new Map([
  ['A', 'start'],
  ['Z', 'end'],
  ['z', 'very end'],
  ['b', 'word edge'],
  ['B', 'no word edge'],
]);

class PatternReader {
  readonly cursor: Cursor;
  groups = 0;
  readonly #names = new Map<string, number>();

  constructor(pattern: string) {
    this.cursor = new Cursor(pattern);
  }

  /**
   * Parses alternatives up to a closing parenthesis or the end. A flag set in one alternative applies to the following
   * ones.
   */
  choice(flags: Flags, depth: number): Node {
    if (depth > maxDepth) throw invalid('parentheses are too deeply nested');
    let current = flags;
    const options: Node[] = [];
    do {
      const parts: Node[] = [];
      while (!this.cursor.done && this.cursor.peek !== '|' && this.cursor.peek !== ')') {
        const changed = this.#flagsHere(current);
        if (changed !== undefined) current = changed;
        else if (!this.#nothing(current)) this.#item(parts, current, depth);
      }
      options.push(parts.length === 1 ? (parts[0] ?? empty) : { type: 'sequence', parts });
    } while (this.cursor.skip('|'));
    return options.length === 1 ? (options[0] ?? empty) : { type: 'choice', options };
  }

  /** Parses `(?i)` and the like, which apply to the rest of the group. */
  #flagsHere(flags: Flags): Flags | undefined {
    const found = this.cursor.take(/\(\?([imsx]*)(?:-([imsx]+))?\)/y);
    return found && withFlags(flags, found[1], found[2]);
  }

  /** Skips what has no meaning: comments, `\E`, and ignored white space. */
  #nothing({ x }: Flags): boolean {
    if (this.cursor.take(/\(\?#[^)]*\)|\\E/y) !== undefined) return true;
    return x && this.cursor.take(/\s+|#[^\n]*(?:\n|$)/y) !== undefined;
  }

  #item(parts: Node[], flags: Flags, depth: number): void {
    const quoted = this.cursor.take(/\\Q(.*?)(?:\\E|$)/sy);
    if (quoted === undefined) parts.push(this.#atom(flags, depth));
    else parts.push(...[...(quoted[1] ?? '')].map((letter) => literal(letter, flags)));
    this.#repeats(parts, flags);
  }

  #repeats(parts: Node[], flags: Flags): void {
    while (this.#nothing(flags));
    const repeat = this.cursor.take(/(?:([*+?])|\{(\d+)(?:(,)(\d*))?\})([?+]?)/y);
    if (repeat === undefined) return;
    const body = parts.pop();
    if (body === undefined) throw invalid('quantifier does not follow a repeatable item');
    const [min, max] = boundsOf(repeat);
    const node: Node = { type: 'repeat', body, min, max, lazy: repeat[5] === '?' };
    parts.push(repeat[5] === '+' ? { type: 'atomic', body: node } : node);
    this.#repeats(parts, flags);
  }

  #atom(flags: Flags, depth: number): Node {
    if (this.cursor.peek === '(') return this.#group(flags, depth);
    const letter = this.cursor.next('pattern ends');
    switch (letter) {
      case '[':
        return chars(readBrackets(this.cursor), flags);
      case '\\':
        return this.#escape(flags);
      case '.':
        return chars(flags.s ? everything : notLineBreak, { ...flags, i: false });
      case '^':
        return assertion(flags.m ? 'line start' : 'start');
      case '$':
        return assertion(flags.m ? 'line end' : 'end');
      case '*':
      case '+':
      case '?':
        throw invalid('quantifier does not follow a repeatable item');
      default:
        return literal(letter, flags);
    }
  }

  #escape(flags: Flags): Node {
    const reference = this.#reference();
    if (reference !== undefined) return { type: 'reference', index: reference };
    const letter = this.cursor.next('\\ at end of pattern');
    const place = escapedAssertions.get(letter);
    if (place !== undefined) return assertion(place);
    if (letter === 'N') return chars(notLineBreak, { ...flags, i: false });
    if (letter === 'R') return lineBreak;
    const { ranges, properties } = readEscape(letter, this.cursor);
    return chars(charSet(ranges, properties), flags);
  }

  /** The number of the group that `\1`, `\g{-1}` or `\k<name>` refers to. */
  #reference(): number | undefined {
    const numbered = this.cursor.take(/([1-9]\d?)|g\{?(-?\d{1,3})\}?/y);
    if (numbered !== undefined) {
      const index = Number(numbered[1] ?? numbered[2]);
      return index < 0 ? this.groups + 1 + index : index;
    }
    const [, name] = this.cursor.take(/k(?:<|'|\{)(\w+)(?:>|'|\})/y) ?? [];
    return name === undefined ? undefined : this.#groupOf(name);
  }

  #groupOf(name: string): number {
    const index = this.#names.get(name);
    if (index === undefined) throw invalid('reference to non-existent subpattern');
    return index;
  }

  #group(flags: Flags, depth: number): Node {
    const byName = this.cursor.take(/\(\?P=(\w+)\)/y);
    if (byName !== undefined) return { type: 'reference', index: this.#groupOf(byName[1] ?? '') };
    const make = this.#opening(flags);
    const body = this.choice(make.flags, depth + 1);
    if (!this.cursor.skip(')')) throw invalid('missing closing parenthesis');
    return make.node(body);
  }

  #opening(flags: Flags): Opening {
    for (const [text, node] of openings) if (this.cursor.skip(text)) return { flags, node };
    const inline = this.cursor.take(/\(\?([imsx]*)(?:-([imsx]+))?:/y);
    if (inline !== undefined) return { flags: withFlags(flags, inline[1], inline[2]), node: (body) => body };
    const named = this.cursor.take(/\(\?P?(?:<(\w+)>|'(\w+)')/y);
    if (named === undefined) this.cursor.take(/\(/y);
    if (this.cursor.peek === '?' || this.cursor.peek === '*') {
      throw notSupported(`the group '(${this.cursor.peek}…' in a regular expression`);
    }
    this.groups += 1;
    const index = this.groups;
    const name = named?.[1] ?? named?.[2];
    if (name !== undefined) this.#names.set(name, index);
    return { flags, node: (body) => ({ type: 'capture', index, body }) };
  }
}

interface Opening {
  readonly flags: Flags;
  readonly node: (body: Node) => Node;
}

const look =
  (behind: boolean, negated: boolean) =>
  (body: Node): Node => ({ type: 'look', behind, negated, body });

const openings: readonly (readonly [text: string, node: (body: Node) => Node])[] = [
  ['(?:', (body) => body],
  ['(?=', look(false, false)],
  ['(?!', look(false, true)],
  ['(?<=', look(true, false)],
  ['(?<!', look(true, true)],
  ['(?>', (body) => ({ type: 'atomic', body })],
];

const chars = (set: CharSet, { i }: Flags): Node => ({ type: 'chars', set, fold: i });

function literal(letter: string, flags: Flags): Node {
  const code = letter.codePointAt(0) ?? 0;
  return chars(charSet([[code, code]]), flags);
}

const lineBreakFlags: Flags = { i: false, m: false, s: false, x: false };

const lineBreak: Node = {
  type: 'atomic',
  body: {
    type: 'choice',
    options: [
      { type: 'sequence', parts: [literal('\r', lineBreakFlags), literal('\n', lineBreakFlags)] },
      chars(
        charSet([
          [10, 13],
          [0x85, 0x85],
          [0x2028, 0x2029],
        ]),
        lineBreakFlags,
      ),
    ],
  },
};

function withFlags(flags: Flags, on = '', off = ''): Flags {
  const flag = (name: keyof Flags): boolean => !off.includes(name) && (on.includes(name) || flags[name]);
  return { i: flag('i'), m: flag('m'), s: flag('s'), x: flag('x') };
}

const signs: ReadonlyMap<string, readonly [number, number]> = new Map([
  ['*', [0, Infinity]],
  ['+', [1, Infinity]],
  ['?', [0, 1]],
]);

function boundsOf([, sign = '', least = '0', comma, most]: RegExpExecArray): readonly [number, number] {
  const known = signs.get(sign);
  if (known !== undefined) return known;
  const min = Number(least);
  const max = comma === undefined ? min : most === undefined || most === '' ? Infinity : Number(most);
  if (min > maxRepeat || (max > maxRepeat && max !== Infinity)) throw invalid('number too big in {} quantifier');
  if (max < min) throw invalid('numbers out of order in {} quantifier');
  return [min, max];
}
