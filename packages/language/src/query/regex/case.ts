/** Case variants of code points, as case-insensitive regular expressions compare them. */

/** No code point beyond this one has case variants. */
const lastCased = 0x1e943;
const firstSurrogate = 0xd800;
const afterSurrogates = 0xe000;

const range = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from }, (_, at) => from + at));

/** All characters with case variants. One search in a long text is faster than a search for each character. */
const casedCharacters = (): readonly string[] =>
  [range(0, firstSurrogate), range(afterSurrogates, 0x10000), range(0x10000, lastCased + 1)].flatMap(
    (text) => text.match(/\p{Changes_When_Casemapped}/gu) ?? [],
  );

/** A code point and a case variant of it. Two variants of each other share a third one, or are a pair. */
type CasePair = readonly [code: number, other: number];

let pairs: readonly CasePair[] | undefined;

/** All pairs. Finding them takes tens of milliseconds, which a start without a case-insensitive pattern does not spend. */
export const casePairs = (): readonly CasePair[] =>
  (pairs ??= casedCharacters().flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    return variantsOf(code).map((other): CasePair => [code, other]);
  }));

function variantsOf(code: number): readonly number[] {
  const text = String.fromCodePoint(code);
  const upper = text.toUpperCase();
  const variants = new Set([text.toLowerCase(), upper, upper.toLowerCase()].flatMap(single));
  variants.delete(code);
  return [...variants];
}

/** Several characters, such as the capital of ß, are not a variant of one. */
function single(text: string): readonly number[] {
  const [only, ...more] = [...text];
  return only === undefined || more.length > 0 ? [] : [only.codePointAt(0) ?? 0];
}
