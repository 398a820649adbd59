/** A subscription: a model or one document, and a filter; and what a change means to it. */
import { randomUUID } from 'node:crypto';
import { decide, refusal, type Grant } from '../access/decide.ts';
import type { Principal } from '../access/principal.ts';
import { ownerPath } from '../access/rows.ts';
import { matcherOf } from '../read/matches.ts';
import type { Change, Placed, Scope, Wish } from '../services.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Subscription extends Scope {
  readonly key: string;
  readonly matches: (row: Row) => boolean;
  /** Whether a change was made after the subscription began; all are where it is missing. */
  readonly isNew?: (change: Placed) => boolean;
}

/** What a caller wants to hear of. @throws 401, 403 */
export function subscriptionFrom({ model, id, filter }: Wish, principal: Principal): Subscription {
  if (decide(principal, 'r', model) === undefined) throw refusal(principal, `you may not read ${model.name}`);
  return { key: randomUUID(), model, id, matches: filter === undefined ? () => true : matcherOf(filter, model) };
}

/** What a subscriber is told of a change: the event and whether the document may be shown; undefined for nothing. */
export function told(change: Change, subscription: Subscription, grant: Grant): Change['event'] | undefined {
  if (subscription.id !== undefined && subscription.id !== change.id) return undefined;
  if (change.event === 'del') return isGone(change, subscription, grant) ? 'del' : undefined;
  if (change.after !== undefined && visible(change.after, subscription, grant)) return change.event;
  return change.before !== undefined && visible(change.before, subscription, grant) ? 'del' : undefined;
}

function isGone({ before, after }: Change, subscription: Subscription, grant: Grant): boolean {
  const last = before ?? after;
  // nobody knows what it was: it is told to those who could read it whatever it was
  if (last === undefined) return grant.rows === 'all';
  // it was gone already
  if (before?.['_deleted'] === true) return false;
  return visible({ ...last, _deleted: false }, subscription, grant);
}

function visible(row: Row, { model, matches }: Subscription, grant: Grant): boolean {
  if (row['_deleted'] === true) return false;
  return (grant.rows === 'all' || String(row[ownerPath(model)]) === grant.owner) && matches(row);
}
