/** The field operators of updates: `$set`, `$unset`, `$rename`, `$min`, `$currentDate` and so on. */
import { Timestamp } from 'bson';
import { isDoc } from '../values/kind.ts';
import { compare } from '../values/order.ts';
import { show } from '../values/show.ts';
import type { Value } from '../values/types.ts';
import { badValue, type Change, type ChangeReader, notTraversed, setting, type UpdateTarget } from './change.ts';
import type { Draft, Parts } from './draft.ts';
import { isDynamic, readPath } from './paths.ts';

const set: ChangeReader = (operand) => setting(() => operand);

const setOnInsert: ChangeReader = (operand) => setting(() => operand, true);

const unset: ChangeReader = () => ({ make: (draft, parts) => draft.remove(parts) });

/** The operand, if it compares to the old value with the wanted sign. */
const extreme =
  (sign: 1 | -1): ChangeReader =>
  (operand, _path, { collation }) =>
    setting((old) => (old === undefined || compare(operand, old, collation) * sign > 0 ? operand : old));

const currentDate: ChangeReader = (operand, _path, { now }) => {
  const type = dateType(operand);
  const value = type === 'date' ? now : new Timestamp({ t: Math.floor(now.getTime() / 1000), i: 1 });
  return setting(() => value);
};

function dateType(operand: Value): 'date' | 'timestamp' {
  if (typeof operand === 'boolean') return 'date';
  if (!isDoc(operand)) {
    throw badValue(
      `${show(operand)} is not valid type for $currentDate. Please use a boolean ('true') or a $type expression ({$type: 'timestamp/date'}).`,
    );
  }
  const { $type: type } = operand;
  for (const name of Object.keys(operand))
    if (name !== '$type') throw badValue(`Unrecognized $currentDate option: ${name}`);
  if (type !== 'date' && type !== 'timestamp') {
    throw badValue(
      "The '$type' string field is required to be 'date' or 'timestamp': {$currentDate: {field : {$type: 'date'}}}",
    );
  }
  return type;
}

/** Parses one `$rename` as a change at its target. @throws StoreError 2 for paths that cannot be renamed */
export function readRename(
  from: string,
  to: Value,
): { readonly source: Parts; readonly target: Parts; readonly change: Change } {
  if (typeof to !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${from}: ${show(to)}`);
  const source = readPath(from);
  const target = readPath(to);
  if (from === to) throw badValue(`The source and target field for $rename must differ: ${from}: ${show(to)}`);
  if (`${from}.`.startsWith(`${to}.`) || `${to}.`.startsWith(`${from}.`)) {
    throw badValue(`The source and target field for $rename must not be on the same path: ${from}: ${show(to)}`);
  }
  if (source.some(isDynamic)) throw badValue(`The source field for $rename may not be dynamic: ${from}`);
  if (target.some(isDynamic)) throw badValue(`The destination field for $rename may not be dynamic: ${to}`);
  return { source, target, change: { make: (draft, _parts, place) => rename(draft, source, target, place) } };
}

function rename(draft: Draft, source: Parts, target: Parts, place: UpdateTarget): void {
  const found = draft.find(source);
  if (found.kind === 'blocked') throw notTraversed(source, found.at, found.element);
  if (found.kind === 'missing') return;
  refuseArrays(draft, source, 'source', place);
  refuseArrays(draft, target, 'destination', place);
  setting(() => found.value).make(draft, target, place);
  draft.remove(source);
}

function refuseArrays(draft: Draft, parts: Parts, what: string, { id }: UpdateTarget): void {
  for (let length = 1; length < parts.length; length += 1) {
    const found = draft.find(parts.slice(0, length));
    if (found.kind === 'there' && Array.isArray(found.value)) {
      throw badValue(
        `The ${what} field cannot be an array element, '${parts.join('.')}' in doc with _id: ${show(id)} has an array field called '${parts[length - 1] ?? ''}'`,
      );
    }
  }
}

/** The operators of this file except `$rename`. */
export const fieldOperators: readonly (readonly [name: string, read: ChangeReader])[] = [
  ['$set', set],
  ['$setOnInsert', setOnInsert],
  ['$unset', unset],
  ['$min', extreme(-1)],
  ['$max', extreme(1)],
  ['$currentDate', currentDate],
];
