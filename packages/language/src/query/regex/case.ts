/** Case variants of code points, as case-insensitive regular expressions compare them. */

/** No code point beyond this one has case variants. */
const lastCased = 0x1e943;
const cased = /\p{Changes_When_Casemapped}/u;

/** A code point and a case variant of it. Two variants of each other share a third one, or are a pair. */
export const casePairs: readonly (readonly [code: number, other: number])[] = Array.from(
  { length: lastCased + 1 },
  (_, code) => code,
)
  .filter((code) => cased.test(String.fromCodePoint(code)))
  .flatMap((code) => variantsOf(code).map((other) => [code, other] as const));

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
