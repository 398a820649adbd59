/** A subscription: a model or one document, and a filter; and what a change means to it. */
import { randomUUID } from 'node:crypto';
import { decide, refusal, type Grant } from '../access/decide.ts';
import type { Principal } from '../access/principal.ts';
import { ownerPath } from '../access/rows.ts';
import { badRequest } from '../errors.ts';
import { filterFromJson } from '../language/guard.ts';
import { matcherOf } from '../read/matches.ts';
import { castId } from '../registry/cast.ts';
import type { ModelEntry } from '../registry/entry.ts';
import type { Change, Services } from '../services.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Subscription {
  readonly key: string;
  readonly model: ModelEntry;
  readonly id: string | undefined;
  readonly matches: (row: Row) => boolean;
}

/** Reads what a caller wants to subscribe to. @throws 400, 403, 404 */
export function subscriptionFrom(data: Row, principal: Principal, services: Services): Subscription {
  const { model: name, id, filter } = data;
  if (typeof name !== 'string') throw badRequest('subscribe needs the name of a model');
  const model = services.registry.get(name);
  if (decide(principal, 'r', model) === undefined) throw refusal(principal, `you may not read ${name}`);
  if (id !== undefined && typeof id !== 'string') throw badRequest('id must be text');
  return {
    key: randomUUID(),
    model,
    id: id === undefined ? undefined : castId('id', id).toHexString(),
    matches: filter === undefined ? () => true : matcherOf(filterFromJson(filter, model.schema, services.clock())),
  };
}

/** What a subscriber is told of a change: the event and whether the document may be shown; undefined for nothing. */
export function told(change: Change, subscription: Subscription, grant: Grant): Change['event'] | undefined {
  if (subscription.id !== undefined && subscription.id !== change.id) return undefined;
  const before = change.before !== undefined && visible(change.before, subscription, grant);
  if (change.event === 'del') {
    const last = change.before ?? change.after;
    return last !== undefined && visible({ ...last, _deleted: false }, subscription, grant) ? 'del' : undefined;
  }
  if (change.after !== undefined && visible(change.after, subscription, grant)) return change.event;
  return before ? 'del' : undefined;
}

function visible(row: Row, { model, matches }: Subscription, grant: Grant): boolean {
  if (row['_deleted'] === true) return false;
  return (grant.rows === 'all' || String(row[ownerPath(model)]) === grant.owner) && matches(row);
}
