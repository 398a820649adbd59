/**
 * Applies update operators to lists of a loaded document in place, so that setters run for new members only, and nested documents stay the
 * ones that are loaded. The operators themselves are those of the embedded store.
 */
import type { ModelSchema } from '../../models/fields/model-schema.ts';
import { shapeOf } from '../../models/fields/types/index.ts';
import { type Row, sameRow, storedValue, valueAt } from '../../models/mongoose.ts';
import { BSON } from '../../models/object-id.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { rowAfterUpdate } from '../../query/row-update.ts';
import type { Update } from '../../query/updates.ts';
import { isImmutable } from '../patch/immutable.ts';
import { assign } from './assign.ts';

const listOperators: ReadonlySet<string> = new Set(['$push', '$addToSet', '$pull', '$pop']);
const adding: ReadonlySet<string> = new Set(['$push', '$addToSet']);

export const isListOperator = (name: string): boolean => listOperators.has(name);

/** A Mongoose document as far as its lists are changed. */
export interface ChangedList {
  $set(values: Row): unknown;
  $set(path: string, value: unknown): unknown;
}

/** The parts of Mongoose's lists that are used here. */
interface MongooseList {
  /** A member of a value, by setters and the type of members. */
  _cast(value: unknown, at: number): unknown;
  $schema(): { readonly embeddedSchemaType?: { readonly instance: string } } | undefined;
  /** A plain list of the members, without getters. */
  filter(test: () => boolean): unknown[];
  /** @param isCast whether the member is one already, and the list is marked as modified later */
  set(at: number, member: unknown, isCast: boolean): unknown;
  splice(from: number, count: number): unknown;
}

/** @returns undefined where there is none, or a plain list within a free-form value */
export function mongooseListAt(document: ChangedList, path: string): MongooseList | undefined {
  const value = valueAt(document, path, { getters: false });
  // a proxy, in which `in` finds no more than in a plain list
  const list = value as (Partial<MongooseList> & { readonly isMongooseArray?: unknown }) | null | undefined;
  return list?.isMongooseArray === true ? (list as MongooseList) : undefined;
}

/** @param lists operators of lists @throws Mongoose's CastError, and what setters throw */
export function changeLists(document: ChangedList, schema: ModelSchema, lists: Update): void {
  for (const [operator, operands] of Object.entries(lists))
    for (const [path, operand] of Object.entries(operands)) {
      if (isImmutable(document, schema, path)) continue;
      if (adding.has(operator) && mongooseListAt(document, path) === undefined)
        assign(document, schema, { [path]: [] });
      const list = mongooseListAt(document, path);
      if (list !== undefined) changeList(list, { operator, operand });
    }
}

interface ListChange {
  readonly operator: string;
  readonly operand: unknown;
}

function changeList(list: MongooseList, change: ListChange): void {
  const members = list.filter(() => true);
  const added = addedBy(list, change).map((value, at) => list._cast(value, members.length + at));
  const all = [...members, ...added];
  const after = placesAfter(list, all, members.length, change).map((place) => all[place]);
  if (after.length === members.length && after.every((member, at) => member === members[at])) return;
  for (const [at, member] of after.entries()) list.set(at, member, true);
  // removes what is left, and marks the list as modified
  list.splice(after.length, members.length);
}

/** The values that an operator adds. As for Mongoose, a list that is pushed is its members where the members are no lists. */
function addedBy(list: MongooseList, { operator, operand }: ListChange): readonly unknown[] {
  if (!adding.has(operator)) return [];
  if (isPlainObject(operand) && Array.isArray(operand['$each'])) return operand['$each'];
  const member = list.$schema()?.embeddedSchemaType;
  const shape = member && shapeOf(member);
  return Array.isArray(operand) && shape !== 'list' && shape !== 'any' ? operand : [operand];
}

/**
 * Where the members after an operator come from.
 * @param all the members, and after them the added ones @param count of members
 */
function placesAfter(
  list: MongooseList,
  all: readonly unknown[],
  count: number,
  change: ListChange,
): readonly number[] {
  const { operator, operand } = change;
  const stored = all.map(storedValue);
  if (operator === '$push') return placesAfterPush(stored, count, operand);
  const value =
    operator === '$addToSet'
      ? { $each: stored.slice(count) }
      : operator === '$pull' && !isPlainObject(operand)
        ? storedValue(list._cast(operand, 0))
        : operand;
  const after = listAfter(stored.slice(0, count), { [operator]: { list: value } });
  // numbers have lost their types in both
  return placesIn(BSON.deserialize(BSON.serialize({ stored }))['stored'] as unknown[], after);
}

/** Pushes members together with their places. */
function placesAfterPush(stored: readonly unknown[], count: number, operand: unknown): readonly number[] {
  const { $each: _, $sort, ...others } = isPlainObject(operand) && '$each' in operand ? operand : {};
  const tokens = stored.map((member, place) => ({ place, member }));
  if ($sort === undefined && Object.keys(others).length === 0) return tokens.map(({ place }) => place);
  const $push = { $each: tokens.slice(count), ...others, ...($sort === undefined ? {} : { $sort: sortOf($sort) }) };
  const after = listAfter(tokens.slice(0, count), { $push: { list: $push } });
  return (after as typeof tokens).map(({ place }) => place);
}

const sortOf = (order: unknown): Row =>
  isPlainObject(order)
    ? Object.fromEntries(Object.entries(order).map(([name, direction]) => [`member.${name}`, direction]))
    : { member: order };

/** @param update without `$currentDate` */
const listAfter = (list: readonly unknown[], update: Update): readonly unknown[] =>
  rowAfterUpdate({ list }, update, new Date(0))['list'] as readonly unknown[];

/** The places of members that stay in order. Of equal members, an operator keeps the first, or all or none of them. */
function placesIn(stored: readonly unknown[], after: readonly unknown[]): readonly number[] {
  const places: number[] = [];
  for (const [place, member] of stored.entries())
    if (places.length < after.length && sameRow({ member }, { member: after[places.length] })) places.push(place);
  return places;
}
