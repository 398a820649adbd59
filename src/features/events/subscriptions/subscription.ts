/** A subscription to a model or a document, with an optional filter, and the events that changes cause for it. */
import { randomUUID } from 'node:crypto';
import type { Policy, Principal } from '../../../core.ts';
import { requireLetter } from '../../../policy/grants.ts';
import { matcherOf, type RowMatcher } from '../../../read/matches.ts';
import type { Change, Scope, SequencedChange } from '../../../realtime/changes/contract.ts';
import type { Row, SubscriptionRequest } from './contract.ts';
import type { FilterEvaluator } from './filter-evaluator.ts';
import { SentDocuments } from './sent-documents.ts';

export interface Subscription extends Scope {
  readonly key: string;
  /** Undefined if the subscription has no filter. */
  readonly matcher: RowMatcher | undefined;
  /** The documents that it began with. */
  readonly sent?: SentDocuments;
  /** Whether a change was made after the subscription began; without it, every change counts. */
  readonly isNew?: (change: SequencedChange) => boolean;
}

/** Creates a subscription for a caller. @throws 401, 403 */
export function subscriptionFrom(
  { model, id, filter, documents }: SubscriptionRequest,
  principal: Principal,
): Subscription {
  requireLetter(principal, 'r', model);
  const matcher = filter === undefined ? undefined : matcherOf(filter, model);
  return { key: randomUUID(), model, id, matcher, ...(documents === undefined ? {} : { sent: new SentDocuments() }) };
}

/** The policy and the filter evaluator for one delivery. */
export interface DeliveryContext {
  readonly policy: Policy;
  readonly evaluator: Pick<FilterEvaluator, 'matches' | 'undeleted' | 'pendingMatch' | 'isCostly'>;
}

/**
 * The event of a change for all subscriptions together, unless their documents contain the change already: a document that one of them
 * loses is gone only where no other one shows it. The result is provisional while the evaluator has a pending match, and counts as sent
 * only without one.
 */
export function eventForAll(
  change: SequencedChange,
  subscriptions: readonly Subscription[],
  context: DeliveryContext,
): Change['event'] | undefined {
  const { evaluator, policy } = context;
  const found: (readonly [Subscription, Change['event']])[] = [];
  for (const subscription of subscriptions) {
    if (subscription.model !== change.model || subscription.isNew?.(change) === false) continue;
    const event = eventFor(change, subscription, context);
    if (evaluator.pendingMatch !== undefined) return event;
    if (event === undefined || evaluator.isCostly(subscription.matcher)) continue;
    found.push([subscription, event]);
    const isFinal = event !== 'del' || change.event === 'del';
    if (isFinal && subscription.sent === undefined) break;
  }
  // what was sent is recorded last: a pending match begins the change again
  const events = found
    .filter(([{ sent }, event]) => sent?.repeats(change, event, policy) !== true)
    .map(([, event]) => event);
  return events.find((event) => event !== 'del') ?? events[0];
}

/** The event of a change for a subscription, if any. */
function eventFor(change: Change, subscription: Subscription, context: DeliveryContext): Change['event'] | undefined {
  if (subscription.id !== undefined && subscription.id !== change.id) return undefined;
  if (change.event === 'del') return isGone(change, subscription, context) ? 'del' : undefined;
  if (change.after !== undefined && visible(change.after, subscription, context))
    return change.event === 'put' && entersRule(change, context) ? 'post' : change.event;
  return change.before !== undefined && visible(change.before, subscription, context) ? 'del' : undefined;
}

/** Whether a rule gives the caller the document only as it is now. */
const entersRule = ({ before }: Change, { policy }: DeliveryContext): boolean =>
  before !== undefined && policy.hasRules('r') && !policy.admits('r', before);

function isGone({ before, after }: Change, subscription: Subscription, context: DeliveryContext): boolean {
  const last = before ?? after;
  // the document is unknown: only subscribers that may read every document receive the event
  if (last === undefined) return context.policy.rows('r') === 'all';
  // the document was already deleted
  if (before?.['_deleted'] === true) return false;
  return visible(context.evaluator.undeleted(last), subscription, context);
}

function visible(row: Row, { matcher }: Subscription, { policy, evaluator }: DeliveryContext): boolean {
  if (row['_deleted'] === true) return false;
  if (!policy.admits('r', row)) return false;
  return matcher === undefined || evaluator.matches(row, matcher);
}
