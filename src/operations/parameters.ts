/** A parameter that no endpoint knows is a 400 that names it: a mistyped `filter` must not return everything. So is an odd flag. */
import { unknownParameter } from '../errors.ts';
import { suggestion } from '../nearest.ts';
import { flagNames, parameterNames } from '../query/parameters.ts';
import { flagOf, type ParameterTree } from '../query/params.ts';

/** @param extra names that the config file adds */
export function checkParameters(query: ParameterTree, extra: readonly string[] | undefined): void {
  for (const name of Object.keys(query))
    if (!parameterNames.has(name) && !name.startsWith('_') && extra?.includes(name) !== true)
      throw unknownParameter(name.slice(0, 60), suggestion(name, parameterNames));
  for (const name of flagNames) flagOf(query, name);
}
