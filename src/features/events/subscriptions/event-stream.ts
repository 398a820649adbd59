/** Server-Sent Events (WHATWG HTML, 9.2): one subscription as the body of an answer. */
import type { Actor } from '../../../core.ts';
import type { Feed } from '../../../realtime/changes/contract.ts';
import { maxUnsent, roomBelow } from './backpressure.ts';
import type { CloseReason, EncodedEvent, Subscribers, SubscriptionRequest, Transport } from './contract.ts';

/** Milliseconds after which a browser reconnects. */
const retry = 2000;
/** Milliseconds after which a browser reconnects if its filter costs too much. */
const retryCostly = 60_000;

/** An event without a position leaves the browser's last one, so that a lost connection begins again. */
const eventText = ({ position, json }: EncodedEvent): string =>
  position === undefined ? `data: ${json}\n\n` : `id: ${position}\ndata: ${json}\n\n`;

/** The body of an answer as a transport: the queue of unsent chunks. */
class EventStreamTransport implements Transport {
  #transport: string[] = [];
  #unsent = 0;
  #ended = false;
  #wake: (() => void) | undefined;
  readonly #waiting = new Set<() => void>();

  constructor(readonly cut: AbortController) {}

  send(events: readonly EncodedEvent[]): void {
    this.push(events.map(eventText).join(''));
  }

  heartbeat(position: string): void {
    this.push(`id: ${position}\n: ping\n\n`);
  }

  ready(_subscription: string, position: string): void {
    this.push(`event: ready\nid: ${position}\ndata: ${JSON.stringify({ position })}\n\n`);
  }

  push(chunk: string): void {
    if (this.#ended) return;
    this.#transport.push(chunk);
    this.#unsent += chunk.length;
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
  drop(_subscriptions: readonly string[], message: string): void {
    this.push(`retry: ${retryCostly}\nevent: ended\ndata: ${JSON.stringify({ message })}\n\n`);
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
      const chunk = this.#transport.shift();
      if (chunk !== undefined) {
        yield chunk;
        this.#unsent -= chunk.length;
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

/** The caller of a stream; `verify` is called again while it lasts, and `signal` is aborted when they disconnect. */
type StreamCaller = Pick<Actor, 'principal' | 'verify' | 'address' | 'signal'>;

interface StreamParts {
  readonly subscribers: Subscribers;
  readonly feed: Pick<Feed, 'position'>;
  /** Aborted when the reader is too slow. */
  readonly cut: AbortController;
}

/**
 * The text of a stream. The first chunk is empty and follows all checks that can refuse the subscription. A caller that stops
 * reading must return the generator.
 * @throws 400, 401, 403, 410, 503 from the first chunk
 */
export async function* eventStream(
  request: SubscriptionRequest,
  { principal, verify, address, signal }: StreamCaller,
  { subscribers, feed, cut }: StreamParts,
): AsyncGenerator<string> {
  const transport = new EventStreamTransport(cut);
  // streams are counted by it
  const caller = principal.user?.id ?? address;
  await subscribers.admit({ address, user: principal.user?.id, caller });
  const subscriber = subscribers.join(transport, address, caller);
  const onAbort = (): void => transport.end('stopping');
  signal.addEventListener('abort', onAbort);
  try {
    subscriber.signIn(principal, verify);
    await subscriber.subscribe(request);
    transport.push(`retry: ${retry}\n: hello\n\n`);
    // the position after everything delivered so far
    const position = feed.position();
    subscriber.enqueue(() => transport.heartbeat(position));
    if (signal.aborted) onAbort();
    yield '';
    yield* transport.chunks();
  } finally {
    signal.removeEventListener('abort', onAbort);
    subscriber.leave();
  }
}
