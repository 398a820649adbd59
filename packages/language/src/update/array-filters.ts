/** The `arrayFilters` of an update, which select array members for `$[name]`. */
import { StoreError } from '../errors.ts';
import { compileFilter, type Matcher } from '../query/index.ts';
import { isDoc } from '../values/kind.ts';
import type { Doc, Value } from '../values/types.ts';
import type { UpdateContext } from './change.ts';

/** The filters by name; each tests `{ name: member }`. */
export type ArrayFilters = ReadonlyMap<string, Matcher>;

const lowercaseName = /^[a-z][a-zA-Z0-9]*$/;

/** Parses the filters. @throws StoreError 9 or 2 for one without exactly one name, or a duplicate name */
export function readArrayFilters(filters: readonly Doc[], { collation, charge }: UpdateContext): ArrayFilters {
  const found = new Map<string, Matcher>();
  for (const filter of filters) {
    const name = nameOf(filter);
    if (found.has(name)) {
      throw new StoreError(9, `Found multiple array filters with the same top-level field name ${name}`);
    }
    found.set(name, compileFilter(filter, { collation, charge }));
  }
  return found;
}

function nameOf(filter: Doc): string {
  const [name, other] = new Set(namesIn(filter));
  if (name === undefined) {
    throw new StoreError(9, 'Cannot use an expression without a top-level field name in arrayFilters');
  }
  if (other !== undefined) {
    throw new StoreError(
      9,
      `Error parsing array filter :: caused by :: Expected a single top-level field name, found '${name}' and '${other}'`,
    );
  }
  if (!lowercaseName.test(name)) {
    throw new StoreError(
      2,
      `Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${name}'`,
    );
  }
  return name;
}

const lists: ReadonlySet<string> = new Set(['$and', '$or', '$nor']);

/** The first parts of all paths in a filter. */
function namesIn(filter: Doc): readonly string[] {
  return Object.entries(filter).flatMap(([key, value]: readonly [string, Value]) => {
    if (lists.has(key)) return Array.isArray(value) ? value.filter(isDoc).flatMap(namesIn) : [];
    return key.startsWith('$') ? [] : [key.split('.')[0] ?? key];
  });
}
