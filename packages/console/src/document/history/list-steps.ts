/** What was added to a list, removed from it and moved in it. Pure. */
import { grouped } from './grouped.ts';
import { longestCommon } from './longest-common.ts';

/** A member of a list with its position, from 1. */
export interface Member {
  readonly at: number;
  readonly value: unknown;
}

interface Difference {
  readonly added: readonly Member[];
  readonly removed: readonly Member[];
  readonly moved: readonly (Member & { readonly to: number })[];
  /** The members that are in both lists, as they were and as they are. */
  readonly kept: readonly (readonly [before: Member, after: Member])[];
}

/** What a member is recognised by: the `_id` of a document, otherwise its value. */
function keyOf({ value }: Member): string {
  const id = typeof value === 'object' && value !== null ? (value as { readonly _id?: unknown })._id : undefined;
  return id === undefined ? `value ${JSON.stringify(value ?? null)}` : `id ${JSON.stringify(id)}`;
}

const isPlainDocument = ({ value }: Member): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !Object.hasOwn(value, '_id');

/**
 * Compares lists. Documents without `_id` that were replaced at one place are the same one, which was changed. Of lists that are too long to be
 * compared member by member, what moved is left out.
 */
export function listStep(from: readonly Member[], to: readonly Member[]): Difference {
  const pairs = longestCommon(from.map(keyOf), to.map(keyOf));
  const [ofFrom, ofTo] = [new Set(pairs?.map(([a]) => a)), new Set(pairs?.map(([, b]) => b))];
  const inBoth = (pairs ?? []).flatMap(([a, b]) => pairOf(from[a], to[b]));
  const elsewhere = matched(
    from.filter((_, at) => !ofFrom.has(at)),
    to.filter((_, at) => !ofTo.has(at)),
    keyOf,
  );
  const changed = matched(elsewhere.from, elsewhere.to, (one) => (isPlainDocument(one) ? String(one.at) : undefined));
  return {
    removed: changed.from,
    added: changed.to,
    moved: pairs === undefined ? [] : elsewhere.pairs.map(([{ at, value }, { at: now }]) => ({ at, value, to: now })),
    kept: [...inBoth, ...elsewhere.pairs, ...changed.pairs],
  };
}

type MemberPair = Difference['kept'][number];

const pairOf = (before: Member | undefined, after: Member | undefined): MemberPair[] =>
  before === undefined || after === undefined ? [] : [[before, after]];

interface Matched {
  readonly pairs: readonly MemberPair[];
  /** The members without a pair. */
  readonly from: readonly Member[];
  readonly to: readonly Member[];
}

/** Pairs of members with one key, each of them in one pair at most; those without a key are in none. */
function matched(
  from: readonly Member[],
  to: readonly Member[],
  keyOfMember: (member: Member) => string | undefined,
): Matched {
  const waiting = grouped(to, keyOfMember);
  const pairs = from.flatMap((one) => {
    const key = keyOfMember(one);
    return key === undefined ? [] : pairOf(one, waiting.get(key)?.shift());
  });
  const paired = new Set(pairs.flat());
  const isLeft = (one: Member): boolean => !paired.has(one);
  return { pairs, from: from.filter(isLeft), to: to.filter(isLeft) };
}
