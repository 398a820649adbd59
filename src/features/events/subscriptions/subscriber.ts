/** A realtime subscriber: its principal, its subscriptions, and the events that it receives. */
import { timeLeft } from '../../../auth/credentials/principal-cache.ts';
import { Failure, policyFor, type Principal, tooMany } from '../../../core.ts';
import { anonymousPrincipal } from '../../../policy/principal.ts';
import type { History, SequencedChange } from '../../../realtime/changes/contract.ts';
import { maxTimerMs } from '../../../text/durations.ts';
import { maxSentAtOnce, maxWaiting, maxWaitingBytes } from './backpressure.ts';
import type { EncodedEvent, OpenSubscription, Subscriber, SubscriptionRequest, Transport } from './contract.ts';
import { FilterEvaluator } from './filter-evaluator.ts';
import { sendDocuments } from './initial-documents.ts';
import { costlyFilter } from './reasons.ts';
import type { SubscriberParts } from './subscriber-parts.ts';
import { SubscriberQueue } from './subscriber-queue.ts';
import { eventForAll, type Subscription, subscriptionFrom } from './subscription.ts';
import type { Subscriptions } from './subscriptions.ts';

type Documents = NonNullable<SubscriptionRequest['documents']>;

const maxSubscriptions = 100;
/** Maximum milliseconds for delivering the history since a position. */
const maxCatchUpMs = 60_000;

export class LiveSubscriber implements Subscriber {
  #principal: Principal = anonymousPrincipal;
  #verify = (): Promise<Principal> => Promise.resolve(anonymousPrincipal);
  #stale = false;
  /** A revalidation is already queued. */
  #revalidating = false;
  /** The time at which the credential expires, by `performance.now()`. */
  #until = Infinity;
  #endTimer: NodeJS.Timeout | undefined;
  #gone = false;
  /** The number up to which it has drained the pending changes. */
  #drained: number;
  /** Drained changes that are not delivered yet. */
  #waiting = 0;
  #waitingBytes = 0;
  readonly #queue: SubscriberQueue;

  constructor(
    readonly transport: Transport,
    readonly parts: SubscriberParts,
    readonly subscriptions: Subscriptions,
    readonly onLeave: (subscriber: LiveSubscriber) => void,
  ) {
    this.#drained = parts.changes.end;
    this.#queue = new SubscriberQueue(transport, (error) => this.#failed(error));
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** A subscriber that signed in with a token stays as long as the session is valid: the token may be refreshed meanwhile. */
  signIn(principal: Principal, verify: () => Promise<Principal>): void {
    if (this.#gone) return;
    const [before, after] = [this.#principal.user?.id, principal.user?.id];
    if (before !== after) {
      this.parts.connections.changeUser(before, after);
      this.subscriptions.clear();
    }
    const { session } = principal;
    this.#setPrincipal(principal);
    this.#verify = session === undefined ? verify : () => this.parts.auth.bySession(session);
    this.#stale = false;
  }

  #setPrincipal(principal: Principal): void {
    this.#principal = principal;
    const left = timeLeft(principal);
    this.#until = performance.now() + left;
    clearTimeout(this.#endTimer);
    if (left !== Infinity && !this.#gone)
      this.#endTimer = setTimeout(() => this.revalidate(), Math.min(left, maxTimerMs)).unref();
  }

  get #isStale(): boolean {
    return this.#stale || performance.now() >= this.#until;
  }

  /** Marks the principal as stale: it is verified again before the next event. */
  markStale(): void {
    this.#stale = true;
  }

  /** Verifies the principal now, so that a subscriber whose session has ended is disconnected. */
  revalidate(): void {
    if (this.#principal.user === undefined) return;
    this.markStale();
    if (this.#revalidating) return;
    this.#revalidating = true;
    this.enqueue(async () => {
      this.#revalidating = false;
      await this.verified();
    });
  }

  enqueue(work: () => Promise<void> | void): void {
    this.drain();
    this.#queue.add(work);
  }

  #failed(error: unknown): void {
    this.parts.log.error('a subscriber failed', error);
  }

  async verified(): Promise<Principal | undefined> {
    // if the principal becomes stale during the verification, it is verified again
    while (this.#isStale) {
      this.#stale = false;
      try {
        this.#setPrincipal(await this.#verify());
      } catch (error) {
        this.#stale = true;
        // an unreachable database does not disconnect a subscriber; nothing is delivered until it responds
        if (error instanceof Failure && error.status === 401) this.transport.end('signed out');
        return undefined;
      }
    }
    return this.#principal;
  }

  async subscribe(request: SubscriptionRequest): Promise<OpenSubscription> {
    const principal = this.#principal;
    const requested = subscriptionFrom(request, principal);
    if (this.subscriptions.size >= maxSubscriptions) throw tooMany('subscriptions', maxSubscriptions);
    const { feed } = this.parts;
    await feed.ensureDelivered(request.model);
    // changes acknowledged earlier may not have been delivered yet
    const isNew = request.since === undefined ? await feed.changedAfterNow() : undefined;
    const history = request.since === undefined ? undefined : await feed.since(request.since, request);
    const subscription = isNew === undefined ? requested : { ...requested, isNew };
    if (this.#gone) await history?.close();
    else this.#begin(subscription, history);
    const { documents } = request;
    // later changes wait behind the documents in the queue
    if (documents !== undefined) this.enqueue(() => this.#sendDocuments(subscription, documents, principal));
    // nothing has happened since it began, so that all later changes are after this position
    const isFromNowOn = history === undefined && documents === undefined;
    return { key: subscription.key, position: isFromNowOn ? feed.position() : undefined };
  }

  /** Ends the history where the subscription begins. Both happen synchronously, and the queue delivers the history first. */
  #begin(subscription: Subscription, history: History | undefined): void {
    this.drain();
    if (history !== undefined) {
      const changes = history.untilNow();
      this.enqueue(() => this.#catchUp(changes, subscription).finally(() => history.close()));
    }
    this.subscriptions.add(subscription);
  }

  async #catchUp(changes: ReturnType<History['untilNow']>, subscription: Subscription): Promise<void> {
    const until = performance.now() + maxCatchUpMs;
    try {
      for await (const change of changes) {
        if (this.#gone || !this.subscriptions.has(subscription)) return;
        if (performance.now() > until) return this.transport.end('too slow');
        await this.#deliverAll([change], [subscription]);
        await this.transport.room();
      }
    } catch (error) {
      this.parts.log.error('the history could not be read', error);
      this.transport.end('missed');
    }
  }

  /** @param principal with whose rights the documents are read */
  #sendDocuments(subscription: Subscription, documents: Documents, principal: Principal): Promise<void> {
    return sendDocuments(documents(), subscription, {
      transport: this.transport,
      parts: this.parts,
      principal,
      verified: () => this.verified(),
      isSubscribed: () => !this.#gone && this.subscriptions.has(subscription),
      room: () => this.#queue.room(),
      drop: (message) => this.#drop([subscription.key], message),
    });
  }

  unsubscribe(names: (subscription: Subscription) => boolean): readonly string[] {
    const ended = this.subscriptions.all.filter(names);
    for (const { key } of ended) this.subscriptions.delete(key);
    return ended.map(({ key }) => key);
  }

  /** Delivers the pending changes up to a number: at once if the queue is empty, otherwise after it. */
  drain(until = this.parts.changes.end): void {
    const all = this.parts.changes.between(this.#drained, until);
    this.#drained = Math.max(this.#drained, until);
    let changes: readonly SequencedChange[] = all.filter(({ model }) => this.subscriptions.hasModel(model));
    if (changes.length === 0) return;
    const subscriptions = this.subscriptions.all;
    if (this.#queue.isEmpty && !this.#isStale && !this.transport.isFull)
      changes = this.#deliver(changes, subscriptions, this.#newEvaluator());
    if (changes.length > 0) this.#defer(changes, subscriptions);
  }

  #defer(changes: readonly SequencedChange[], subscriptions: readonly Subscription[]): void {
    const { matching } = this.parts;
    const bytes = changes.reduce((sum, one) => sum + matching.sizeOf(one.before) + matching.sizeOf(one.after), 0);
    this.#waiting += changes.length;
    this.#waitingBytes += bytes;
    if (this.#waiting > maxWaiting || this.#waitingBytes > maxWaitingBytes) return this.transport.end('too slow');
    this.#queue.add(async () => {
      await this.#deliverAll(changes, subscriptions);
      this.#waiting -= changes.length;
      this.#waitingBytes -= bytes;
    });
  }

  /** Sends a heartbeat after all earlier changes have been delivered. */
  beat(position: string): void {
    this.enqueue(() => {
      for (const { sent } of this.subscriptions.all) sent?.heartbeat();
      this.transport.heartbeat(position);
    });
  }

  async #deliverAll(changes: readonly SequencedChange[], subscriptions: readonly Subscription[]): Promise<void> {
    for (let rest = changes; rest.length > 0;) {
      await this.#queue.room();
      do {
        if (this.#gone) return;
        // a change that cannot be delivered must not be skipped silently
        if ((await this.verified()) === undefined) return this.transport.end('missed');
      } while (this.#isStale);
      const evaluator = this.#newEvaluator();
      rest = this.#deliver(
        rest,
        subscriptions.filter((subscription) => this.subscriptions.has(subscription)),
        evaluator,
      );
      const { pendingMatch } = evaluator;
      if (pendingMatch !== undefined)
        await this.parts.matching.evaluate(pendingMatch, this.#principal.user?.id ?? this.parts.caller);
    }
  }

  #newEvaluator(): FilterEvaluator {
    return new FilterEvaluator(this.parts.matching, this.parts.undeletedRows);
  }

  /**
   * Delivers changes in order.
   * @returns the rest: changes that the evaluator cannot decide yet, or that exceed the size of one delivery
   */
  #deliver(
    changes: readonly SequencedChange[],
    subscriptions: readonly Subscription[],
    evaluator: FilterEvaluator,
  ): readonly SequencedChange[] {
    const events: EncodedEvent[] = [];
    let [count, bytes] = [0, 0];
    for (const change of changes) {
      if (bytes > maxSentAtOnce) break;
      const one = this.#encodeEvent(change, subscriptions, evaluator);
      if (evaluator.pendingMatch !== undefined) break;
      if (one !== undefined) events.push(one);
      bytes += one?.bytes.length ?? 0;
      count += 1;
    }
    if (events.length > 0) this.transport.send(events);
    const costly = subscriptions.filter(({ matcher }) => evaluator.isCostly(matcher)).map(({ key }) => key);
    if (costly.length > 0) this.#drop(costly, costlyFilter);
    return changes.slice(count);
  }

  #drop(keys: readonly string[], message: string): void {
    for (const key of keys) this.subscriptions.delete(key);
    this.transport.drop(keys, message);
  }

  /** Checks the rights again and encodes one event per change, even if several subscriptions match. */
  #encodeEvent(
    change: SequencedChange,
    subscriptions: readonly Subscription[],
    evaluator: FilterEvaluator,
  ): EncodedEvent | undefined {
    const policy = policyFor(this.#principal, change.model);
    if (!policy.permits('r')) return undefined;
    try {
      const event = eventForAll(change, subscriptions, { policy, evaluator });
      return event === undefined ? undefined : this.parts.encodeEvent(change, event, policy);
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  leave(): void {
    this.#gone = true;
    clearTimeout(this.#endTimer);
    this.subscriptions.clear();
    this.onLeave(this);
  }
}
