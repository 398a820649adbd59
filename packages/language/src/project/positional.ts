/** The positional `$` of a projection: of an array, only the member that made the document match. */
import { StoreError } from '../errors.ts';
import type { Matcher } from '../query/index.ts';
import { isDoc } from '../values/kind.ts';
import { field } from '../values/path.ts';
import { setField } from '../values/path.ts';
import type { Doc, Value } from '../values/types.ts';

const ending = '.$';

/** Whether a path of a projection ends in `$`. */
export const isPositional = (path: string): boolean => path.split('.').includes('$');

/** The path before the `$`. @throws StoreError 31394 if the `$` is not at the end */
export function arrayPathOf(path: string): string {
  const before = path.endsWith(ending) ? path.slice(0, -ending.length) : '';
  if (before === '' || isPositional(before)) {
    throw new StoreError(
      31394,
      "As of 4.4, it's illegal to specify positional operator in the middle of a path. Positional projection may only be used at the end, for example: a.b.$.",
    );
  }
  return before;
}

/** Keeps only the matched member in the first array on a path. */
export function keepingMatched(path: string, filter: Matcher): (projected: Doc, original: Doc) => Doc {
  const parts = path.split('.');
  return (projected, original) => {
    const place = filter.matchPosition(original);
    if (place === undefined) {
      throw new StoreError(
        51246,
        "Executor error during find command :: caused by :: positional operator '.$' couldn't find a matching element in the array",
      );
    }
    return keepMember(projected, parts, place);
  };
}

function keepMember(doc: Doc, parts: readonly string[], place: number): Doc {
  const [name = '', ...rest] = parts;
  const value = field(doc, name);
  const kept = keptValue(value, rest, place);
  if (kept === value) return doc;
  const copy: Record<string, Value> = { ...doc };
  setField(copy, name, kept);
  return copy;
}

function keptValue(value: Value, rest: readonly string[], place: number): Value {
  if (Array.isArray(value)) {
    if (place >= value.length) {
      throw new StoreError(
        51247,
        "Executor error during find command :: caused by :: positional operator '.$' element mismatch",
      );
    }
    return [value[place]];
  }
  return isDoc(value) && rest.length > 0 ? keepMember(value, rest, place) : value;
}
