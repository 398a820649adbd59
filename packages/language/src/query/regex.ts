/** Regular expressions in PCRE's syntax, with work bounded by the length of the string. */
import { RE2JS } from 're2js';
import { notSupported, StoreError } from '../errors.ts';
import { sizeOf, stepsFor } from './regex/cost.ts';
import { invalid } from './regex/cursor.ts';
import { foldingOf, isRegular, toLinear, toNative } from './regex/emit.ts';
import { literalOf } from './regex/literal.ts';
import { type Charge, contains, MeteredText, timed } from './regex/metered-text.ts';
import type { Node } from './regex/nodes.ts';
import { type Flags, parsePattern } from './regex/parse.ts';
import { trimmed } from './regex/trim.ts';

/** A compiled regular expression. */
export interface Regex {
  /** @param charge meters the work on a long string */
  test(text: string, charge?: Charge): boolean;
}

/** The maximum steps of a pattern on a string of a given length, whichever engine runs it. */
export function regexSteps(pattern: string, flags: string): (length: number) => number {
  const node = trimmed(parsePattern(pattern, readFlags(flags)));
  const native = stepsFor(node);
  const linear = (length: number): number => (length + 1) * sizeOf(node) * linearFactor;
  if (!isRegular(node)) return native;
  if (foldingOf(node) === 'some') return linear;
  return (length) => (native(length) <= quickSteps ? native(length) : linear(length));
}

/** Steps of the linear engine per step of the backtracking engine, for each part of the pattern. */
const linearFactor = 20;

const maxLength = 16_384;

/** Maximum steps for which the backtracking engine is faster. */
const quickSteps = 2_000_000;

/** Steps of the backtracking engine that count as one step of a command, and parts of the linear one's. */
const stepsPerCharge = 40;
const linearPerCharge = 2;
/** Steps of starting the linear engine. */
const stepsToStart = 5;

/** The product of string length and pattern size from which the work of the linear engine is metered. */
const longWork = 100_000;

/** Maximum steps of a pattern that the linear engine cannot run. */
const maxSteps = 50_000_000;

/**
 * Compiles a regular expression. JavaScript's engine runs it on strings where its steps are few, and a linear-time
 * engine (RE2) otherwise.
 * @throws StoreError 51091 for an invalid pattern, 51108 for invalid flags, 115 for an unsupported pattern
 */
export function compileRegex(pattern: string, flags: string): Regex {
  if (pattern.includes('\0')) throw new StoreError(2, 'Regular expression cannot contain an embedded null byte');
  if (pattern.length > maxLength) throw invalid('regular expression is too large');
  const node = trimmed(parsePattern(pattern, readFlags(flags)));
  return withLiteral(node, engineFor(node));
}

/** The engine of a pattern. */
function engineFor(node: Node): Regex {
  const folding = foldingOf(node);
  if (!isRegular(node)) {
    if (folding === 'some') throw notSupported('a regular expression with both look-arounds and changes of case');
    return backtracking(node, folding === 'all');
  }
  return folding === 'some' ? linearRegex(node) : either(node, folding === 'all');
}

/** Runs an engine only on strings that contain the text that a match needs. */
function withLiteral(node: Node, engine: Regex): Regex {
  const literal = literalOf(node);
  if (literal === undefined) return engine;
  const { text: needed, rarest, isWhole } = literal;
  const parts = rarest === needed ? [needed] : [rarest, needed];
  return {
    test: (text, charge) =>
      parts.every((part) => contains(text, part, charge)) && (isWhole || engine.test(text, charge)),
  };
}

const known: ReadonlySet<string> = new Set(['i', 'm', 's', 'x', 'u']);

function readFlags(flags: string): Flags {
  for (const flag of flags) {
    if (!known.has(flag)) throw new StoreError(51108, `invalid flag in regex options: ${flag}`);
  }
  return { i: flags.includes('i'), m: flags.includes('m'), s: flags.includes('s'), x: flags.includes('x') };
}

function nativeRegex(node: Node, fold: boolean): RegExp {
  try {
    return new RegExp(toNative(node), fold ? 'iu' : 'u');
  } catch {
    throw invalid('the pattern is too large or not allowed');
  }
}

function linearRegex(node: Node): Regex {
  const regex = compileLinear(node);
  const size = regex.programSize();
  return {
    test: (text, charge) => {
      const work = text.length * size;
      charge?.(stepsToStart);
      if (charge === undefined || work < longWork) return timed(charge, work / linearPerCharge, () => regex.test(text));
      const metered = new MeteredText(text, size, charge);
      // its types name only plain strings
      const found = regex.test(metered as unknown as string);
      metered.finish();
      return found;
    },
  };
}

function compileLinear(node: Node): RE2JS {
  try {
    return RE2JS.compile(toLinear(node));
  } catch {
    throw notSupported('a regular expression with so large a repetition');
  }
}

/** Selects the faster engine for a string; the linear one is compiled on first use. */
function either(node: Node, fold: boolean): Regex {
  const native = nativeRegex(node, fold);
  const steps = stepsFor(node);
  const isQuick = (length: number): boolean => steps(length) <= quickSteps;
  const quickLength = maxMatchingLength(isQuick);
  let linear: Regex | undefined;
  return {
    test: (text, charge) => {
      if (text.length <= quickLength)
        return timed(charge, steps(text.length) / stepsPerCharge, () => native.test(text));
      linear ??= linearRegex(node);
      return linear.test(text, charge);
    },
  };
}

/** The greatest length that passes a monotonic test. */
function maxMatchingLength(passes: (length: number) => boolean): number {
  let least = 0;
  let most = 2 ** 24;
  if (!passes(least)) return -1;
  while (most - least > 1) {
    const middle = Math.floor((least + most) / 2);
    if (passes(middle)) least = middle;
    else most = middle;
  }
  return least;
}

function backtracking(node: Node, fold: boolean): Regex {
  const native = nativeRegex(node, fold);
  const steps = stepsFor(node);
  return {
    test: (text, charge) => {
      const needed = steps(text.length);
      if (needed > maxSteps) {
        throw new StoreError(51156, 'the regular expression could take too long on a string of this length');
      }
      return timed(charge, needed / stepsPerCharge, () => native.test(text));
    },
  };
}
