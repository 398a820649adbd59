/** Text that every match of a pattern contains. Searching for it is much faster than running the pattern. */
import type { Node } from './nodes.ts';

/** A text, and whether the pattern matches exactly the strings that contain it. */
export interface Literal {
  readonly text: string;
  /** The character of the text that fewest strings should contain: one character is found many times faster than several. */
  readonly rarest: string;
  readonly isWhole: boolean;
}

/** Maximum length of the text: that of a search by the built-in function is bounded by the product of both lengths. */
const maxLength = 32;

/**
 * The longest text, up to a limit, that is in every string that a pattern matches; undefined if there is none, or if the pattern begins at
 * the start of a string with a character, which an engine checks at once.
 */
export function literalOf(node: Node): Literal | undefined {
  const parts = partsInOrder(node);
  const [first, second] = parts;
  if (first?.type === 'assertion' && first.name === 'start' && second?.type === 'chars') return undefined;
  let longest = '';
  let run = '';
  for (const part of parts) {
    const character = characterOf(part);
    run = character === undefined ? '' : run + character;
    if (run.length > longest.length) longest = run;
  }
  if (longest === '') return undefined;
  const isWhole = longest.length <= maxLength && parts.every((part) => characterOf(part) !== undefined);
  const text = longest.slice(0, maxLength);
  return { text, rarest: rarestOf(text), isWhole };
}

/** The most frequent characters of texts, the most frequent first. */
const frequent = ' etaoinsrhldcumfpgwybvkxjqz';

/** The first of the characters of a text that are not frequent, or the least frequent one. */
function rarestOf(text: string): string {
  const rankOf = (character: string): number => {
    const rank = frequent.indexOf(character);
    return rank < 0 ? frequent.length : rank;
  };
  return [...text].reduce((rarest, character) => (rankOf(character) > rankOf(rarest) ? character : rarest));
}

/** The parts that a match has one after the other. What is in a group follows what is before it. */
function partsInOrder(node: Node): readonly Node[] {
  if (node.type === 'sequence') return node.parts.flatMap(partsInOrder);
  return node.type === 'capture' || node.type === 'atomic' ? partsInOrder(node.body) : [node];
}

/** The character that a part stands for, if it is one in one case. */
function characterOf(node: Node): string | undefined {
  if (node.type !== 'chars') return undefined;
  const { ranges, properties, negated } = node.set;
  const [[from, to] = [0, 1]] = ranges;
  const isOne = ranges.length === 1 && from === to && properties.length === 0 && !negated;
  return isOne && (!node.fold || isCaseless(from)) ? String.fromCodePoint(from) : undefined;
}

const isCaseless = (point: number): boolean => point < 128 && !/[a-z]/i.test(String.fromCodePoint(point));
