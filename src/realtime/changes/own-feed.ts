/**
 * The feed of a database without change streams: the changes of this server in the order of their publication, with a bounded
 * history.
 */
import { randomUUID } from 'node:crypto';
import { historyGone } from '../../errors.ts';
import { sizeOfRow } from '../../models/mongoose.ts';
import type { Change, Past, Scope, SequencedChange } from './contract.ts';
import type { FeedParts, OwnFeed } from './feed-parts.ts';
import { makeListeners } from './listeners.ts';
import { sequenced } from './positions.ts';

/** The limits of the history: the number of changes, and the bytes of their documents. */
const [maxChanges, maxBytes] = [1000, 16 * 1024 ** 2];

export function makeOwnFeed({ bus, log, positions }: FeedParts): OwnFeed {
  /** Positions contain this name, so that those of another server, or of this one before a restart, are refused. */
  const name = randomUUID();
  const listeners = makeListeners<SequencedChange>(log, 'a listener of changes failed');
  const past = makePast();
  const positionAt = (number: number): string => positions.seal(`${name}:${number}`);
  const numberOf = (position: string): number => {
    const [of, number] = (positions.open(position) ?? '').split(':');
    if (of !== name || number === undefined) throw historyGone();
    return Number(number);
  };
  const pastOf = (position: string, { model, id }: Scope): Past => {
    const number = numberOf(position);
    if (number + 1 < past.first) throw historyGone();
    return {
      untilNow() {
        const changes = past.from(number + 1);
        if (changes === undefined) throw historyGone();
        return changes.filter((one) => one.model === model && (id === undefined || one.id === id));
      },
      close: () => Promise.resolve(),
    };
  };
  const stop = bus.subscribe((changes) => {
    for (const change of changes.filter(({ silent }) => !silent)) {
      const number = past.next;
      const placed = sequenced(change, () => positionAt(number));
      past.add(placed);
      listeners.notify(placed);
    }
  });
  return {
    shared: false,
    need: () => Promise.resolve(),
    position: () => positionAt(past.next - 1),
    // changes are delivered as soon as they are made
    mark: () => Promise.resolve(() => true),
    listen: (listener) => listeners.add((change) => listener.deliver(change)),
    since: async (position, scope) => Promise.resolve(pastOf(position, scope)),
    close: () => Promise.resolve(stop()),
  };
}

interface Kept {
  readonly change: SequencedChange;
  readonly bytes: number;
}

/** The last changes, numbered from 1. */
function makePast() {
  const kept: Kept[] = [];
  let [next, bytes] = [1, 0];
  const sizeOf = ({ before, after }: Change): number => sizeOfRow(before) + sizeOfRow(after);
  const first = (): number => next - kept.length;
  return {
    get first() {
      return first();
    },
    get next() {
      return next;
    },
    add(change: SequencedChange): void {
      const one = { change, bytes: sizeOf(change) };
      kept.push(one);
      next += 1;
      bytes += one.bytes;
      while (kept.length > maxChanges || (bytes > maxBytes && kept.length > 1)) bytes -= kept.shift()?.bytes ?? 0;
    },
    /** The changes from a number on; undefined if some of them have been dropped. */
    from: (number: number): readonly SequencedChange[] | undefined =>
      number < first() ? undefined : kept.slice(number - first()).map(({ change }) => change),
  };
}
