/**
 * The feed of a database without change streams: the changes of this server in the order of their publication, which is the primary's
 * where there are several workers, with a bounded history.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as later } from 'node:timers/promises';
import { historyGone } from '../../errors/errors.ts';
import { sizeOfRow } from '../../models/mongoose.ts';
import { makeListeners } from './bus.ts';
import type { Bus, Change, History, Scope, SequencedChange } from './contract.ts';
import { type ClosableFeed, type FeedParts, withPosition } from './positions.ts';
import { type OrderedChanges, SpanningBus } from './spanning-bus.ts';

/** The limits of the history: the number of changes, and the bytes of their documents. */
const [maxChanges, maxBytes] = [1000, 16 * 1024 ** 2];

/** Maximum milliseconds that this worker may lag behind another one. */
const maxLagMs = 2000;

export async function makeLocalFeed({ bus, log, positions }: FeedParts): Promise<ClosableFeed> {
  const order = await orderOf(bus);
  const listeners = makeListeners<SequencedChange>(log, 'a listener of changes failed');
  const positionAt = (number: number): string => positions.seal(`${order.name}:${number}`);
  const history = makeHistory(order.next, (change, number) => withPosition(change, () => positionAt(number)));
  const numberOf = (position: string): number => {
    const [of, number] = (positions.open(position) ?? '').split(':');
    if (of !== order.name || number === undefined) throw historyGone();
    return Number(number);
  };
  const stop = order.listen(({ changes, first }) => {
    // sent before this worker began
    if (first !== undefined && first < history.next) return;
    for (const change of changes) {
      const number = history.next;
      history.add(change);
      if (!change.silent && listeners.any) listeners.notify(withPosition(change, () => positionAt(number)));
    }
  });
  return {
    shared: false,
    ensureDelivered: (model) => bus.ensureDelivered(model),
    position: () => positionAt(history.next - 1),
    // changes are delivered as soon as they are made
    changedAfterNow: () => Promise.resolve(() => true),
    listen: (listener) => listeners.add((change) => listener.deliver(change)),
    since: async (position, scope) => historyAfter(history, numberOf(position), scope, positionAt),
    close: () => Promise.resolve(stop()),
  };
}

interface Order {
  /** Positions contain this name, so that those of another server, or of this one before a restart, are refused. */
  readonly name: string;
  /** The number of the next change. */
  readonly next: number;
  readonly listen: (
    listener: (ordered: Pick<OrderedChanges, 'changes'> & Partial<OrderedChanges>) => void,
  ) => () => void;
}

async function orderOf(bus: Bus): Promise<Order> {
  if (!(bus instanceof SpanningBus))
    return { name: randomUUID(), next: 1, listen: (listener) => bus.subscribe((changes) => listener({ changes })) };
  const start = await bus.beginFeed();
  return { ...start, listen: (listener) => bus.onOrdered(listener) };
}

/** @throws 410 */
async function historyAfter(
  history: RecentChanges,
  number: number,
  { model, id }: Scope,
  positionAt: (number: number) => string,
): Promise<History> {
  const until = performance.now() + maxLagMs;
  // another worker may have delivered what this one has not received
  while (number >= history.next && performance.now() < until) await later(10);
  if (number + 1 < history.first || number >= history.next) throw historyGone();
  let reached = number;
  const read = (): readonly SequencedChange[] => {
    const changes = history.from(number + 1);
    if (changes === undefined) throw historyGone();
    reached = history.next - 1;
    return changes.filter((one) => one.model === model && (id === undefined || one.id === id));
  };
  return {
    untilNow: () => read().filter(({ silent }) => !silent),
    acknowledged: read,
    position: () => positionAt(reached),
    close: () => Promise.resolve(),
  };
}

interface StoredChange {
  readonly change: Change;
  readonly bytes: number;
}

type RecentChanges = ReturnType<typeof makeHistory>;

/** The last changes, in their numbers. @param begin the number of the first one @param numbered a change with its position */
function makeHistory(begin: number, numbered: (change: Change, number: number) => SequencedChange) {
  const changes: StoredChange[] = [];
  let [next, bytes] = [begin, 0];
  const sizeOf = ({ before, after }: Change): number => sizeOfRow(before) + sizeOfRow(after);
  const first = (): number => next - changes.length;
  return {
    get first() {
      return first();
    },
    get next() {
      return next;
    },
    add(change: Change): void {
      const one = { change, bytes: sizeOf(change) };
      changes.push(one);
      next += 1;
      bytes += one.bytes;
      while (changes.length > maxChanges || (bytes > maxBytes && changes.length > 1))
        bytes -= changes.shift()?.bytes ?? 0;
    },
    /** The changes from a number on; undefined if some of them have been dropped. */
    from: (number: number): readonly SequencedChange[] | undefined =>
      number < first()
        ? undefined
        : changes.slice(number - first()).map(({ change }, at) => numbered(change, number + at)),
  };
}
