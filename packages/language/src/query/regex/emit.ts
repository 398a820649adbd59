/** Writes a regular expression for JavaScript's engine or for the linear one. */
import type { CharSet } from './char-set.ts';
import { type Assertion, hasPart, type Node, partsOf, type Repeat } from './nodes.ts';

/** Whether case is ignored everywhere, nowhere or in some places. */
export function foldingOf(node: Node): 'all' | 'none' | 'some' {
  const folds = new Set<boolean>();
  collectFolds(node, folds);
  if (folds.size > 1) return 'some';
  return folds.has(true) ? 'all' : 'none';
}

function collectFolds(node: Node, into: Set<boolean>): void {
  if (node.type === 'chars' && hasCase(node.set)) into.add(node.fold);
  for (const part of partsOf(node)) collectFolds(part, into);
}

/**
 * Whether ignoring case may change a set: not if it has no letters, or everything but a few characters without case.
 */
function hasCase({ ranges, properties }: CharSet): boolean {
  if (properties.length > 0) return true;
  const isCaseless = ([from, to]: readonly [number, number]): boolean =>
    to < 65 || (from > 90 && to < 97) || (from > 122 && to < 128);
  return !ranges.every((range) => isCaseless(range) || (range[0] <= 65 && range[1] === 0x10ffff));
}

/** Whether the linear engine supports it: no lookaround, no back references, no atomic groups. */
export const isRegular = (node: Node): boolean =>
  !hasPart(node, ({ type }) => type === 'look' || type === 'reference' || type === 'atomic');

interface Dialect {
  readonly assertions: Readonly<Record<Assertion, string>>;
  code(point: number): string;
  property(name: string): string;
  chars(text: string, fold: boolean): string;
  capture(index: number, body: string): string;
}

/** JavaScript with the flag `u` and without `m` and `s`. */
const native: Dialect = {
  assertions: {
    start: '^',
    end: '(?=\\n?(?![^]))',
    'very end': '(?![^])',
    'line start': '(?:^|(?<=\\n)(?=[^]))',
    'line end': '(?=\\n|(?![^]))',
    'word edge': '\\b',
    'no word edge': '\\B',
  },
  code: (point) => `\\u{${point.toString(16)}}`,
  property: (name) => `\\${name}`,
  chars: (text) => text,
  capture: (index, body) => `(?<g${index}>${body})`,
};

/** RE2. `end` also consumes a line break before it, which does not affect whether there is a match. */
const linear: Dialect = {
  assertions: {
    start: '\\A',
    end: '(?:\\n?\\z)',
    'very end': '\\z',
    'line start': '(?m:^)',
    'line end': '(?m:$)',
    'word edge': '\\b',
    'no word edge': '\\B',
  },
  code: (point) => `\\x{${point.toString(16)}}`,
  property: (name) => `\\${name.replace('Script=', '')}`,
  chars: (text, fold) => (fold ? `(?i:${text})` : text),
  capture: (_index, body) => `(?:${body})`,
};

/** The pattern for JavaScript's engine. */
export function toNative(node: Node): string {
  const referenced = new Set<number>();
  collectReferences(node, referenced);
  return new Emitter(native, referenced).write(node);
}

/** The pattern for the linear engine. */
export const toLinear = (node: Node): string => new Emitter(linear, new Set()).write(node);

function collectReferences(node: Node, into: Set<number>): void {
  if (node.type === 'reference') into.add(node.index);
  for (const part of partsOf(node)) collectReferences(part, into);
}

class Emitter {
  readonly #dialect: Dialect;
  readonly #referenced: ReadonlySet<number>;
  #atoms = 0;

  constructor(dialect: Dialect, referenced: ReadonlySet<number>) {
    this.#dialect = dialect;
    this.#referenced = referenced;
  }

  write(node: Node): string {
    switch (node.type) {
      case 'chars':
        return this.#dialect.chars(this.#set(node.set), node.fold);
      case 'sequence':
        return node.parts
          .map((part) => (part.type === 'choice' ? `(?:${this.write(part)})` : this.write(part)))
          .join('');
      case 'choice':
        return node.options.map((option) => this.write(option)).join('|');
      case 'repeat':
        return `(?:${this.write(node.body)})${quantifier(node)}`;
      case 'assertion':
        return this.#dialect.assertions[node.name];
      case 'reference':
        return `\\k<g${node.index}>`;
      case 'capture':
        return this.#referenced.has(node.index)
          ? this.#dialect.capture(node.index, this.write(node.body))
          : `(?:${this.write(node.body)})`;
      case 'look':
        return `(?${node.behind ? '<' : ''}${node.negated ? '!' : '='}${this.write(node.body)})`;
      case 'atomic':
        return this.#atomic(node.body);
    }
  }

  /** An atomic group as a lookahead with a back reference: the engine does not re-enter a lookahead. */
  #atomic(body: Node): string {
    this.#atoms += 1;
    const name = `a${this.#atoms}`;
    return `(?=(?<${name}>${this.write(body)}))\\k<${name}>`;
  }

  #set({ ranges, properties, negated }: CharSet): string {
    const [only] = ranges;
    if (!negated && only !== undefined && ranges.length === 1 && only[0] === only[1] && properties.length === 0)
      return this.#code(only[0]);
    const inside = ranges.map(([from, to]) =>
      from === to ? this.#code(from) : `${this.#code(from)}-${this.#code(to)}`,
    );
    if (inside.length + properties.length === 0) return `[^${this.#code(0)}-${this.#code(0x10ffff)}]`;
    return `[${negated ? '^' : ''}${inside.join('')}${properties.map((name) => this.#dialect.property(name)).join('')}]`;
  }

  #code(point: number): string {
    const letter = String.fromCodePoint(point);
    return /[a-zA-Z0-9 ]/.test(letter) ? letter : this.#dialect.code(point);
  }
}

function quantifier({ min, max, lazy }: Repeat): string {
  const bounds = max === Infinity ? `{${min},}` : `{${min},${max}}`;
  const short = shortQuantifiers.get(bounds) ?? bounds;
  return lazy ? `${short}?` : short;
}

const shortQuantifiers: ReadonlyMap<string, string> = new Map([
  ['{0,}', '*'],
  ['{1,}', '+'],
  ['{0,1}', '?'],
]);
