/** Which paths a body may write, where paths have letters of their own. */
import { type Failure, forbiddenPaths } from '../errors/errors.ts';
import { withoutPositions } from '../models/fields/numbered-names.ts';
import { firstName } from '../models/fields/path-type.ts';
import { realPath } from '../models/fields/resolve-alias.ts';
import { pluralOf } from '../models/loading/model-names.ts';
import { ObjectId } from '../models/object-id.ts';
import { isPlainObject, type Json } from '../models/plain-object.ts';
import type { Filter } from '../query/filter.ts';
import { ownerPath, type Policy } from './policy.ts';
import type { Principal } from './principal.ts';
import type { PathRight } from './rights.ts';

/**
 * Judges the paths that a body names. A change of a path that holds an unwritable one would replace or empty that one, too.
 * @param body dotted names may lead to parts @param letter `c` for a new document, `u` for a change
 * @throws 403 whose `errors` name each path
 */
export function refuseUnwritable(policy: Policy, body: Json, letter: 'c' | 'u'): void {
  const refused = unwritableIn(policy, body, letter);
  if (refused.length > 0) throw forbiddenPaths(pluralOf(policy.model.name), refused);
}

/** The paths of a body that the caller may not write. */
const unwritableIn = (policy: Policy, body: Json, letter: 'c' | 'u'): readonly string[] =>
  policy.model.fieldPerms.size === 0
    ? []
    : namesIn(policy, body, '').filter((path) => rightToWrite(policy, letter, path) === 'none');

/** The right on a path and, in a change, on all paths that it holds: the least of them. */
function rightToWrite(policy: Policy, letter: 'c' | 'u', path: string): PathRight {
  const within = `${withoutPositions(policy.model.schema, path)}.`;
  const held = letter === 'u' ? [...policy.model.fieldPerms.keys()].filter((inner) => inner.startsWith(within)) : [];
  const rights = [path, ...held].map((one) => policy.pathRight(letter, one));
  return rights.find((right) => right === 'none') ?? rights.find((right) => right === 'own') ?? 'all';
}

/** The names in a body at every depth, aliases replaced by what they stand for. */
function namesIn(policy: Policy, value: unknown, prefix: string): string[] {
  if (Array.isArray(value)) return [...new Set(value.flatMap((member) => namesIn(policy, member, prefix)))];
  if (!isPlainObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = realPath(policy.model.schema, prefix + name);
    return [path, ...namesIn(policy, inner, `${path}.`)];
  });
}

/** Whether a change may write the paths of a body in a row, and all that they hold. */
export const mayChange = (policy: Policy, body: Json, row: Json): boolean =>
  policy.model.fieldPerms.size === 0 ||
  namesIn(policy, body, '').every((path) => {
    const right = rightToWrite(policy, 'u', path);
    return right === 'all' || (right === 'own' && policy.owns(row));
  });

/** A change that only the owner of a row may make. */
export interface OwnRowsChange {
  readonly filter: Filter;
  /** The failure for a row of another user. */
  failureFor(row: Json): Failure | undefined;
}

/** Whether a body sets paths that the caller may change in their own rows only; undefined where it does not. */
export function ownRowsChange(policy: Policy, principal: Principal, body: Json): OwnRowsChange | undefined {
  const { fieldPerms } = policy.model;
  if (fieldPerms.size === 0 || principal.user === undefined) return undefined;
  const paths = namesIn(policy, body, '').filter((path) => rightToWrite(policy, 'u', path) === 'own');
  if (paths.length === 0) return undefined;
  const path = ownerPath(policy.model);
  const { id } = principal.user;
  return {
    filter: { [path]: new ObjectId(id) },
    failureFor: (row) => (String(row[path]) === id ? undefined : forbiddenPaths(pluralOf(policy.model.name), paths)),
  };
}

/**
 * The top-level fields that a replacement keeps as they are, since the caller may not change all of them.
 * @param inOwnRows the replacement is only for rows of the caller's own
 */
export const unchangedByReplacement = (policy: Policy, inOwnRows: boolean): readonly string[] => [
  ...new Set(
    [...policy.model.fieldPerms.keys()]
      .filter((path) => {
        const right = policy.pathRight('u', path);
        return right === 'none' || (right === 'own' && !inOwnRows);
      })
      .map((path) => firstName(path)),
  ),
];
