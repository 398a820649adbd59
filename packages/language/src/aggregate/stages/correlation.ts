/** Equalities with variables in the first `$match` of a `$lookup` pipeline, for which an index can be used. */
import { isDoc } from '../../values/kind.ts';
import type { Doc, Value } from '../../values/types.ts';
import { isNullish } from '../expressions/arguments.ts';

/** A path that must equal a variable. */
interface Equality {
  readonly path: string;
  readonly variable: string;
}

/** The equalities that all documents of the pipeline meet. */
export function equalitiesIn(stages: Value): readonly Equality[] {
  const [first] = Array.isArray(stages) ? stages : [];
  const filter = isDoc(first) ? first['$match'] : undefined;
  return isDoc(filter) ? equalitiesOf(filter['$expr']) : [];
}

function equalitiesOf(expression: Value): readonly Equality[] {
  if (!isDoc(expression)) return [];
  const { $and: all, $eq: pair } = expression;
  if (Array.isArray(all)) return all.flatMap(equalitiesOf);
  if (!Array.isArray(pair) || pair.length !== 2) return [];
  const [a, b] = pair;
  return [equality(a, b), equality(b, a)].filter((found) => found !== undefined);
}

function equality(path: Value, variable: Value): Equality | undefined {
  if (typeof path !== 'string' || typeof variable !== 'string') return undefined;
  if (!/^\$[^$.\d][^$.]*(\.[^$.\d][^$.]*)*$/.test(path) || !/^\$\$[a-z]\w*$/.test(variable)) return undefined;
  return { path: path.slice(1), variable: variable.slice(2) };
}

/** A filter that matches at least the documents which meet the equalities, or undefined. */
export function filterFor(equalities: readonly Equality[], valueOf: (variable: string) => Value): Doc | undefined {
  const parts = equalities.flatMap(({ path, variable }): readonly Doc[] => {
    const value = valueOf(variable);
    return isNullish(value) || Array.isArray(value) ? [] : [{ [path]: { $eq: value } }];
  });
  return joined(parts);
}

/** The conjunction of filters. */
export function joined(filters: readonly (Doc | undefined)[]): Doc | undefined {
  const given = filters.filter((filter) => filter !== undefined);
  return given.length > 1 ? { $and: given } : given[0];
}
