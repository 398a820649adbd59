/** Runs a watch: connects, resumes after each cut at the position of the last event, and waits longer after each failure. */
import { DossierError } from '../error.ts';
import type { Transport } from '../transport.ts';
import { backoff, wait } from '../wait.ts';
import type { Delivery, Subscription } from './delivery.ts';
import { eventStream } from './event-stream.ts';
import { type Sink, Watch, type WatchOptions } from './watch.ts';
import { hasWebSocket, webSocket } from './web-socket.ts';

/** Delivers until the connection is cut. @throws DossierError where it is refused, or ended permanently */
type Connect = <Document>(transport: Transport, wanted: Subscription) => AsyncGenerator<Delivery<Document>>;

export const openWatch = <Document>(
  transport: Transport,
  model: string,
  { filter, id, since, signal }: WatchOptions<unknown>,
): Watch<Document> =>
  new Watch<Document>((sink) => run(transport, { model, id, filter, since, signal: sink.signal }, sink), signal);

/** @throws DossierError that ends the watch */
async function run<Document>(transport: Transport, wanted: Subscription, sink: Sink<Document>): Promise<void> {
  const { signal } = sink;
  const { caller } = transport;
  let { since } = wanted;
  let failures = 0;
  let useSocket = true;
  while (!signal.aborted) {
    let isOpen = false;
    // after a logout it would connect as a caller without a session, and never end
    requireCaller(transport, caller);
    const connect: Connect = useSocket && caller !== undefined && hasWebSocket() ? webSocket : eventStream;
    try {
      for await (const delivery of connect<Document>(transport, { ...wanted, since })) {
        // its token is read when it connects
        if (!isOpen) requireCaller(transport, caller);
        isOpen ||= opened(sink, () => (failures = 0));
        since = delivery.kind === 'change' ? delivery.change.position : (delivery.position ?? since);
        if (delivery.kind === 'change') sink.push(delivery.change);
        if (sink.isFull) break;
      }
    } catch (error) {
      if (isFinal(error) && !signal.aborted) throw error;
    }
    requireCaller(transport, caller);
    // a socket that has never opened may be blocked, and does not report the reason: an event stream does
    useSocket = isOpen || !useSocket;
    if (sink.isFull) await sink.room();
    else await pause(sink, isOpen, backoff(transport.retry.delay ?? 300, failures++));
  }
}

/** @throws DossierError 401 unless the caller is the one for whom the watch has begun */
function requireCaller(transport: Transport, caller: string | undefined): void {
  if (caller !== transport.caller)
    throw new DossierError(401, { message: 'Signed out', err: 'the session of this watch has ended' });
}

/** @returns true */
function opened(sink: Sink<unknown>, reset: () => void): true {
  reset();
  sink.opened();
  return true;
}

async function pause(sink: Sink<unknown>, wasOpen: boolean, milliseconds: number): Promise<void> {
  if (sink.signal.aborted) return;
  if (wasOpen) sink.lost();
  await wait(milliseconds, sink.signal).catch(() => undefined);
}

/** Whether the same request cannot succeed later. */
export const isFinal = (error: unknown): boolean =>
  !(error instanceof DossierError) || (![0, 429].includes(error.status) && error.status < 500);
