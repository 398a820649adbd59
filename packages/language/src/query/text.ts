/** The `$text` of a filter. */
import { notSupported, StoreError, unknownName } from '../errors.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import { badValue } from './context.ts';

/** A text search. */
export interface TextQuery {
  readonly search: string;
  /** The language of stop words and stems; undefined means that of the index. */
  readonly language: string | undefined;
  readonly caseSensitive: boolean;
  readonly diacriticSensitive: boolean;
}

/**
 * The `$text` of a filter, if it has one. It is allowed at the top level and in an `$and`.
 * @throws StoreError 9 or 2 if it is invalid, 115 elsewhere in the filter
 */
export function textQueryOf(filter: Doc): TextQuery | undefined {
  const found = textsIn(filter, true);
  if (found.length > 1) throw badValue('Too many text expressions');
  return found[0] === undefined ? undefined : readText(found[0].operand);
}

interface Found {
  readonly operand: Value;
}

/** Every `$text` of a filter, including those of `$or` and `$nor`, which are refused. */
function textsIn(filter: Doc, allowed: boolean): readonly Found[] {
  return Object.entries(filter).flatMap(([name, value]): readonly Found[] => {
    if (name === '$text') {
      if (!allowed) throw notSupported('$text under $or or $nor');
      return [{ operand: value }];
    }
    if (!lists.has(name) || !Array.isArray(value)) return [];
    return value.filter(isDoc).flatMap((part) => textsIn(part, allowed && name === '$and'));
  });
}

const lists: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);

const known: ReadonlySet<string> = new Set(['$search', '$language', '$caseSensitive', '$diacriticSensitive']);

function readText(operand: Value): TextQuery {
  if (!isDoc(operand)) throw badValue('$text expects an object');
  const { $search: search, $language: language } = operand;
  if (typeof search !== 'string') throw new StoreError(14, '"$search" had the wrong type. Expected string');
  if (language !== undefined && typeof language !== 'string') {
    throw new StoreError(14, '"$language" had the wrong type. Expected string');
  }
  for (const name of Object.keys(operand)) if (!known.has(name)) throw unknownName(2, `extra fields in $text: ${name}`);
  return {
    search,
    language,
    caseSensitive: flag(operand, '$caseSensitive'),
    diacriticSensitive: flag(operand, '$diacriticSensitive'),
  };
}

function flag(operand: Doc, name: string): boolean {
  const value = operand[name];
  if (value === undefined) return false;
  if (typeof value !== 'boolean') throw new StoreError(14, `"${name}" had the wrong type. Expected boolean`);
  return value;
}
