/** Server-Sent Events (WHATWG HTML, 9.2): one subscription as the body of an answer. */
import type { Principal } from '../../policy/principal.ts';
import type { Feed } from '../changes/contract.ts';
import { maxUnsent, roomBelow } from './backpressure.ts';
import type { CloseReason, EncodedEvent, Live, SubscriptionRequest, Transport } from './contract.ts';
import { costlyFilter } from './reasons.ts';

/** Milliseconds after which a browser connects anew. */
const retry = 2000;
/** The same after a filter that costs too much. */
const retryCostly = 60_000;

/** What has been said and not been read: pieces wait here until the connection takes them. */
class Pieces implements Transport {
  #pieces: string[] = [];
  #unsent = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #wanting = new Set<() => void>();

  constructor(readonly cut: AbortController) {}

  send(news: readonly EncodedEvent[]): void {
    this.say(news.map(({ position, json }) => `id: ${position}\ndata: ${json}\n\n`).join(''));
  }

  beat(position: string): void {
    this.say(`id: ${position}\n: ping\n\n`);
  }

  say(piece: string): void {
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
    return new Promise((done) => this.#wanting.add(done));
  }

  /** A stream is one subscription. A browser that connects anew waits, since the same document is there still. */
  drop(): void {
    this.say(`retry: ${retryCostly}\nevent: ended\ndata: ${JSON.stringify({ message: costlyFilter })}\n\n`);
    this.#finish();
  }

  end(why: CloseReason): void {
    // whoever does not read does not come to the end either
    if (why === 'too slow') this.cut.abort();
    this.#finish();
  }

  #finish(): void {
    this.#ended = true;
    this.#wake?.();
    this.#release();
  }

  /** The pieces one after the other, until it ends. */
  async *taken(): AsyncGenerator<string> {
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
    for (const done of this.#wanting) done();
    this.#wanting.clear();
  }
}

export interface StreamParts {
  readonly live: Live;
  readonly principal: Principal;
  /** How the caller is verified again. */
  readonly verify: () => Promise<Principal>;
  /** Whose streams are counted together. */
  readonly caller: string;
  /** Where they connect from. */
  readonly address: string;
  /** Aborted when the caller hangs up. */
  readonly signal: AbortSignal;
  /** Aborted for a reader who is too slow. */
  readonly cut: AbortController;
  readonly feed: Pick<Feed, 'position'>;
}

/**
 * The text of a stream. Its first piece is empty and comes when everything that can be refused has not been; whoever stops taking
 * pieces must return the generator.
 * @throws 400, 401, 403, 410, 503 from the first piece
 */
export async function* eventStream(wish: SubscriptionRequest, parts: StreamParts): AsyncGenerator<string> {
  const { live, principal, verify, caller, address, signal, cut, feed } = parts;
  const pieces = new Pieces(cut);
  const listener = live.join(pieces, address, caller);
  const hangUp = (): void => pieces.end('stopping');
  signal.addEventListener('abort', hangUp);
  try {
    listener.signIn(principal, verify);
    await listener.subscribe(wish);
    pieces.say(`retry: ${retry}\n: hello\n\n`);
    // behind what has been told until now
    const position = feed.position();
    listener.enqueue(() => pieces.beat(position));
    if (signal.aborted) hangUp();
    yield '';
    yield* pieces.taken();
  } finally {
    signal.removeEventListener('abort', hangUp);
    listener.leave();
  }
}
