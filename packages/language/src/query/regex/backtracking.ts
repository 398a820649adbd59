/**
 * Whether a regular expression could backtrack exponentially. It errs on the safe side: a repeated group is harmless
 * only if the string itself shows where one iteration ends and which alternative it was. Characters are compared by
 * code points.
 */
import { apart, type CharSet } from './char-set.ts';
import { firstSet, setOf } from './cost.ts';
import { type Node, partsOf } from './nodes.ts';

/** From this many iterations on, a bounded repetition counts as unbounded. Nested repetitions multiply. */
const manyRepetitions = 10;
/** Maximum unbounded quantifiers in one pattern; each adds a power to the worst case. */
const maxUnbounded = 6;
/** Maximum repetitions of a part by bounded quantifiers, enclosing ones included: RE2 accepts no more. */
const maxRepeats = 1000;

export function backtracks(pattern: Node): boolean {
  let unbounded = 0;
  const isDangerous = (node: Node, repetitions: number, repeats: number): boolean => {
    if (node.type === 'reference') return true;
    if (node.type !== 'repeat') return partsOf(node).some((part) => isDangerous(part, repetitions, repeats));
    if (node.max === Infinity) unbounded += 1;
    const within = repeats * Math.max(1, node.max === Infinity ? node.min : node.max);
    const all = repetitions * Math.max(1, node.max);
    if (within > maxRepeats || (all >= manyRepetitions && !isHarmless(node.body))) return true;
    return isDangerous(node.body, all, within);
  };
  return isDangerous(pattern, 1, 1) || unbounded > maxUnbounded;
}

/** Whether the iterations of this part can be distinguished in only one way. */
function isHarmless(node: Node): boolean {
  if (node.type === 'capture' || node.type === 'atomic') return isHarmless(node.body);
  if (node.type === 'chars') return true;
  if (node.type === 'assertion' || node.type === 'look' || node.type === 'reference') return false;
  if (node.type !== 'choice') return hasOneWay(elementsOf(node));
  const options = node.options.map(elementsOf);
  if (options.some((elements) => elements.length === 0 || elements.some(isVariable))) return false;
  const firsts = options.map(([first]) => first && firstSet(first));
  return firsts.every((set, at) => firsts.slice(at + 1).every((other) => areApart(set, other)));
}

const elementsOf = (node: Node): readonly Node[] => (node.type === 'sequence' ? node.parts : [node]);

const hasOneWay = (elements: readonly Node[]): boolean =>
  elements.length > 0 && (elements.every((element) => !isVariable(element)) || hasDelimiter(elements));

/** Whether a part can match strings of different lengths. */
function isVariable(node: Node): boolean {
  if (node.type === 'repeat') return node.min !== node.max || isVariable(node.body);
  if (node.type === 'sequence' || node.type === 'capture' || node.type === 'atomic')
    return partsOf(node).some(isVariable);
  return node.type !== 'chars';
}

/** A character that occurs in every iteration and that nothing else in the iteration matches. */
const hasDelimiter = (elements: readonly Node[]): boolean =>
  elements.some((candidate, at) => {
    const mark = charactersOf(candidate);
    if (mark === undefined) return false;
    return elements.every(
      (other, place) => place === at || areApart(mark, charactersOf(other.type === 'repeat' ? other.body : other)),
    );
  });

const charactersOf = (node: Node): CharSet | undefined => (node.type === 'chars' ? setOf(node) : undefined);

const areApart = (a: CharSet | undefined, b: CharSet | undefined): boolean =>
  a !== undefined && b !== undefined && apart(a, b);
