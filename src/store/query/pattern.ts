/** The condition that a string matches a regular expression: `$regex`, `$options` and a regular expression as a value. */
import { BSONRegExp, BSONSymbol } from 'bson';
import { StoreError } from '../errors.ts';
import type { Doc } from '../values/types.ts';
import { leaf, type Condition } from './condition.ts';
import { badValue } from './context.ts';
import { compileRegex } from './regex.ts';
import type { Test } from './walk.ts';

/** Whether a value is a string that matches, or the same regular expression. */
export function regexTest(pattern: string, options: string): Test {
  const regex = compileRegex(pattern, options);
  return (value) => {
    if (typeof value === 'string') return regex.test(value);
    if (value instanceof BSONSymbol) return regex.test(value.value);
    return value instanceof BSONRegExp && value.pattern === pattern && value.options === options;
  };
}

/** The condition of a regular expression given as a value: `{ name: /^a/i }`. */
export const regexCondition = ({ pattern, options }: BSONRegExp): Condition => leaf(regexTest(pattern, options));

/** Reads `$regex` and `$options`, which stand side by side among a field's conditions. */
export function readRegex(conditions: Doc): Condition {
  const { $regex: regex, $options: options } = conditions;
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (regex instanceof BSONRegExp) {
    if (regex.options !== '' && options !== undefined) {
      const optionsFirst = Object.keys(conditions).indexOf('$options') < Object.keys(conditions).indexOf('$regex');
      throw new StoreError(optionsFirst ? 51074 : 51075, 'options set in both $regex and $options');
    }
    return leaf(regexTest(regex.pattern, options ?? regex.options));
  }
  if (typeof regex !== 'string') throw badValue('$regex has to be a string');
  return leaf(regexTest(regex, options ?? ''));
}

/** Checks that `$options` doesn't stand alone. */
export function checkOptions(conditions: Doc): void {
  if (!Object.hasOwn(conditions, '$regex')) throw badValue('$options needs a $regex');
}
