/**
 * The table of operators. mingo is no alternative: it loses BSON types (longs, decimals, doubles without a fraction)
 * and BSON order, resolves paths differently, and its work cannot be bounded.
 */
import { arithmeticOperators } from './arithmetic.ts';
import { arrayOperators } from './arrays.ts';
import { comparisonOperators } from './comparison.ts';
import type { Operator } from './compiler.ts';
import { conditionOperators } from './conditions.ts';
import { conversionOperators } from './conversions.ts';
import { dateFormOperators } from './date-forms.ts';
import { dateOperators } from './dates.ts';
import { iterationOperators } from './iteration.ts';
import { literalOperators } from './literals.ts';
import { objectOperators } from './objects.ts';
import { regexOperators } from './regex.ts';
import { setOperators } from './sets.ts';
import { stringOperators } from './strings.ts';
import { summaryOperators } from './summaries.ts';
import { trigonometryOperators } from './trigonometry.ts';
import { trimOperators } from './trim.ts';

/** Operators by name. */
export const operators: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ...arithmeticOperators,
  ...arrayOperators,
  ...comparisonOperators,
  ...conditionOperators,
  ...conversionOperators,
  ...dateFormOperators,
  ...dateOperators,
  ...iterationOperators,
  ...literalOperators,
  ...objectOperators,
  ...regexOperators,
  ...setOperators,
  ...stringOperators,
  ...summaryOperators,
  ...trigonometryOperators,
  ...trimOperators,
]);
