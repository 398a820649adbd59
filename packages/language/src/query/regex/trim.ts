/** Simplifies a pattern for boolean matching. */
import { hasPart, type Node } from './nodes.ts';

/**
 * Removes loops at both ends that may match the empty string: `.*word.*` matches where `word` does. A match with them
 * implies one without them.
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

/** Only loops are removed: a lookaround or an assertion is empty too and may exclude a match. */
const mayBeEmpty = (node: Node): boolean =>
  isLoop(node) && !hasPart(node, ({ type }) => type === 'look' || type === 'assertion');

const isLoop = (node: Node): boolean => node.type === 'repeat' && node.min === 0;
