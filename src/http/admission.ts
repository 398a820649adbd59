/**
 * Places for requests. Without a free one a request waits, and the callers get places in turn, so that one with many requests waits behind
 * its own. What would wait too long is refused at once (docs/limits.md, "Overload").
 */
import type { EventEmitter } from 'node:events';
import { overloaded } from '../errors/errors.ts';

export interface AdmissionOptions {
  /** Requests that have a place at a time. */
  readonly places: number;
  /** Places that one caller may have, so that the others find some. */
  readonly placesOfCaller: number;
  /** Requests that may wait for long: as many come together without any overload, such as of a page that loads. */
  readonly patient: number;
  /** Milliseconds that these may wait. */
  readonly maxWaitMs: number;
  /** Milliseconds that a request beyond them may wait, for them too. */
  readonly shedAfterMs: number;
  /** Maximum number of waiting requests, and of bytes of their bodies. */
  readonly maxWaiting: number;
  readonly maxWaitingBytes: number;
  /** Milliseconds since any moment. */
  readonly elapsed: () => number;
}

/** A request that needs a place. */
export interface AdmissionRequest {
  readonly caller: string;
  /** Of its body. */
  readonly bytes: number;
  /** Emits `close` when the caller disconnects while the request waits. */
  readonly res: Pick<EventEmitter, 'once' | 'off'>;
}

/** Gives a place back. Calling it again does nothing. */
export type Release = () => void;

interface Waiter {
  readonly bytes: number;
  readonly grant: () => void;
}

/** Of one caller. */
interface Queue {
  taken: number;
  readonly waiting: Set<Waiter>;
}

/** The share of the newest interval between two places in their mean. */
const weight = 0.1;

export class Admission {
  /** In the order in which they get places. */
  readonly #callers = new Map<string, Queue>();
  #taken = 0;
  #waiting = 0;
  #waitingBytes = 0;
  /** Mean milliseconds between two places that become free while requests wait. */
  #interval = 0;
  #freed: number | undefined;

  constructor(private readonly options: AdmissionOptions) {}

  /** Refuses a request that would wait too long, by what waits before it and how fast places become free. @throws 503 */
  check({ caller, bytes }: Pick<AdmissionRequest, 'caller' | 'bytes'>): void {
    if (this.#waiting > 0) this.#check(bytes, this.#before(caller));
  }

  #check(bytes: number, before: number): void {
    const { maxWaiting, maxWaitingBytes } = this.options;
    const isFull = this.#waiting >= maxWaiting || this.#waitingBytes + bytes > maxWaitingBytes;
    if (isFull || this.#isTooLate(before)) throw overloaded();
  }

  /** Whether a request would wait longer than it may. @param before how many get a place before it @param waited milliseconds so far */
  #isTooLate(before: number, waited = 0): boolean {
    const { patient, maxWaitMs, shedAfterMs } = this.options;
    return waited + before * this.#interval > (before < patient ? maxWaitMs : shedAfterMs);
  }

  /** @throws 503 for one that waits too long, would do so, or whose caller is gone */
  enter(request: AdmissionRequest): Release | Promise<Release> {
    const { places, placesOfCaller } = this.options;
    const queue = this.#queueOf(request.caller);
    if (this.#taken < places && queue.taken < placesOfCaller) return this.#take(request.caller, queue);
    const before = this.#before(request.caller);
    try {
      if (this.#waiting > 0) this.#check(request.bytes, before);
    } catch (error) {
      this.#drop(request.caller, queue);
      throw error;
    }
    return this.#wait(request, queue, before);
  }

  #take(caller: string, queue: Queue): Release {
    this.#taken += 1;
    queue.taken += 1;
    let isIn = true;
    return () => {
      if (!isIn) return;
      isIn = false;
      this.#taken -= 1;
      queue.taken -= 1;
      this.#drop(caller, queue);
      this.#grantNext();
    };
  }

  #grantNext(): void {
    if (this.#waiting === 0) {
      this.#freed = undefined;
      return;
    }
    const now = this.options.elapsed();
    // a longer one is a pause, which says little of the next ones
    const interval = this.#freed === undefined ? undefined : Math.min(now - this.#freed, this.options.shedAfterMs);
    if (interval !== undefined) this.#interval += weight * (interval - this.#interval);
    this.#freed = now;
    for (const [caller, queue] of this.#callers) {
      const [next] = queue.waiting;
      if (next === undefined || queue.taken >= this.options.placesOfCaller) continue;
      // the others get the next places
      this.#callers.delete(caller);
      this.#callers.set(caller, queue);
      return next.grant();
    }
  }

  /**
   * How many requests get a place before one of a caller: of each other one as many as of this one.
   * @param own how many of the caller's; all that wait by default
   */
  #before(caller: string, own = this.#callers.get(caller)?.waiting.size ?? 0): number {
    let before = own;
    for (const [other, { waiting }] of this.#callers) if (other !== caller) before += Math.min(waiting.size, own + 1);
    return before;
  }

  /** @param ahead how many requests get a place before it, as it arrives */
  #wait({ caller, bytes, res }: AdmissionRequest, queue: Queue, ahead: number): Promise<Release> {
    return new Promise((admit, refuse) => {
      const end = (): void => {
        clearTimeout(timer);
        res.off('close', giveUp);
        queue.waiting.delete(waiter);
        this.#waiting -= 1;
        this.#waitingBytes -= bytes;
      };
      const waiter: Waiter = {
        bytes,
        grant: () => {
          end();
          admit(this.#take(caller, queue));
        },
      };
      const giveUp = (): void => {
        end();
        this.#drop(caller, queue);
        refuse(overloaded());
      };
      const { patient, maxWaitMs, shedAfterMs } = this.options;
      const late = (): void => {
        const before = this.#before(caller, [...queue.waiting].indexOf(waiter));
        if (Math.max(ahead, before) >= patient || this.#isTooLate(before, shedAfterMs)) giveUp();
        else timer = setTimeout(giveUp, maxWaitMs - shedAfterMs);
      };
      let timer = setTimeout(late, shedAfterMs);
      res.once('close', giveUp);
      queue.waiting.add(waiter);
      this.#waiting += 1;
      this.#waitingBytes += bytes;
    });
  }

  #queueOf(caller: string): Queue {
    const known = this.#callers.get(caller);
    if (known !== undefined) return known;
    const queue: Queue = { taken: 0, waiting: new Set() };
    this.#callers.set(caller, queue);
    return queue;
  }

  #drop(caller: string, { taken, waiting }: Queue): void {
    if (taken === 0 && waiting.size === 0) this.#callers.delete(caller);
  }
}
