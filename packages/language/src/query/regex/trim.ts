/** What of a regular expression can be left out when only the existence of a match is asked for. */
import { hasPart, type Node } from './nodes.ts';

/**
 * Leaves out what may be empty at both ends: `.*word.*` finds what `word` finds. A match with it implies one without,
 * which begins later or ends sooner.
 */
export function trimmed(node: Node): Node {
  if (hasPart(node, ({ type }) => type === 'reference')) return node;
  return trimEnds(node);
}

function trimEnds(node: Node): Node {
  if (node.type === 'choice') return { ...node, options: node.options.map(trimEnds) };
  if (node.type !== 'sequence') return node;
  const first = node.parts.findIndex((part) => !mayBeEmpty(part));
  if (first < 0) return node.parts.every(isLoop) ? { type: 'sequence', parts: [] } : node;
  const last = node.parts.findLastIndex((part) => !mayBeEmpty(part));
  return { ...node, parts: node.parts.slice(first, last + 1) };
}

/** Only loops count, as a look around or an assertion may be empty and yet exclude a match. */
const mayBeEmpty = (node: Node): boolean =>
  isLoop(node) && !hasPart(node, ({ type }) => type === 'look' || type === 'assertion');

const isLoop = (node: Node): boolean => node.type === 'repeat' && node.min === 0;
