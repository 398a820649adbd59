/**
 * Sheds load: decides at the front, before a body is read and a credential is checked, whether a request is processed now, waits or is
 * refused (decision 19).
 */
import type { Request, Response } from 'express';
import { overloaded } from '../errors/errors.ts';
import type { Operation } from '../operations/operation.ts';
import { Admission, type AdmissionRequest, type Release } from './admission.ts';
import { ConnectionBurst, nextConnection } from './connection-burst.ts';

/** Requests that wait for a place, and bytes of their bodies. */
const maxWaiting = 1000;
const maxWaitingBytes = 64 * 1024 * 1024;

/**
 * So many requests may come together without any overload, such as those of a page. They wait longer than others, as does signing in and
 * out, which has places of its own.
 */
const patient = { lists: 100, others: 400 };
const patience = 10;

/**
 * The share of `SHED_AFTER_MS` that lists beyond the patient ones wait: a list that is served should take no more than three times what it
 * takes on a busy day, and it waits for the places, for the database and for those before it.
 */
const shareOfLists = 0.5;

/** Places for each connection to the database: most requests use one at a time, and do more than wait for it. */
const placesPerConnection = 0.5;
const minPlaces = 16;

/** The share of places that one caller may have. */
const shareOfCaller = 0.75;

export interface OverloadParts {
  /** `SHED_AFTER_MS`; 0 sheds nothing. */
  readonly shedAfterMs: number;
  /** The maximum number of connections to the database. */
  readonly connections: number;
  /** `MAX_BODY_SIZE`, in bytes. */
  readonly maxBodyBytes: number;
  /** Milliseconds since any moment; never a clock that can be set. */
  readonly elapsed: () => number;
  /** Whether another process accepts the connections. */
  readonly areHandedOver?: boolean;
  /** Called for each request that is refused. */
  readonly onShed?: () => void;
}

/** The turn of one request. */
export interface Turn extends AdmissionRequest {
  readonly admission: Admission;
  /** Milliseconds that the event loop may be late for it. */
  readonly maxDelayMs: number;
}

export class Overload {
  /** Lists wait for each other, and for room for their answers, so that they have places of their own. */
  readonly #lists: Admission;
  readonly #others: Admission;
  readonly #signingIn: Admission;
  readonly #loop: LoopDelay;
  readonly #burst: ConnectionBurst;

  constructor(private readonly parts: OverloadParts) {
    const { shedAfterMs, connections, elapsed } = parts;
    const places = Math.max(minPlaces, Math.ceil(connections * placesPerConnection));
    const maxWaitMs = patience * shedAfterMs;
    const limits = { maxWaitMs, maxWaiting, maxWaitingBytes, elapsed, places };
    const shared = { ...limits, placesOfCaller: Math.ceil(places * shareOfCaller), shedAfterMs };
    this.#lists = new Admission({ ...shared, shedAfterMs: shareOfLists * shedAfterMs, patient: patient.lists });
    this.#others = new Admission({ ...shared, patient: patient.others });
    // callers of a login have no credential, and may share the address of a proxy
    this.#signingIn = new Admission({
      ...limits,
      placesOfCaller: places,
      shedAfterMs: maxWaitMs,
      patient: patient.others,
    });
    this.#loop = new LoopDelay(elapsed);
    this.#burst = new ConnectionBurst({
      maxMs: 2 * shedAfterMs,
      elapsed,
      later: parts.areHandedOver === true ? nextConnection.handedOver : nextConnection.accepted,
    });
  }

  /** Called for each new connection. */
  accepted(): void {
    this.#burst.accepted();
  }

  /** Resolves when work may begin; undefined when it may at once. */
  get burst(): Promise<void> | undefined {
    return this.#burst.end;
  }

  close(): void {
    this.#loop.close();
  }

  /**
   * @param use of the path of the request, where an operation has it
   * @param address of the caller, who counts by their credential where they send one
   * @returns undefined for a request that is never refused
   */
  turnOf(res: Response, use: PathUse | undefined, address: string): Turn | undefined {
    const { shedAfterMs, maxBodyBytes } = this.parts;
    if (shedAfterMs === 0 || use?.isProbe === true) return undefined;
    const { req } = res;
    const method = req.method === 'HEAD' ? 'GET' : req.method;
    const isSigningIn = use?.signsIn === true;
    const isList = use?.lists.has(method) === true;
    const admission = isSigningIn ? this.#signingIn : isList ? this.#lists : this.#others;
    const { authorization, 'x-api-key': key } = req.headers;
    return {
      admission,
      caller: authorization ?? (typeof key === 'string' ? key : address),
      bytes: bytesOf(req, maxBodyBytes),
      res,
      maxDelayMs: (isSigningIn ? patience : 1) * shedAfterMs,
    };
  }

  /** @throws 503 for a request that would wait too long */
  check(turn: Turn): void {
    try {
      if (this.#loop.sustained > turn.maxDelayMs) throw overloaded();
      turn.admission.check(turn);
    } catch (error) {
      this.parts.onShed?.();
      throw error;
    }
  }

  /** @throws 503 */
  enter(turn: Turn): Release | Promise<Release> {
    try {
      const release = turn.admission.enter(turn);
      if (release instanceof Promise) release.catch(() => this.parts.onShed?.());
      return release;
    } catch (error) {
      this.parts.onShed?.();
      throw error;
    }
  }
}

/** What a body may hold. One that is sent in chunks, or compressed, may have any size up to the limit. */
const bytesOf = ({ headers }: Request, maxBytes: number): number =>
  headers['transfer-encoding'] === undefined && headers['content-encoding'] === undefined
    ? Number(headers['content-length'] ?? 0)
    : maxBytes;

/** What the operations of a path are for the places of their requests. */
export interface PathUse {
  readonly isProbe: boolean;
  readonly signsIn: boolean;
  /** The methods that read many documents. */
  readonly lists: ReadonlySet<string>;
}

/** @param operations of one path */
export const useOf = (operations: readonly Operation[]): PathUse => ({
  isProbe: operations.some(({ probe }) => probe === true),
  signsIn: operations.some(({ signsIn }) => signsIn === true),
  lists: new Set(operations.filter(({ readsMany }) => readsMany === true).map(({ http }) => http.method)),
});

/**
 * Whether an operation gives its place back as soon as it begins: its work has a queue of its own, or is code of the author, which may
 * wait for anything.
 */
export const leavesAtOnce = ({ isBulk, runsModelCode, input, hasOwnQueue }: Operation): boolean =>
  isBulk === true || runsModelCode === true || input?.own !== undefined || hasOwnQueue === true;

/** Gives the place of a request back, if it has one. */
export const leavePlace = ({ locals }: { readonly locals: { release?: Release | undefined } }): void =>
  locals.release?.();

/** Milliseconds between two looks. */
const lookMs = 100;

export class LoopDelay {
  readonly #timer: NodeJS.Timeout;
  #last: number;
  #latest = 0;
  /** Milliseconds by which the last two looks were late, both: one long pause, such as of the garbage collector, is no overload. */
  sustained = 0;

  /** @param elapsed milliseconds since any moment */
  constructor(private readonly elapsed: () => number) {
    this.#last = elapsed();
    this.#timer = setInterval(() => this.#look(), lookMs).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const now = this.elapsed();
    const before = this.#latest;
    this.#latest = now - this.#last - lookMs;
    this.sustained = Math.min(this.#latest, before);
    this.#last = now;
  }
}
