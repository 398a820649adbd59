/** The feed of a database without change streams: what goes through this server, in the order in which it is told, kept for a while. */
import { randomUUID } from 'node:crypto';
import { historyGone } from '../../errors.ts';
import { sizeOfRow } from '../../models/mongoose.ts';
import type { Change, Past, Scope, SequencedChange } from './contract.ts';
import type { FeedParts, OwnFeed } from './feed-parts.ts';
import { makeListeners } from './listeners.ts';

/** How much of the past is kept: changes, and bytes of their documents. */
const [maxChanges, maxBytes] = [1000, 16 * 1024 ** 2];

export function makeOwnFeed({ bus, log, positions }: FeedParts): OwnFeed {
  /** Positions of another server, or of this one before it was started anew, are of another name. */
  const name = randomUUID();
  const listeners = makeListeners<SequencedChange>(log, 'a listener of changes failed');
  const past = makePast();
  const placeOf = (number: number): string => positions.seal(`${name}:${number}`);
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
    for (const change of changes) {
      if (change.silent) continue;
      const placed = { ...change, position: placeOf(past.next) };
      past.add(placed);
      listeners.tell(placed);
    }
  });
  return {
    shared: false,
    need: () => Promise.resolve(),
    position: () => placeOf(past.next - 1),
    // what it tells, it tells at once
    mark: () => Promise.resolve(() => true),
    listen: (listener) => listeners.add((change) => listener.tell(change)),
    since: async (position, scope) => Promise.resolve(pastOf(position, scope)),
    close: () => Promise.resolve(stop()),
  };
}

interface Kept {
  readonly change: SequencedChange;
  readonly bytes: number;
}

/** The last changes, numbered from 1 on. */
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
    /** Undefined when they are not all there any more. */
    from: (number: number): readonly SequencedChange[] | undefined =>
      number < first() ? undefined : kept.slice(number - first()).map(({ change }) => change),
  };
}
