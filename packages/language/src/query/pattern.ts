/** Regular expression conditions: `$regex`, `$options` and a regular expression as a value. */
import { BSONRegExp, BSONSymbol } from 'bson';
import { StoreError } from '../errors.ts';
import type { Doc } from '../values/types.ts';
import { type Condition, leaf } from './condition.ts';
import { badValue, type FilterContext } from './context.ts';
import { compileRegex } from './regex.ts';
import type { Charge } from './regex/metered-text.ts';
import type { Test } from './walk.ts';

type Pattern = Pick<BSONRegExp, 'pattern' | 'options'>;

/** Whether a value is a matching string, or the same regular expression. */
export function regexTest({ pattern, options }: Pattern, charge: Charge | undefined): Test {
  const regex = compileRegex(pattern, options);
  return (value) => {
    if (typeof value === 'string') return regex.test(value, charge);
    if (value instanceof BSONSymbol) return regex.test(value.value, charge);
    return value instanceof BSONRegExp && value.pattern === pattern && value.options === options;
  };
}

/** The condition of a regular expression given as a value: `{ name: /^a/i }`. */
export const regexCondition = (pattern: BSONRegExp, { charge }: FilterContext): Condition =>
  leaf(regexTest(pattern, charge));

/** Parses `$regex` with its `$options`. */
export function readRegex(conditions: Doc, { charge }: FilterContext): Condition {
  const { $regex: regex, $options: options } = conditions;
  if (options !== undefined && typeof options !== 'string') throw badValue('$options has to be a string');
  if (regex instanceof BSONRegExp) {
    if (regex.options !== '' && options !== undefined) {
      const optionsFirst = Object.keys(conditions).indexOf('$options') < Object.keys(conditions).indexOf('$regex');
      throw new StoreError(optionsFirst ? 51074 : 51075, 'options set in both $regex and $options');
    }
    return leaf(regexTest({ pattern: regex.pattern, options: options ?? regex.options }, charge));
  }
  if (typeof regex !== 'string') throw badValue('$regex has to be a string');
  return leaf(regexTest({ pattern: regex, options: options ?? '' }, charge));
}

/** Checks that `$options` comes with a `$regex`. */
export function checkOptions(conditions: Doc): void {
  if (!Object.hasOwn(conditions, '$regex')) throw badValue('$options needs a $regex');
}
