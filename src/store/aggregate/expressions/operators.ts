/** All operators of expressions, by name. What is not here is refused. */
import { arithmetic } from './arithmetic.ts';
import { arrays } from './arrays.ts';
import { comparison } from './comparison.ts';
import { dates } from './dates.ts';
import { objects } from './objects.ts';
import type { Operator } from './scope.ts';
import { sets } from './sets.ts';
import { strings } from './strings.ts';
import { summaries } from './summaries.ts';
import { types } from './types.ts';
import { variables } from './variables.ts';

export const operators: ReadonlyMap<string, Operator> = new Map(
  [arithmetic, arrays, comparison, dates, objects, sets, strings, summaries, types, variables].flatMap((theme) =>
    Object.entries(theme),
  ),
);
