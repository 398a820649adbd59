/** One who hears of changes: who they are, what they subscribe to, and what of each change reaches them. */
import { decide } from '../access/decide.ts';
import { anonymous, type Principal } from '../access/principal.ts';
import { Failure, tooMany } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Auth, Feed, Listener, Outlet, Past, Placed, Wish } from '../services.ts';
import type { NewsOf } from './news.ts';
import { subscriptionFrom, told, type Subscription } from './subscription.ts';
import type { Subscriptions } from './subscriptions.ts';

const mostSubscriptions = 100;
/** Changes that may wait for one who is still being told of earlier ones. */
const mostWaiting = 10_000;
/** Milliseconds in which what has been since a position must have been told. */
const catchUpWithin = 60_000;

export interface ListenerParts {
  readonly auth: Pick<Auth, 'bySession'>;
  readonly feed: Feed;
  readonly log: Log;
  readonly newsOf: NewsOf;
}

export class LiveListener implements Listener {
  #principal: Principal = anonymous;
  #verify: (() => Promise<Principal>) | undefined;
  #stale = false;
  #gone = false;
  #waiting = 0;
  #queue: Promise<void> = Promise.resolve();

  constructor(
    readonly outlet: Outlet,
    readonly parts: ListenerParts,
    readonly subscriptions: Subscriptions,
    readonly forget: (listener: LiveListener) => void,
  ) {}

  get principal(): Principal {
    return this.#principal;
  }

  /** Whoever came with a token stays as long as its session does. */
  signIn(principal: Principal, verify: () => Promise<Principal>): void {
    if (this.#principal.user?.id !== principal.user?.id) this.subscriptions.clear();
    const { session } = principal;
    this.#principal = principal;
    this.#verify = session === undefined ? verify : () => this.parts.auth.bySession(session);
    this.#stale = false;
  }

  /** The rights may have changed: they are asked for again before the next event. */
  doubt(): void {
    this.#stale = true;
  }

  /** The rights are asked for again now, so that whoever's session has ended is sent away. */
  recheck(): void {
    if (this.#principal.user === undefined) return;
    this.doubt();
    this.enqueue(async () => void (await this.verified()));
  }

  enqueue(work: () => Promise<void> | void): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => this.parts.log.error('a listener failed', error));
  }

  async verified(): Promise<Principal | undefined> {
    if (!this.#stale || this.#verify === undefined) return this.#principal;
    try {
      this.#principal = await this.#verify();
      this.#stale = false;
      return this.#principal;
    } catch (error) {
      // a busy or unreachable database is no reason to send somebody away; until it answers nothing is told
      if (error instanceof Failure && error.status === 401) this.outlet.end('signed out');
      return undefined;
    }
  }

  async subscribe(wish: Wish): Promise<string> {
    const subscription = subscriptionFrom(wish, this.#principal);
    if (this.subscriptions.size >= mostSubscriptions) throw tooMany('subscriptions', mostSubscriptions);
    const { feed } = this.parts;
    await feed.need();
    const past = wish.since === undefined ? undefined : await feed.since(wish.since, wish);
    if (this.#gone) await past?.close();
    else this.#begin(subscription, past);
    return subscription.key;
  }

  /** The past ends where the listening begins: both in one go, and the queue tells the one before the other. */
  #begin(subscription: Subscription, past: Past | undefined): void {
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
        await this.#tell(change, [subscription]);
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

  /** Takes a change that has just happened. */
  hear(change: Placed): void {
    if (!this.subscriptions.hasModel(change.model)) return;
    this.#waiting += 1;
    if (this.#waiting > mostWaiting) return this.outlet.end('too slow');
    this.enqueue(() => {
      this.#waiting -= 1;
      return this.#tell(change, this.subscriptions.all);
    });
  }

  /** Shows that the server is there, when all that came before has been told. */
  beat(position: string): void {
    this.enqueue(() => this.outlet.beat(position));
  }

  /** Permission is decided again, and one change is told once, however many subscriptions it meets. */
  async #tell(change: Placed, subscriptions: readonly Subscription[]): Promise<void> {
    if (this.#gone) return;
    const principal = await this.verified();
    // what cannot be told now must not be passed over in silence
    if (principal === undefined) return this.outlet.end('missed');
    const grant = decide(principal, 'r', change.model);
    if (grant === undefined || this.#gone) return;
    for (const subscription of subscriptions) {
      const event = subscription.model === change.model ? told(change, subscription, grant) : undefined;
      if (event !== undefined) return this.outlet.send(this.parts.newsOf(change, event));
    }
  }

  leave(): void {
    this.#gone = true;
    this.subscriptions.clear();
    this.forget(this);
  }
}
