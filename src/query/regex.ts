/** Checks regular expressions from callers: at most 256 characters, the flags i, m, s and x, and no exponential backtracking. */
import { backtracks, type Node, parsePattern } from 'dossier-language/query/regex';
import { badFilter } from '../errors/errors.ts';

/** A pattern for MongoDB. */
export interface Pattern {
  readonly $regex: string;
  readonly $options: string;
}

const longest = 256;

/** A pattern from `/pattern/flags` or from a bare pattern. @throws 400 */
export function patternFromText(text: string): Pattern {
  const match = /^\/(.*)\/([a-z]*)$/s.exec(text);
  return match === null ? pattern(text, '') : pattern(match[1] ?? '', match[2] ?? '');
}

/** Checks a pattern. @throws 400 when it is too long, invalid, or can backtrack exponentially */
export function pattern(source: unknown, flags: unknown): Pattern {
  if (typeof source !== 'string' || typeof flags !== 'string') throw badFilter('$regex and $options must be strings');
  if (source.length > longest)
    throw badFilter(`a regular expression must have at most ${longest} characters, got ${source.length}`);
  if (source.includes('\0')) throw badFilter('a regular expression must not contain a NUL character');
  if (!/^[imsx]*$/.test(flags) || new Set(flags).size !== flags.length)
    throw badFilter('$options may be i, m, s and x, each once');
  if (backtracks(parse(source, flags))) throw badFilter('this regular expression could take too long');
  return { $regex: source, $options: flags };
}

/** Parses a pattern as the database does: in PCRE's syntax, by code points. @throws 400 */
function parse(source: string, flags: string): Node {
  const has = (flag: string): boolean => flags.includes(flag);
  try {
    return parsePattern(source, { i: has('i'), m: has('m'), s: has('s'), x: has('x') });
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    throw badFilter(reason.replace(/^R/, 'r') || '$regex is not a regular expression');
  }
}

/** Escapes a string to a pattern that matches exactly this string. */
export const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
