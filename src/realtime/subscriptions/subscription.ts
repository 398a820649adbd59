/** A subscription: a model or one document, and a filter; and what a change means to it. */
import { randomUUID } from 'node:crypto';
import { requireLetter } from '../../policy/decide.ts';
import type { Principal } from '../../policy/principal.ts';
import type { Policy } from '../../policy/policy.ts';
import { matcherOf, type RowMatcher } from '../../read/matches.ts';
import type { Judge } from './filter-judge.ts';
import type { Change, SequencedChange, Scope } from '../changes/contract.ts';
import type { SubscriptionRequest } from './contract.ts';

type Row = Readonly<Record<string, unknown>>;

export interface Subscription extends Scope {
  readonly key: string;
  /** Undefined where every document is meant. */
  readonly matcher: RowMatcher | undefined;
  /** Whether a change was made after the subscription began; all are where it is missing. */
  readonly isNew?: (change: SequencedChange) => boolean;
}

/** What a caller wants to hear of. @throws 401, 403 */
export function subscriptionFrom({ model, id, filter }: SubscriptionRequest, principal: Principal): Subscription {
  requireLetter(principal, 'r', model);
  return { key: randomUUID(), model, id, matcher: filter === undefined ? undefined : matcherOf(filter, model) };
}

/** Who looks at a change: under which policy, and with whose verdicts on filters. */
export interface Viewer {
  readonly policy: Policy;
  readonly judge: Judge;
}

/** What a subscriber is told of a change; undefined for nothing. Worth nothing when the judge does not know all that it was asked. */
export function told(change: Change, subscription: Subscription, viewer: Viewer): Change['event'] | undefined {
  if (subscription.id !== undefined && subscription.id !== change.id) return undefined;
  if (change.event === 'del') return isGone(change, subscription, viewer) ? 'del' : undefined;
  if (change.after !== undefined && visible(change.after, subscription, viewer))
    return change.event === 'put' && entersRule(change, viewer) ? 'post' : change.event;
  return change.before !== undefined && visible(change.before, subscription, viewer) ? 'del' : undefined;
}

/** Whether a rule gives the caller the document only as it is now. */
const entersRule = ({ before }: Change, { policy }: Viewer): boolean =>
  before !== undefined && policy.hasRules('r') && !policy.admits('r', before);

function isGone({ before, after }: Change, subscription: Subscription, viewer: Viewer): boolean {
  const last = before ?? after;
  // nobody knows what it was: it is told to those who could read it whatever it was
  if (last === undefined) return viewer.policy.rows('r') === 'all';
  // it was gone already
  if (before?.['_deleted'] === true) return false;
  return visible(viewer.judge.undeleted(last), subscription, viewer);
}

function visible(row: Row, { matcher }: Subscription, { policy, judge }: Viewer): boolean {
  if (row['_deleted'] === true) return false;
  if (!policy.admits('r', row)) return false;
  return matcher === undefined || judge.matches(row, matcher);
}
