/** Conditions on fields of discriminators: in documents of others, such a field is missing, whatever is stored. */
import { ownersOf } from '../models/fields/declared-names.ts';
import type { ModelSchema } from '../models/fields/model-schema.ts';
import type { KindNames } from '../models/fields/names.ts';
import { firstName } from '../models/fields/path-type.ts';
import { LinkedIds } from './link-conditions.ts';
import { rowTest } from './row-test.ts';

type Filter = Record<string, unknown>;

/** @param filter checked and cast */
export function withinKinds(filter: Filter, schema: ModelSchema): Filter {
  const names = schema.storedNames;
  return names === 'any' || names.kinds === undefined ? filter : limited(filter, names.kinds);
}

/** The condition that a document is of a kind that has a path; empty where all documents have it. */
export function ofKindsWith(path: string, schema: ModelSchema): Filter {
  const names = schema.storedNames;
  const kinds = names === 'any' ? undefined : names.kinds;
  const owners = kinds && ownersOf(firstName(path), kinds);
  return kinds === undefined || owners === undefined ? {} : { [kinds.key]: { $in: owners } };
}

function limited(filter: Filter, kinds: KindNames): Filter {
  const all = Object.entries(filter).map((entry) => conditionOf(entry, kinds));
  const isUnchanged = all.every((one, at) => Object.keys(one)[0] === Object.keys(filter)[at]);
  return isUnchanged ? Object.fromEntries(all.flatMap((one) => Object.entries(one))) : { $and: all };
}

function conditionOf([key, value]: readonly [string, unknown], kinds: KindNames): Filter {
  const condition = { [key]: value };
  if (key.startsWith('$'))
    return Array.isArray(value) ? { [key]: value.map((one: Filter) => limited(one, kinds)) } : condition;
  const owners = ownersOf(firstName(key), kinds);
  if (owners === undefined) return condition;
  // no missing field is the id of a linked document
  const isMissing = !(value instanceof LinkedIds) && rowTest({ filter: condition })({});
  return isMissing
    ? { $or: [condition, { [kinds.key]: { $nin: owners } }] }
    : { $and: [condition, { [kinds.key]: { $in: owners } }] };
}
