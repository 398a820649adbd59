/** A client of the wire protocol that sends any bytes: valid and invalid messages and commands. */
import { connect, type Socket } from 'node:net';
import { deserialize, type Document, serialize } from 'bson';
import type { Address } from '../../src/wire/address.ts';

/** Maximum milliseconds until a reply or the end of the connection. */
const patience = 25_000;

/** The parts of a message. */
export interface MessageParts {
  readonly operation?: number;
  readonly flags?: number;
  /** What follows the header. */
  readonly rest: Uint8Array;
  /** The declared length of the message. */
  readonly length?: number;
}

/** The bytes of a message. */
export function messageOf({ operation = 2013, rest, length = 16 + rest.length }: MessageParts): Buffer {
  const head = Buffer.alloc(16);
  head.writeInt32LE(length, 0);
  head.writeInt32LE(7, 4);
  head.writeInt32LE(operation, 12);
  return Buffer.concat([head, rest]);
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value >>> 0);
  return bytes;
};

/** An OP_MSG with one section of kind 0. */
export const bodyMessage = (bson: Uint8Array, flags = 0): Buffer =>
  messageOf({ rest: Buffer.concat([int32(flags), Buffer.from([0]), bson]) });

/** A command as an OP_MSG. */
export const commandMessage = (command: Document, flags = 0): Buffer => bodyMessage(serialize(command), flags);

/** An OP_QUERY, as drivers sent it before MongoDB 3.6. */
export const queryMessage = (namespace: string, query: Document): Buffer =>
  messageOf({
    operation: 2004,
    rest: Buffer.concat([int32(4), Buffer.from(`${namespace}\0`), int32(0), int32(-1), serialize(query)]),
  });

/** The document of a reply, and its operation code. */
export interface Answer {
  readonly operation: number;
  readonly document: Document;
}

/** One connection. */
export class RawConnection {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (piece) => {
      this.#received = Buffer.concat([this.#received, piece]);
      this.#wake();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** Connects to a store. */
  static async to(address: Address): Promise<RawConnection> {
    const socket =
      address.kind === 'socket' ? connect(address.path) : connect(address.port, address.hosts[0] ?? '127.0.0.1');
    await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
    return new RawConnection(socket);
  }

  send(bytes: Uint8Array): void {
    this.#socket.write(bytes);
  }

  /** The next reply; undefined if the store has closed the connection. */
  async next(): Promise<Answer | undefined> {
    for (;;) {
      const length = this.#received.length < 4 ? Number.POSITIVE_INFINITY : this.#received.readInt32LE(0);
      if (this.#received.length >= length) return this.#take(length);
      if (this.#ended) return undefined;
      await this.#more();
    }
  }

  #take(length: number): Answer {
    const message = this.#received.subarray(0, length);
    this.#received = this.#received.subarray(length);
    const operation = message.readInt32LE(12);
    return { operation, document: deserialize(message.subarray(operation === 1 ? 36 : 21)) };
  }

  #more(): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => reject(new Error('neither an answer nor the end of the connection')), patience);
      this.#wake = () => {
        clearTimeout(late);
        resolve();
      };
    });
  }

  /** Stops reading. */
  pause(): void {
    this.#socket.pause();
  }

  /** Sends a command and waits for its reply. */
  async command(command: Document): Promise<Document | undefined> {
    this.send(commandMessage({ ...command, $db: (command['$db'] as string | undefined) ?? 'admin' }));
    return (await this.next())?.document;
  }

  close(): void {
    this.#socket.destroy();
  }
}
