/** Splits the bytes of a connection into wire protocol messages. */
import { StoreError } from 'dossier-language/errors';
import { maxMessageLength } from '../protocol.ts';

/** Bytes of a message header. */
export const headerLength = 16;

/** Maximum bytes of a message before authentication: a `hello` or an authentication step is much smaller. */
export const maxMessageBeforeLogin = 16_384;

/** Collects received bytes and returns whole messages. */
export class FrameReader {
  #pieces: Buffer[] = [];
  #size = 0;

  /**
   * Adds received bytes and returns the messages that are complete.
   * @throws StoreError 17 if a message declares a length below its header or above the limit
   */
  push(piece: Buffer, limit = maxMessageLength): Buffer[] {
    this.#pieces.push(piece);
    this.#size += piece.length;
    const messages: Buffer[] = [];
    for (;;) {
      const length = this.#nextLength(limit);
      if (length === undefined || this.#size < length) return messages;
      messages.push(this.#take(length));
    }
  }

  #nextLength(limit: number): number | undefined {
    if (this.#size < 4) return undefined;
    if ((this.#pieces[0]?.length ?? 0) < 4) this.#pieces = [Buffer.concat(this.#pieces)];
    const length = this.#pieces[0]?.readInt32LE(0) ?? 0;
    if (length < headerLength || length > limit) {
      throw new StoreError(17, `a message must have from ${headerLength} to ${limit} bytes, got ${length}`);
    }
    return length;
  }

  #take(length: number): Buffer {
    const all = this.#pieces.length === 1 ? this.#pieces[0] : Buffer.concat(this.#pieces, this.#size);
    const whole = all ?? Buffer.alloc(0);
    const rest = whole.subarray(length);
    this.#pieces = rest.length === 0 ? [] : [rest];
    this.#size = rest.length;
    return whole.subarray(0, length);
  }
}
