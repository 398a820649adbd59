/** One connection: who it is, what it subscribes to, how much it may say, and how much it may leave unread. */
import { randomUUID } from 'node:crypto';
import type { WebSocket } from 'ws';
import { anonymous, type Principal } from '../access/principal.ts';
import { badRequest, Failure, tooMany } from '../errors.ts';
import type { Services } from '../services.ts';
import { actions } from './actions.ts';
import { fromText, messageFrom, okay, referenceOf, refused } from './protocol.ts';
import type { Subscriptions } from './subscriptions.ts';

/** Close codes (RFC 6455, 7.4.1; 1013 is registered for "try again later"). */
export const closeCodes = { goingAway: 1001, unsupported: 1003, policy: 1008, slow: 1013 } as const;

const mostMessages = 100;
const messageWindow = 10_000;
const signInWithin = 30_000;
const mostUnsent = 1_048_576;

export class Client {
  readonly id = randomUUID();
  /** It has answered the last ping. */
  alive = true;
  #principal: Principal = anonymous;
  #verify: (() => Promise<Principal>) | undefined;
  #stale = false;
  #windowBegan = 0;
  #messages = 0;
  /** Messages and events are worked off one after the other. */
  #queue: Promise<void> = Promise.resolve();
  readonly #signInTimer: NodeJS.Timeout;

  constructor(
    readonly socket: WebSocket,
    readonly services: Services,
    readonly subscriptions: Subscriptions,
    /** Where it connects from. */
    readonly address: string,
  ) {
    this.#signInTimer = setTimeout(() => {
      if (this.#principal.user === undefined) this.close(closeCodes.policy, 'sign in within 30 s');
    }, signInWithin);
    this.#signInTimer.unref();
    socket.on('message', (bytes, isBinary) => this.#receive(bytes as Buffer, isBinary));
    socket.on('pong', () => (this.alive = true));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(this.#signInTimer);
      this.subscriptions.clear();
    });
  }

  get principal(): Principal {
    return this.#principal;
  }

  /** Takes a principal; subscriptions of somebody else end. Whoever came with a token stays as long as its session does. */
  signIn(principal: Principal, verify: () => Promise<Principal>): void {
    if (this.#principal.user?.id !== principal.user?.id) this.subscriptions.clear();
    const { session } = principal;
    this.#principal = principal;
    this.#verify = session === undefined ? verify : () => this.services.auth.bySession(session);
    this.#stale = false;
  }

  /** The rights may have changed: they are asked for again before the next event. */
  doubt(): void {
    this.#stale = true;
  }

  /** The rights are asked for again now, so that the socket of a session that has ended is closed. */
  recheck(): void {
    if (this.#principal.user === undefined) return;
    this.doubt();
    this.enqueue(async () => void (await this.verified()));
  }

  /** Does work after what is under way. */
  enqueue(work: () => Promise<void> | void): void {
    this.#queue = this.#queue.then(work).catch((error: unknown) => this.services.log.error('a socket failed', error));
  }

  /** The principal as they are now; closes the socket when the credential no longer holds. */
  async verified(): Promise<Principal | undefined> {
    if (!this.#stale || this.#verify === undefined) return this.#principal;
    try {
      this.#principal = await this.#verify();
      this.#stale = false;
      return this.#principal;
    } catch (error) {
      // a busy or unreachable database is no reason to send somebody away; until it answers nothing is told
      if (error instanceof Failure && error.status === 401) this.close(closeCodes.policy, 'signed out');
      return undefined;
    }
  }

  /** Sends a text, unless too much is unsent already: then the reader is too slow. */
  send(text: string): void {
    if (this.socket.readyState !== this.socket.OPEN) return;
    if (this.socket.bufferedAmount > mostUnsent) this.close(closeCodes.slow, 'too slow');
    else this.socket.send(text);
  }

  close(code: number, reason: string): void {
    this.subscriptions.clear();
    this.socket.close(code, reason);
    // a reader that does not read does not answer the close either
    setTimeout(() => this.socket.terminate(), 2000).unref();
  }

  #receive(bytes: Buffer, isBinary: boolean): void {
    if (isBinary) return this.close(closeCodes.unsupported, 'send text');
    if (!this.#mayTalk()) {
      this.send(refused(referenceOf(undefined), this.id, tooMany('messages in 10 s', mostMessages)));
      return this.close(closeCodes.policy, 'too many messages');
    }
    const value = fromText(bytes.toString('utf8'));
    this.enqueue(() => this.#answer(value));
  }

  #mayTalk(): boolean {
    const now = performance.now();
    if (now - this.#windowBegan > messageWindow) {
      this.#windowBegan = now;
      this.#messages = 0;
    }
    this.#messages += 1;
    return this.#messages <= mostMessages;
  }

  async #answer(value: unknown): Promise<void> {
    try {
      const message = messageFrom(value);
      const action = actions.get(message.action);
      if (action === undefined) throw badRequest(`there is no action ${JSON.stringify(message.action.slice(0, 40))}`);
      if (message.action !== 'auth' && (await this.verified()) === undefined) return;
      this.send(okay(message, this.id, (await action.run(message.data, this, this.services)) ?? null));
    } catch (error) {
      this.send(refused(referenceOf(value), this.id, error));
    }
  }
}
