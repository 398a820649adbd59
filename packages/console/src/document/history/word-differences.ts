/** The words that differ between two texts. Pure. */
import { longestCommon, type Pair } from './longest-common.ts';

/** A part of both texts, or of one. */
export interface Piece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** Characters of texts whose words are compared; of longer ones, the lines are. */
const maxCharacters = 20_000;

const words = new Intl.Segmenter(undefined, { granularity: 'word' });
const wordsOf = (text: string): string[] =>
  text.length > maxCharacters ? [] : [...words.segment(text)].map(({ segment }) => segment);
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** The pieces of two texts: what was removed stands before what replaces it. Texts that are too long to be compared are removed and added as a whole. */
export function wordDifferences(from: string, to: string): readonly Piece[] {
  const isLong = Math.max(from.length, to.length) > maxCharacters;
  return (
    (isLong ? undefined : differencesOf(wordsOf(from), wordsOf(to))) ??
    differencesOf(linesOf(from), linesOf(to)) ??
    differencesOf([from], [to]) ??
    []
  );
}

function differencesOf(from: readonly string[], to: readonly string[]): readonly Piece[] | undefined {
  const pairs = longestCommon(from, to);
  if (pairs === undefined) return undefined;
  const pieces: Piece[] = [];
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...withoutGaps(pairs, from), [from.length, to.length] as const]) {
    add(pieces, 'removed', from.slice(a, nextA).join(''));
    add(pieces, 'added', to.slice(b, nextB).join(''));
    add(pieces, 'same', from[nextA] ?? '');
    [a, b] = [nextA + 1, nextB + 1];
  }
  return pieces;
}

function add(pieces: Piece[], kind: Piece['kind'], text: string): void {
  if (text === '') return;
  const last = pieces.at(-1);
  if (last?.kind === kind) pieces[pieces.length - 1] = { kind, text: last.text + text };
  else pieces.push({ kind, text });
}

/** Without spaces that both texts have between words which differ: several such words are one piece. */
const withoutGaps = (pairs: readonly Pair[], from: readonly string[]): readonly Pair[] =>
  pairs.filter(([a, b], at) => {
    if ((from[a] ?? '').trim() !== '') return true;
    const [before, after] = [pairs[at - 1], pairs[at + 1]];
    const follows = before === undefined ? a === 0 && b === 0 : before[0] === a - 1 && before[1] === b - 1;
    const precedes = after === undefined ? false : after[0] === a + 1 && after[1] === b + 1;
    return follows || precedes;
  });

/** Characters of an unchanged piece that are shown beside a change. */
const context = 40;

/** Pieces with long unchanged ones cut to what is beside the changes. */
export const shortened = (pieces: readonly Piece[]): readonly Piece[] =>
  pieces.map(({ kind, text }, at) => {
    const start = at === 0 ? 0 : context;
    const end = at === pieces.length - 1 ? 0 : context;
    if (kind !== 'same' || text.length <= start + end + 1) return { kind, text };
    return { kind, text: `${text.slice(0, start)}…${end === 0 ? '' : text.slice(-end)}` };
  });
