/** Refuses unknown parameters and invalid flags with a 400 that names them: a mistyped `filter` must not return everything. */
import { unknownParameter } from '../errors.ts';
import { suggestion } from '../nearest.ts';
import { countFrom } from '../query/count.ts';
import { flagNames, parameterNames } from '../query/parameter-table.ts';
import { flagOf, type ParameterTree } from '../query/parameter-tree.ts';

/** @param extra names that the config file adds */
export function checkParameters(query: ParameterTree, extra: readonly string[] | undefined): void {
  const names = Object.keys(query);
  if (names.length === 0) return;
  for (const name of names)
    if (!parameterNames.has(name) && !name.startsWith('_') && extra?.includes(name) !== true)
      throw unknownParameter(name.slice(0, 60), suggestion(name, parameterNames));
  for (const name of flagNames) flagOf(query, name);
  countFrom(query);
}
