/** One who hears of changes: who they are, what they subscribe to, and what of each change reaches them. */
import type { Auth } from '../../auth/contract.ts';
import { timeLeft } from '../../auth/credentials/principal-cache.ts';
import { Failure, tooMany } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { policyFor } from '../../policy/policy.ts';
import { anonymous, type Principal } from '../../policy/principal.ts';
import type { Matching } from '../../read/matching.ts';
import type { Past, SequencedChange } from '../changes/contract.ts';
import type { MarkedFeed } from '../changes/feed-parts.ts';
import { maxFullMs, maxSentAtOnce, maxWaiting, maxWaitingBytes } from './backpressure.ts';
import type { Line } from './batcher.ts';
import type { Connections } from './connections.ts';
import type { EncodedEvent, Listener, SubscriptionRequest, Transport } from './contract.ts';
import type { EventEncoder } from './event-encoder.ts';
import { Judge } from './filter-judge.ts';
import { type Subscription, subscriptionFrom, told } from './subscription.ts';
import type { Subscriptions } from './subscriptions.ts';

const maxSubscriptions = 100;
/** Milliseconds in which what has been since a position must have been told. */
const catchUpWithin = 60_000;
/** The longest time of a timer. */
const maxTimer = 2 ** 31 - 1;

export interface ListenerParts {
  readonly auth: Pick<Auth, 'bySession'>;
  readonly connections: Connections;
  readonly feed: MarkedFeed;
  readonly line: Line;
  readonly log: Log;
  readonly matching: Matching;
  readonly encodeEvent: EventEncoder;
  /** Rows of deleted documents as they were before. */
  readonly undeletedRows: WeakMap<Row, Row>;
  /** Whose questions to the matching thread take turns, for callers without a user. */
  readonly caller: string;
}

type Row = Readonly<Record<string, unknown>>;

export class LiveListener implements Listener {
  #principal: Principal = anonymous;
  #verify = (): Promise<Principal> => Promise.resolve(anonymous);
  #stale = false;
  /** A recheck waits in the queue: another would find nothing more. */
  #rechecking = false;
  /** When the credential ends, by `performance.now()`. */
  #until = Infinity;
  #endTimer: NodeJS.Timeout | undefined;
  #gone = false;
  /** The number up to which it has taken the changes of the line. */
  #taken: number;
  /** Changes that it has taken and not been told of yet. */
  #waiting = 0;
  #waitingBytes = 0;
  /** What is in the queue and not done. */
  #jobs = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    readonly outlet: Transport,
    readonly parts: ListenerParts,
    readonly subscriptions: Subscriptions,
    readonly forget: (listener: LiveListener) => void,
  ) {
    this.#taken = parts.line.end;
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** Whoever came with a token stays as long as its session has one that holds: refreshed before it expires, it goes on. */
  signIn(principal: Principal, verify: () => Promise<Principal>): void {
    if (this.#gone) return;
    const [before, after] = [this.#principal.user?.id, principal.user?.id];
    if (before !== after) {
      this.parts.connections.changeUser(before, after);
      this.subscriptions.clear();
    }
    const { session } = principal;
    this.#take(principal);
    this.#verify = session === undefined ? verify : () => this.parts.auth.bySession(session);
    this.#stale = false;
  }

  #take(principal: Principal): void {
    this.#principal = principal;
    const left = timeLeft(principal);
    this.#until = performance.now() + left;
    clearTimeout(this.#endTimer);
    if (left !== Infinity && !this.#gone)
      this.#endTimer = setTimeout(() => this.recheck(), Math.min(left, maxTimer)).unref();
  }

  get #isInDoubt(): boolean {
    return this.#stale || performance.now() >= this.#until;
  }

  /** The rights may have changed: they are asked for again before the next event. */
  doubt(): void {
    this.#stale = true;
  }

  /** The rights are asked for again now, so that whoever's session has ended is sent away. */
  recheck(): void {
    if (this.#principal.user === undefined) return;
    this.doubt();
    if (this.#rechecking) return;
    this.#rechecking = true;
    this.enqueue(async () => {
      this.#rechecking = false;
      await this.verified();
    });
  }

  enqueue(work: () => Promise<void> | void): void {
    this.hear();
    this.#enqueue(work);
  }

  #enqueue(work: () => Promise<void> | void): void {
    this.#jobs += 1;
    this.#queue = this.#queue
      .then(() => this.#room())
      .then(work)
      .catch((error: unknown) => this.#failed(error))
      .finally(() => (this.#jobs -= 1));
  }

  /** Waits while the connection is full. A subscriber who reads nothing in time is sent away. */
  async #room(): Promise<void> {
    if (!this.outlet.isFull) return;
    const late = setTimeout(() => this.outlet.end('too slow'), maxFullMs).unref();
    await this.outlet.room();
    clearTimeout(late);
  }

  #failed(error: unknown): void {
    this.parts.log.error('a listener failed', error);
  }

  async verified(): Promise<Principal | undefined> {
    // a doubt that comes meanwhile is not answered by what was asked before it
    while (this.#isInDoubt) {
      this.#stale = false;
      try {
        this.#take(await this.#verify());
      } catch (error) {
        this.#stale = true;
        // a busy or unreachable database is no reason to send somebody away; until it answers nothing is told
        if (error instanceof Failure && error.status === 401) this.outlet.end('signed out');
        return undefined;
      }
    }
    return this.#principal;
  }

  async subscribe(wish: SubscriptionRequest): Promise<string> {
    const wished = subscriptionFrom(wish, this.#principal);
    if (this.subscriptions.size >= maxSubscriptions) throw tooMany('subscriptions', maxSubscriptions);
    const { feed } = this.parts;
    await feed.need();
    // changes that were answered before may still be on their way
    const isNew = wish.since === undefined ? await feed.mark() : undefined;
    const past = wish.since === undefined ? undefined : await feed.since(wish.since, wish);
    const subscription = isNew === undefined ? wished : { ...wished, isNew };
    if (this.#gone) await past?.close();
    else this.#begin(subscription, past);
    return subscription.key;
  }

  /** The past ends where the listening begins: both in one go, and the queue tells the one before the other. */
  #begin(subscription: Subscription, past: Past | undefined): void {
    this.hear();
    if (past !== undefined) {
      const changes = past.untilNow();
      this.enqueue(() => this.#catchUp(changes, subscription).finally(() => past.close()));
    }
    this.subscriptions.add(subscription);
  }

  async #catchUp(changes: ReturnType<Past['untilNow']>, subscription: Subscription): Promise<void> {
    const until = performance.now() + catchUpWithin;
    try {
      for await (const change of changes) {
        if (this.#gone || !this.subscriptions.has(subscription)) return;
        if (performance.now() > until) return this.outlet.end('too slow');
        await this.#tell([change], [subscription]);
        await this.outlet.room();
      }
    } catch (error) {
      this.parts.log.error('the history could not be read', error);
      this.outlet.end('missed');
    }
  }

  unsubscribe(names: (subscription: Subscription) => boolean): readonly string[] {
    const ended = this.subscriptions.all.filter(names);
    for (const { key } of ended) this.subscriptions.delete(key);
    return ended.map(({ key }) => key);
  }

  /** Takes what has happened, up to a number of the line; tells it at once where nothing else is to be done before. */
  hear(until = this.parts.line.end): void {
    const all = this.parts.line.between(this.#taken, until);
    this.#taken = Math.max(this.#taken, until);
    let changes: readonly SequencedChange[] = all.filter(({ model }) => this.subscriptions.hasModel(model));
    if (changes.length === 0) return;
    const subscriptions = this.subscriptions.all;
    if (this.#jobs === 0 && !this.#isInDoubt && !this.outlet.isFull)
      changes = this.#say(changes, subscriptions, this.#newJudge());
    if (changes.length > 0) this.#defer(changes, subscriptions);
  }

  #defer(changes: readonly SequencedChange[], subscriptions: readonly Subscription[]): void {
    const { matching } = this.parts;
    const bytes = changes.reduce((sum, one) => sum + matching.sizeOf(one.before) + matching.sizeOf(one.after), 0);
    this.#waiting += changes.length;
    this.#waitingBytes += bytes;
    if (this.#waiting > maxWaiting || this.#waitingBytes > maxWaitingBytes) return this.outlet.end('too slow');
    this.#enqueue(async () => {
      await this.#tell(changes, subscriptions);
      this.#waiting -= changes.length;
      this.#waitingBytes -= bytes;
    });
  }

  /** Shows that the server is there, when all that came before has been told. */
  beat(position: string): void {
    this.enqueue(() => this.outlet.beat(position));
  }

  async #tell(changes: readonly SequencedChange[], subscriptions: readonly Subscription[]): Promise<void> {
    for (let rest = changes; rest.length > 0;) {
      await this.#room();
      do {
        if (this.#gone) return;
        // what cannot be told now must not be passed over in silence
        if ((await this.verified()) === undefined) return this.outlet.end('missed');
      } while (this.#isInDoubt);
      const judge = this.#newJudge();
      rest = this.#say(
        rest,
        subscriptions.filter((subscription) => this.subscriptions.has(subscription)),
        judge,
      );
      const { question } = judge;
      if (question !== undefined)
        await this.parts.matching.ask(question, this.#principal.user?.id ?? this.parts.caller);
    }
  }

  #newJudge(): Judge {
    return new Judge(this.parts.matching, this.parts.undeletedRows);
  }

  /** Tells of changes in their order. @returns the rest: those that the judge cannot decide yet, or that are too much for one go */
  #say(
    changes: readonly SequencedChange[],
    subscriptions: readonly Subscription[],
    judge: Judge,
  ): readonly SequencedChange[] {
    const news: EncodedEvent[] = [];
    let [count, bytes] = [0, 0];
    for (const change of changes) {
      if (bytes > maxSentAtOnce) break;
      const one = this.#encodeEvent(change, subscriptions, judge);
      if (judge.question !== undefined) break;
      if (one !== undefined) news.push(one);
      bytes += one?.bytes.length ?? 0;
      count += 1;
    }
    if (news.length > 0) this.outlet.send(news);
    const costly = subscriptions.filter(({ matcher }) => judge.isCostly(matcher)).map(({ key }) => key);
    for (const key of costly) this.subscriptions.delete(key);
    if (costly.length > 0) this.outlet.drop(costly);
    return changes.slice(count);
  }

  /** Permission is decided again, and one change is told once, however many subscriptions it meets. */
  #encodeEvent(
    change: SequencedChange,
    subscriptions: readonly Subscription[],
    judge: Judge,
  ): EncodedEvent | undefined {
    const policy = policyFor(this.#principal, change.model);
    if (!policy.permits('r')) return undefined;
    try {
      for (const subscription of subscriptions) {
        if (subscription.model !== change.model || subscription.isNew?.(change) === false) continue;
        const event = told(change, subscription, { policy, judge });
        if (judge.isCostly(subscription.matcher)) continue;
        if (event !== undefined) return this.parts.encodeEvent(change, event, policy);
      }
    } catch (error) {
      this.#failed(error);
    }
    return undefined;
  }

  leave(): void {
    this.#gone = true;
    clearTimeout(this.#endTimer);
    this.subscriptions.clear();
    this.forget(this);
  }
}
