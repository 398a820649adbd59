/** Server-Sent Events (WHATWG HTML, 9.2): one subscription as the body of an answer. */
import type { Principal } from '../../policy/principal.ts';
import type { Feed } from '../changes/contract.ts';
import { maxUnsent, roomBelow } from './backpressure.ts';
import type { CloseReason, EncodedEvent, Live, SubscriptionRequest, Transport } from './contract.ts';
import { costlyFilter } from './reasons.ts';

/** Milliseconds after which a browser reconnects. */
const retry = 2000;
/** Milliseconds after which a browser reconnects if its filter costs too much. */
const retryCostly = 60_000;

/** The queue of unsent chunks. */
class Pieces implements Transport {
  #pieces: string[] = [];
  #unsent = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(readonly cut: AbortController) {}

  send(events: readonly EncodedEvent[]): void {
    this.push(events.map(({ position, json }) => `id: ${position}\ndata: ${json}\n\n`).join(''));
  }

  beat(position: string): void {
    this.push(`id: ${position}\n: ping\n\n`);
  }

  push(piece: string): void {
    if (this.#ended) return;
    this.#pieces.push(piece);
    this.#unsent += piece.length;
    this.#wake?.();
  }

  get isFull(): boolean {
    return !this.#ended && this.#unsent > maxUnsent;
  }

  room(): Promise<void> {
    if (this.#ended || this.#unsent < roomBelow) return Promise.resolve();
    return new Promise((done) => this.#waiting.add(done));
  }

  /**
   * Ends the stream, which is one subscription. The browser waits before it reconnects, because the same document would end the
   * subscription again.
   */
  drop(): void {
    this.push(`retry: ${retryCostly}\nevent: ended\ndata: ${JSON.stringify({ message: costlyFilter })}\n\n`);
    this.#finish();
  }

  end(why: CloseReason): void {
    // a subscriber that does not read would never reach the end of the stream
    if (why === 'too slow') this.cut.abort();
    this.#finish();
  }

  #finish(): void {
    this.#ended = true;
    this.#wake?.();
    this.#release();
  }

  /** The chunks in order, until the stream ends. */
  async *chunks(): AsyncGenerator<string> {
    for (;;) {
      const piece = this.#pieces.shift();
      if (piece !== undefined) {
        yield piece;
        this.#unsent -= piece.length;
        if (this.#unsent < roomBelow) this.#release();
      } else if (this.#ended) return;
      else await new Promise<void>((wake) => (this.#wake = wake));
    }
  }

  #release(): void {
    for (const done of this.#waiting) done();
    this.#waiting.clear();
  }
}

export interface StreamParts {
  readonly live: Live;
  readonly principal: Principal;
  /** Verifies the caller again. */
  readonly verify: () => Promise<Principal>;
  /** The caller by whom streams are counted. */
  readonly caller: string;
  /** The client's address. */
  readonly address: string;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
  /** Aborted when the reader is too slow. */
  readonly cut: AbortController;
  readonly feed: Pick<Feed, 'position'>;
}

/**
 * The text of a stream. The first chunk is empty and follows all checks that can refuse the subscription. A caller that stops
 * reading must return the generator.
 * @throws 400, 401, 403, 410, 503 from the first chunk
 */
export async function* eventStream(request: SubscriptionRequest, parts: StreamParts): AsyncGenerator<string> {
  const { live, principal, verify, caller, address, signal, cut, feed } = parts;
  const pieces = new Pieces(cut);
  await live.admit({ address, user: principal.user?.id, caller });
  const listener = live.join(pieces, address, caller);
  const onAbort = (): void => pieces.end('stopping');
  signal.addEventListener('abort', onAbort);
  try {
    listener.signIn(principal, verify);
    await listener.subscribe(request);
    pieces.push(`retry: ${retry}\n: hello\n\n`);
    // the position after everything delivered so far
    const position = feed.position();
    listener.enqueue(() => pieces.beat(position));
    if (signal.aborted) onAbort();
    yield '';
    yield* pieces.chunks();
  } finally {
    signal.removeEventListener('abort', onAbort);
    listener.leave();
  }
}
