/** Estimates the steps of a backtracking engine by the length of the string. */
import { apart, type CharSet, withBothCases } from './char-set.ts';
import { type Node, partsOf } from './nodes.ts';

/** At most `ways * length ** degree` ways to match at one position. */
interface Cost {
  readonly ways: number;
  readonly degree: number;
  /** Whether one way may traverse the whole string. */
  readonly long: boolean;
}

const one: Cost = { ways: 1, degree: 0, long: false };

/** The cost of one part, whatever follows it. */
function costOf(node: Node): Cost {
  switch (node.type) {
    case 'sequence':
      return sequenceCost(node.parts);
    case 'choice':
      return node.options.map(costOf).reduce(either);
    case 'repeat':
      return repeatCost(node);
    default:
      return partsOf(node).map(costOf).reduce(both, one);
  }
}

const both = (a: Cost, b: Cost): Cost => ({
  ways: a.ways * b.ways,
  degree: a.degree + b.degree,
  long: a.long || b.long,
});

const either = (a: Cost, b: Cost): Cost => ({
  ways: a.ways + b.ways,
  degree: Math.max(a.degree, b.degree),
  long: a.long || b.long,
});

/** In a sequence, a loop whose characters cannot start what follows has only one way: it is greedy. */
function sequenceCost(parts: readonly Node[]): Cost {
  return parts
    .map((part, at) =>
      part.type === 'repeat' && stopsAt(part.body, parts[at + 1]) ? { ...one, long: true } : costOf(part),
    )
    .reduce(both, one);
}

function stopsAt(body: Node, next: Node | undefined): boolean {
  const inside = body.type === 'chars' ? setOf(body) : undefined;
  const outside = next && firstSet(next);
  return inside !== undefined && outside !== undefined && apart(inside, outside);
}

/** The characters with which a part can start; undefined if it may be empty or they are unknown. */
export function firstSet(node: Node): CharSet | undefined {
  if (node.type === 'chars') return setOf(node);
  if (node.type === 'repeat' && node.min > 0) return firstSet(node.body);
  if (node.type === 'capture' || node.type === 'atomic') return firstSet(node.body);
  return node.type === 'sequence' && node.parts[0] !== undefined ? firstSet(node.parts[0]) : undefined;
}

export const setOf = ({ set, fold }: Node & { readonly type: 'chars' }): CharSet | undefined =>
  fold ? withBothCases(set) : set;

/** A loop over single characters has one way per length; one over anything else multiplies the ways inside. */
function repeatCost({ body, min, max }: Node & { readonly type: 'repeat' }): Cost {
  const inner = costOf(body);
  if (max === Infinity) {
    return body.type === 'chars' ? { ways: 1, degree: 1, long: true } : { ways: Infinity, degree: 1, long: true };
  }
  const lengths = max - min + 1;
  return { ways: lengths * inner.ways ** max, degree: inner.degree * max, long: inner.long };
}

/** The number of parts, which bounds the work between two choices. */
export function sizeOf(node: Node): number {
  const repeated = node.type === 'repeat' ? Math.max(1, node.min) : 1;
  return 1 + repeated * partsOf(node).reduce((sum, part) => sum + sizeOf(part), 0);
}

/** Whether a match can only start at the start of the string. */
function isAnchored(node: Node): boolean {
  if (node.type === 'assertion') return node.name === 'start';
  if (node.type === 'choice') return node.options.every(isAnchored);
  if (node.type === 'capture' || node.type === 'atomic') return isAnchored(node.body);
  return node.type === 'sequence' && node.parts[0] !== undefined && isAnchored(node.parts[0]);
}

/** Maximum steps of searching a string for a match. */
export function stepsFor(node: Node): (length: number) => number {
  const { ways, degree, long } = costOf(node);
  const size = sizeOf(node);
  const anchored = isAnchored(node);
  return (given) => {
    const length = given + 1;
    const perStart = Math.max(ways * length ** degree, long ? length : 1) * size;
    return anchored ? perStart + length : perStart * length;
  };
}
