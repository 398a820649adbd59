/** Refuses unknown and malformed parameters with a 400 that names them: a mistyped `filter` must not return everything. */
import { unknownParameter } from '../errors/errors.ts';
import { typeAt } from '../models/fields/path-type.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { hasHiddenKey, isKnown } from '../query/key-checks.ts';
import { countFrom } from '../query/page.ts';
import { parameterNames, type ParameterRow, parameterRows } from '../query/parameter-table.ts';
import { flagOf, isTree, type Parameter, type ParameterTree, textOf, wholeNumberOf } from '../query/parameter-tree.ts';
import type { SchemaView } from '../query/schema-view.ts';
import { suggestion } from '../text/nearest.ts';

/**
 * @param extra names that the config file adds
 * @param filtered the model as the caller sees it, where the operation takes filters
 * @param own the rows of parameters that the operation takes
 */
export function checkParameters(
  query: ParameterTree,
  extra: readonly string[] | undefined,
  filtered: SchemaView | undefined,
  own: readonly ParameterRow[] = [],
): void {
  const names = Object.keys(query);
  if (names.length === 0) return;
  for (const name of names)
    if (!parameterNames.has(name) && !name.startsWith('_') && extra?.includes(name) !== true && !isIn(own, name))
      throw unknownParameter(
        name.slice(0, maxShown),
        isIn(parameterRows, name) ? 'this endpoint' : 'any endpoint',
        hintFor(name, query[name] ?? '', filtered),
      );
  for (const row of parameterRows) if (names.includes(row.name)) checkForm(row, query, isIn(own, row.name));
  countFrom(query);
}

/** @param isTaken whether the operation takes the parameter, and so reads its number */
function checkForm(
  { name, flag, number, parts, values = [] }: ParameterRow,
  query: ParameterTree,
  isTaken: boolean,
): void {
  if (parts === true || values.some((value) => value === query[name])) return;
  if (flag === true) flagOf(query, name);
  else if (number === true && !isTaken) wholeNumberOf(query, name);
  else textOf(query, name);
}

const isIn = (rows: readonly ParameterRow[], name: string): boolean => rows.some((row) => row.name === name);

/** Characters of a name or a value that a message repeats. */
const maxShown = 60;

function hintFor(name: string, value: Parameter, filtered: SchemaView | undefined): string {
  if (filtered !== undefined && name.length <= maxShown && isField(filtered, name))
    return `; to filter by the field, write ${asFilter(`filter[${shown(name)}]`, value)}`;
  return suggestion(name, parameterNames);
}

/** Whether a name is that of a field which the schema declares and the caller may see. */
function isField(view: SchemaView, name: string): boolean {
  const path = realPath(view.schema, name);
  const schemas = [view.schema, ...view.schema.kinds.map((kind) => kind.schema)];
  const isDeclared = schemas.some((schema) => typeAt(schema, path).kind !== 'unknown');
  return isDeclared && !hasHiddenKey(view, path) && isKnown(view, path);
}

/** The parameter as one of the filter; of several values the first. */
function asFilter(name: string, value: Parameter): string {
  if (typeof value === 'string') return `${name}=${value.length > maxShown ? '<value>' : shown(value)}`;
  if (!isTree(value)) return asFilter(name, value[0] ?? '');
  const [[key, inner] = ['', '']] = Object.entries(value);
  return asFilter(`${name}[${shown(key.slice(0, maxShown))}]`, inner);
}

/** A text as a query string has it, with the characters that need no encoding there. */
const shown = (text: string): string =>
  encodeURIComponent(text).replace(/%(24|2C|2F|3A)/g, (code) => decodeURIComponent(code));
