/** What an entry of a history has changed, as steps that can be said in words. Pure. */
import type { HistoryChange } from 'dossier-client';
import { isRow, type Row } from '../../api/fields.ts';
import { type Fields, hasInside, inList, type Place, placeOf } from '../../api/places.ts';
import { isSame } from '../edits.ts';
import { grouped } from './grouped.ts';
import { listStep, type Member } from './list-steps.ts';

/** A value at a place. Without `from` there was none, without `to` there is none. */
interface ValueStep {
  readonly kind: 'value';
  readonly place: Place;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** Members of a list, each at its position from 1. */
export interface ListStep {
  readonly kind: 'list';
  readonly place: Place;
  readonly added: readonly Member[];
  readonly removed: readonly Member[];
  readonly moved: readonly (Member & { readonly to: number })[];
}

export type Step = ValueStep | ListStep;

export const isNothing = (value: unknown): value is undefined | null => value === undefined || value === null;

/** The steps of changes, in the order of the changes. */
export const stepsOf = (model: Fields, changes: readonly HistoryChange[]): readonly Step[] => within(model, changes, 0);

/** @param from the characters of the paths at which the list begins whose member is looked into */
function within(model: Fields, changes: readonly HistoryChange[], from: number): Step[] {
  const byList = grouped(changes, ({ path }) => inList(model, path, from)?.list ?? path);
  return [...byList].flatMap(([list, group]) =>
    group.some(({ path }) => path === list)
      ? group.flatMap((change) => whole(model, change))
      : byPosition(model, list, group),
  );
}

/** A value: of a nested document its parts, of a list its members. */
function whole(model: Fields, { path, from, to }: HistoryChange): Step[] {
  const place = placeOf(model, path);
  const isList = (value: unknown): boolean => isNothing(value) || Array.isArray(value);
  if (place.field?.array === true && isList(from) && isList(to))
    return listSteps(model, path, membersOf(from), membersOf(to));
  const isNested = (value: unknown): boolean => isNothing(value) || isRow(value);
  if (hasInside(model, place.path) && isNested(from) && isNested(to) && (isRow(from) || isRow(to)))
    return differences(model, path, isRow(from) ? from : {}, isRow(to) ? to : {});
  return [{ kind: 'value', place, from, to }];
}

const membersOf = (value: unknown): Member[] =>
  Array.isArray(value) ? value.map((member: unknown, at) => ({ at: at + 1, value: member })) : [];

/** The steps from one nested document to another. */
function differences(model: Fields, path: string, from: Row, to: Row): Step[] {
  const names = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  return names
    .filter((name) => !isSame(from[name], to[name]))
    .flatMap((name) => whole(model, { path: `${path}.${name}`, from: from[name], to: to[name] }));
}

function listSteps(model: Fields, path: string, from: readonly Member[], to: readonly Member[]): Step[] {
  const { kept, ...step } = listStep(from, to);
  const inside = kept.flatMap(([before, after]) =>
    isRow(before.value) && isRow(after.value)
      ? differences(model, `${path}.${after.at - 1}`, before.value, after.value)
      : [],
  );
  const isEmpty = step.added.length + step.removed.length + step.moved.length === 0;
  // an empty list in place of none, and the other way round, is no change for people
  return [...(isEmpty ? [] : [{ kind: 'list' as const, place: placeOf(model, path), ...step }]), ...inside];
}

/** Changes of a list that kept its length, by the positions at which it differs. */
function byPosition(model: Fields, list: string, changes: readonly HistoryChange[]): Step[] {
  const members = [
    ...grouped(
      changes.map((change) => ({ ...change, ...positionIn(list, change.path) })),
      ({ at }) => at,
    ),
  ];
  const isWhole = changes.every(({ path }) => positionIn(list, path).rest === '');
  const isReplaced = changes.some(({ path }) => positionIn(list, path).rest === '_id');
  if (!isWhole && !isReplaced) return members.flatMap(([at, inside]) => within(model, inside, `${list}.${at}`.length));
  const side = (name: 'from' | 'to'): Member[] =>
    members.map(([at, inside]) => ({ at: at + 1, value: isWhole ? inside[0]?.[name] : partOf(inside, name) }));
  return listSteps(model, list, ...sameNames(side('from'), side('to')));
}

function positionIn(list: string, path: string): { at: number; rest: string } {
  const [at = '', ...rest] = path.slice(list.length + 1).split('.');
  return { at: Number(at), rest: rest.join('.') };
}

/** What is known of a member, of which only what differs at its position is in the changes. */
const partOf = (
  inside: readonly { readonly rest: string; readonly from?: unknown; readonly to?: unknown }[],
  name: 'from' | 'to',
): Row =>
  Object.fromEntries(
    inside.filter(({ rest }) => rest !== '' && !rest.includes('.')).map((change) => [change.rest, change[name]]),
  );

/** Of members that moved, the names that are known before and after. */
function sameNames(from: Member[], to: Member[]): [Member[], Member[]] {
  const idOf = ({ value }: Member): unknown => (isRow(value) ? value['_id'] : undefined);
  const limited = (members: Member[], others: Member[]): Member[] =>
    members.map((member) => {
      const other = others.find((one) => idOf(one) !== undefined && idOf(one) === idOf(member))?.value;
      if (!isRow(member.value) || !isRow(other)) return member;
      const known = Object.entries(member.value).filter(([name]) => Object.hasOwn(other, name));
      return { ...member, value: Object.fromEntries(known) };
    });
  return [limited(from, to), limited(to, from)];
}
