/** One connection: reads requests, answers them in order, and interrupts the running one when the connection ends. */
import type { Socket } from 'node:net';
import { StoreError } from 'dossier-language/errors';
import type { Client } from '../commands/context.ts';
import { failureFields, replyTo } from '../commands/run.ts';
import type { Engine } from '../engine/engine.ts';
import type { Operation } from '../engine/operation.ts';
import { maxMessageLength, type Reply, type Request } from '../protocol.ts';
import { FrameReader, headerLength, maxMessageBeforeLogin } from './frame.ts';
import { readMessage } from './message.ts';
import { writeReply } from './reply.ts';

/** Maximum bytes of waiting requests, in maximum message lengths. */
const maxWaiting = 2;

/** Serves a connection until either side ends it. */
export class Connection {
  readonly #socket: Socket;
  readonly #engine: Engine;
  readonly #client: Client;
  readonly #frames = new FrameReader();
  readonly #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #busy = false;
  #operation: Operation | undefined;
  #responses = 0;

  constructor(socket: Socket, engine: Engine, client: Client) {
    this.#socket = socket;
    this.#engine = engine;
    this.#client = client;
    socket.setNoDelay(true);
    socket.on('data', (piece) => this.#receive(piece));
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#operation?.interrupt());
  }

  #receive(piece: Buffer): void {
    const limit = this.#client.login.needed ? maxMessageBeforeLogin : maxMessageLength;
    try {
      for (const message of this.#frames.push(piece, limit)) {
        this.#waiting.push(message);
        this.#waitingBytes += message.length;
      }
    } catch {
      this.#socket.destroy();
      return;
    }
    if (this.#waitingBytes > limit * maxWaiting) this.#socket.destroy();
    else if (!this.#busy) this.#processWaiting().catch(() => this.#socket.destroy());
  }

  async #processWaiting(): Promise<void> {
    this.#busy = true;
    for (;;) {
      const message = this.#waiting.shift();
      if (message === undefined || this.#socket.destroyed || this.#client.login.exhausted) break;
      this.#waitingBytes -= message.length;
      await this.#serve(message);
      if (this.#socket.writableNeedDrain) await this.#drained();
    }
    this.#busy = false;
  }

  async #serve(message: Buffer): Promise<void> {
    const request = this.#read(message);
    if (request === undefined) return;
    const reply = await replyTo(this.#engine, this.#client, request, (operation) => {
      this.#operation = operation;
    });
    this.#operation = undefined;
    if (!request.silent) this.#write(request, reply);
    if (this.#client.login.exhausted) this.#socket.destroySoon();
  }

  /** Waits until the client has read the replies so far, so that they do not accumulate. */
  #drained(): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#socket.off('drain', done).off('close', done);
        resolve();
      };
      this.#socket.on('drain', done).on('close', done);
    });
  }

  /** Reads the request of a message. An invalid command gets an error reply; anything else ends the connection. */
  #read(message: Buffer): Request | undefined {
    try {
      return readMessage(message);
    } catch (error) {
      if (!(error instanceof StoreError) || error.code === 17 || message.length < headerLength) {
        this.#socket.destroy();
        return undefined;
      }
      const requestId = message.readInt32LE(4);
      this.#write(
        { requestId, body: {}, sequences: new Map(), silent: false, legacy: false },
        { fields: failureFields(error) },
      );
      return undefined;
    }
  }

  #write(request: Request, reply: Reply): void {
    if (this.#socket.destroyed) return;
    this.#responses += 1;
    try {
      this.#socket.write(writeReply(request, reply, this.#responses));
    } catch (error) {
      this.#socket.write(writeReply(request, { fields: failureFields(error) }, this.#responses));
    }
  }
}
