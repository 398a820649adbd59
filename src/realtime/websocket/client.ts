/** One connection: its limits for received messages and unsent events, and its end. */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ClientAddress } from '../../auth/contract.ts';
import { badRequest, tooMany } from '../../errors.ts';
import { maxUnsent, roomBelow } from '../subscriptions/backpressure.ts';
import type { CloseReason, EncodedEvent, Listener, Live, Transport } from '../subscriptions/contract.ts';
import type { Actions } from './actions.ts';
import { writesOf } from './frames.ts';
import { aroundEvent, dropped, fromText, messageFrom, okay, reached, referenceOf, refused } from './protocol.ts';

/** Close codes (RFC 6455, 7.4.1; 1013 is registered for "try again later"). */
export const closeCodes = { goingAway: 1001, unsupported: 1003, policy: 1008, slow: 1013 } as const;

const endings: Readonly<Record<CloseReason, number>> = {
  'signed out': closeCodes.policy,
  'too slow': closeCodes.slow,
  missed: closeCodes.slow,
  stopping: closeCodes.goingAway,
};

const maxMessages = 100;
const messageWindow = 10_000;
const signInWithin = 30_000;
/** Minimum milliseconds between two pings, within which the client must answer; pings are sent every half minute. */
const minBeatMs = 10_000;
/** The socket of a connection and its address. */
export interface Ends {
  readonly socket: WebSocket;
  /** The stream that the socket writes to. */
  readonly wire: Duplex;
  readonly from: ClientAddress;
}

/** The parts that all connections share. */
export interface Shared {
  readonly live: Live;
  readonly actions: Actions;
}

export class Client implements Transport {
  readonly id = randomUUID();
  readonly #around = aroundEvent(this.id);
  readonly listener: Listener;
  /** Whether the client asked for its position. */
  #sendsPositions = false;
  /** Whether the client has answered the last ping. */
  #alive = true;
  #pingedAt = -Infinity;
  #windowBegan = 0;
  #messages = 0;
  readonly #signInTimer: NodeJS.Timeout;

  /** @throws 503 when the server stops */
  constructor(
    readonly ends: Ends,
    readonly shared: Shared,
  ) {
    const { socket } = ends;
    this.listener = shared.live.join(this, ends.from.address);
    this.#signInTimer = setTimeout(() => {
      if (this.listener.principal.user === undefined) this.#close(closeCodes.policy, 'sign in within 30 s');
    }, signInWithin);
    this.#signInTimer.unref();
    socket.on('message', (bytes, isBinary) => this.#receive(bytes as Buffer, isBinary));
    socket.on('pong', () => (this.#alive = true));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(this.#signInTimer);
      this.listener.leave();
    });
  }

  send(events: readonly EncodedEvent[]): void {
    const [before, after] = this.#around;
    for (const bytes of writesOf(events.map((one) => [before, one.bytes, after]))) {
      if (!this.#isOpen) return;
      this.ends.wire.write(bytes);
    }
  }

  get #isOpen(): boolean {
    return this.ends.socket.readyState === this.ends.socket.OPEN;
  }

  get isFull(): boolean {
    return this.#isOpen && this.ends.socket.bufferedAmount > maxUnsent;
  }

  /** Resolves when the last message has been passed to the socket. */
  room(): Promise<void> {
    const { socket } = this.ends;
    if (!this.#isOpen || socket.bufferedAmount < roomBelow) return Promise.resolve();
    return new Promise((done) => socket.ping(undefined, undefined, () => done()));
  }

  /** Sends a ping. A client that has not answered the last one is disconnected. */
  beat(position: string): void {
    if (this.#sendsPositions) this.#say(reached(position, this.id));
    const now = performance.now();
    // delayed heartbeats arrive together and leave no time for an answer between them
    if (now - this.#pingedAt < minBeatMs) return;
    this.#pingedAt = now;
    if (!this.#alive) this.ends.socket.terminate();
    this.#alive = false;
    if (this.#isOpen) this.ends.socket.ping();
  }

  end(why: CloseReason): void {
    this.#close(endings[why], why);
  }

  drop(subscriptions: readonly string[]): void {
    this.#say(dropped(subscriptions, this.id));
  }

  #say(text: string): void {
    if (this.#isOpen) this.ends.socket.send(text);
  }

  #close(code: number, reason: string): void {
    this.listener.leave();
    this.ends.socket.close(code, reason);
  }

  #receive(bytes: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#close(closeCodes.unsupported, 'send text');
    if (!this.#isWithinRate()) {
      this.#say(refused(referenceOf(undefined), this.id, tooMany('messages in 10 s', maxMessages)));
      return this.#close(closeCodes.policy, 'too many messages');
    }
    const value = fromText(bytes.toString('utf8'));
    this.listener.enqueue(() => this.#answer(value));
  }

  #isWithinRate(): boolean {
    const now = performance.now();
    if (now - this.#windowBegan > messageWindow) {
      this.#windowBegan = now;
      this.#messages = 0;
    }
    this.#messages += 1;
    return this.#messages <= maxMessages;
  }

  async #answer(value: unknown): Promise<void> {
    try {
      const message = messageFrom(value);
      const action = this.shared.actions.get(message.action);
      if (action === undefined) throw badRequest(`no action is named ${JSON.stringify(message.action.slice(0, 40))}`);
      if (message.action !== 'auth' && (await this.listener.verified()) === undefined) return;
      const sendPositions = (): void => void (this.#sendsPositions = true);
      const connection = { from: this.ends.from, listener: this.listener, sendPositions };
      this.#say(okay(message, this.id, (await action(message.data, connection)) ?? null));
    } catch (error) {
      this.#say(refused(referenceOf(value), this.id, error));
    }
  }
}
