/** One connection: its limits for received messages and unsent events, and its end. */
import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { ClientAddress } from '../../../auth/contract.ts';
import { badRequest, tooMany } from '../../../core.ts';
import { unavailable } from '../../../errors/errors.ts';
import { maxUnsent, roomBelow } from '../subscriptions/backpressure.ts';
import type { CloseReason, EncodedEvent, Subscriber, Subscribers, Transport } from '../subscriptions/contract.ts';
import type { Actions } from './actions.ts';
import {
  aroundEvent,
  dropMessage,
  fromText,
  messageFrom,
  positionMessage,
  readyMessage,
  referenceOf,
  refusalMessage,
  successMessage,
} from './protocol.ts';

/** Bytes after which a write is full. */
const fullAt = 65_536;
/** Final frame, text. */
const text = 0x81;

/** The writes for messages that consist of parts: frames (RFC 6455, 5.2), whole, unmasked, and many per write. */
function* writesOf(messages: Iterable<readonly Buffer[]>): Generator<Buffer> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for (const message of messages) {
    const length = message.reduce((sum, part) => sum + part.length, 0);
    const head = headOf(length);
    parts.push(head, ...message);
    bytes += head.length + length;
    if (bytes < fullAt) continue;
    yield Buffer.concat(parts, bytes);
    [parts, bytes] = [[], 0];
  }
  if (bytes > 0) yield Buffer.concat(parts, bytes);
}

function headOf(length: number): Buffer {
  if (length < 126) return Buffer.from([text, length]);
  if (length < 65_536) return Buffer.from([text, 126, length >> 8, length & 255]);
  const head = Buffer.from([text, 127, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUIntBE(length, 4, 6);
  return head;
}

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
const minHeartbeatMs = 10_000;

/** The socket of a connection and its address. */
export interface SocketConnection {
  readonly socket: WebSocket;
  /** The stream that the socket writes to. */
  readonly wire: Duplex;
  readonly from: ClientAddress;
}

/** The parts that all connections share. */
export interface SharedParts {
  readonly subscribers: Subscribers;
  readonly actions: Actions;
}

export class SocketTransport implements Transport {
  readonly id = randomUUID();
  readonly #around = aroundEvent(this.id);
  readonly subscriber: Subscriber;
  /** Whether the client has requested its position. */
  #sendsPositions = false;
  /** Whether the client has answered the last ping. */
  #alive = true;
  #pingedAt = -Infinity;
  #windowBegan = 0;
  #messages = 0;
  readonly #signInTimer: NodeJS.Timeout;

  /** @throws 503 when the server stops */
  constructor(
    readonly connection: SocketConnection,
    readonly shared: SharedParts,
  ) {
    const { socket } = connection;
    this.subscriber = shared.subscribers.join(this, connection.from.address);
    this.#signInTimer = setTimeout(() => {
      if (this.subscriber.principal.user === undefined) this.#close(closeCodes.policy, 'sign in within 30 s');
    }, signInWithin);
    this.#signInTimer.unref();
    socket.on('message', (bytes, isBinary) => this.#receive(bytes as Buffer, isBinary));
    socket.on('pong', () => (this.#alive = true));
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      clearTimeout(this.#signInTimer);
      this.subscriber.leave();
    });
  }

  send(events: readonly EncodedEvent[]): void {
    const [before, after] = this.#around;
    for (const bytes of writesOf(events.map((one) => [before, one.bytes, after]))) {
      if (!this.#isOpen) return;
      this.connection.wire.write(bytes);
    }
  }

  get #isOpen(): boolean {
    return this.connection.socket.readyState === this.connection.socket.OPEN;
  }

  get isFull(): boolean {
    return this.#isOpen && this.connection.socket.bufferedAmount > maxUnsent;
  }

  /** Resolves when the last message has been passed to the socket. */
  room(): Promise<void> {
    const { socket } = this.connection;
    if (!this.#isOpen || socket.bufferedAmount < roomBelow) return Promise.resolve();
    return new Promise((done) => socket.ping(undefined, undefined, () => done()));
  }

  /** Sends a ping. A client that has not answered the last one is disconnected. */
  heartbeat(position: string): void {
    if (this.#sendsPositions) this.#sendText(positionMessage(position, this.id));
    const now = performance.now();
    // delayed heartbeats arrive together and leave no time for an answer between them
    if (now - this.#pingedAt < minHeartbeatMs) return;
    this.#pingedAt = now;
    if (!this.#alive) this.connection.socket.terminate();
    this.#alive = false;
    if (this.#isOpen) this.connection.socket.ping();
  }

  ready(subscription: string, position: string): void {
    this.#sendText(readyMessage(subscription, position, this.id));
  }

  end(why: CloseReason): void {
    this.#close(endings[why], why);
  }

  drop(subscriptions: readonly string[], message: string): void {
    this.#sendText(dropMessage(subscriptions, message, this.id));
  }

  #sendText(text: string): void {
    if (this.#isOpen) this.connection.socket.send(text);
  }

  #close(code: number, reason: string): void {
    this.subscriber.leave();
    this.connection.socket.close(code, reason);
  }

  #receive(bytes: Buffer, isBinary: boolean): void {
    if (isBinary) return this.#close(closeCodes.unsupported, 'send text');
    if (!this.#isWithinRate()) {
      this.#sendText(refusalMessage(referenceOf(undefined), this.id, tooMany('messages in 10 s', maxMessages)));
      return this.#close(closeCodes.policy, 'too many messages');
    }
    const value = fromText(bytes.toString('utf8'));
    this.subscriber.enqueue(() => this.#answer(value));
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
      // of a socket whose session has ended nothing is sent; without the database, every message still has an answer
      if (message.action !== 'auth' && (await this.subscriber.verified()) === undefined) throw unavailable();
      const sendPositions = (): void => void (this.#sendsPositions = true);
      const connection = { from: this.connection.from, subscriber: this.subscriber, sendPositions };
      this.#sendText(successMessage(message, this.id, (await action(message.data, connection)) ?? null));
    } catch (error) {
      this.#sendText(refusalMessage(referenceOf(value), this.id, error));
    }
  }
}
