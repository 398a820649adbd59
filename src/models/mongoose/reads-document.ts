/** Whether a function of a model file can read the document that it is called for: by `this`, or by a parameter. */

/**
 * Whether a function can read the `this` that it is called with. An arrow function, a bound or native one and a class cannot; nor can an
 * ordinary function whose source has none of the words that reach it. That is sound, because JavaScript keeps the exact source of a
 * function (ECMAScript, `Function.prototype.toString`), and has no other way to `this`. A word in a comment or a string counts, too: such a
 * function costs its model time, and no answer is wrong.
 */
export function readsThis(given: unknown): boolean {
  if (!isOwnFunction(given)) return false;
  const text = sourceOf(given);
  return !isArrow(given, text) && /\b(?:this|super|eval)\b/.test(text);
}

/** Whether a function declares at least so many parameters, or takes any number of them. */
export function takesParameters(given: unknown, count: number): boolean {
  return isOwnFunction(given) && (given.length >= count || /\barguments\b|\.\.\./.test(sourceOf(given)));
}

type AnyFunction = (...given: never[]) => unknown;

/** Whether a value is a function written in JavaScript that can be called: neither native, nor bound, nor a class. */
export function isOwnFunction(given: unknown): given is AnyFunction {
  return typeof given === 'function' && !/^class\b|\{\s*\[native code\]\s*\}$/.test(sourceOf(given as AnyFunction));
}

export const sourceOf = (code: AnyFunction): string => Function.prototype.toString.call(code);

/** Only ordinary functions have a `prototype`; methods and asynchronous functions have none either, but no arrow. */
const isArrow = (code: AnyFunction, text: string): boolean =>
  !Object.hasOwn(code, 'prototype') && /^(?:async\b\s*)?(?:\(|[\w$]+\s*=>)/.test(text);
