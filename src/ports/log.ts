/**
 * The log: JSON lines by pino. Nothing is logged that could contain a secret: URLs without their query string, no bodies, no
 * headers.
 */
import { types } from 'node:util';
import { pino } from 'pino';
import {
  busy,
  Failure,
  overloaded,
  searchNotReady,
  throttled,
  tookTooLong,
  tooManyConnections,
} from '../errors/errors.ts';
import { maxCauses } from '../errors/failure.ts';
import type { Settings } from '../settings/types.ts';

export interface Log {
  /** One answered request. */
  request(line: {
    id: string;
    method: string;
    path: string;
    status: number;
    ms: number;
    user?: string | undefined;
    /** Id of the admin who acts as the user. */
    by?: string | undefined;
    /** The client's; undefined where a proxy states none. */
    address?: string | undefined;
    /** Why the caller may not do it, of a 401 or 403. */
    reason?: string | undefined;
    /** A health check: logged at debug while it succeeds. */
    probe?: boolean;
  }): void;
  /**
   * A request failed by a fault of the server, or was refused for load or time. Refusals are counted, by their kind, and one warning a
   * minute has the counts; each is logged at debug. `id` is the request's id.
   */
  failed(line: { id: string; method: string; path: string; address?: string | undefined; error: unknown }): void;
  debug(message: string, more?: object): void;
  info(message: string, more?: object): void;
  warn(message: string, more?: object): void;
  /** A fault of the server outside of a request. Refusals for load or time are counted, as those of requests. */
  error(message: string, error?: unknown, more?: object): void;
  /** The last lines of this process, as JSON, the newest last. */
  recent(): readonly string[];
  /** Logs what has been counted. */
  close(): void;
}

/** How long a request has taken, for its line. @param begun by `performance.now()` */
export const millisecondsSince = (begun: number): number => Math.round((performance.now() - begun) * 10) / 10;

/** The target of the lines; standard output except in tests. */
export type LogTarget = { write(line: string): void };

/** @param worker the number of the process, where there are several */
export function makeLog(level: Settings['log_level'], target?: LogTarget, worker?: number): Log {
  const options = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: makeTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
    // pino's own one names the class of `describe`'s object in place of the error's
    serializers: { err: (described: object) => described },
  };
  const lines = new RecentLines(target ?? standardOutput());
  const logger = pino(options, lines);
  const refusals = new RefusalCounts((refused) => logger.warn({ refused }, 'refused for load or time'));
  const fault = (error: unknown, line: object, message: string): void => {
    if (!isLoadRefusal(error)) return logger.error({ ...line, err: describe(causeOf(error)) }, message);
    refusals.count(error.message);
    logger.debug({ ...line, refused: error.message, reason: (causeOf(error) as Error).message }, message);
  };
  return {
    // pino omits what is undefined
    request: ({ id, method, path, status, ms, user, by, address, reason, probe }) => {
      const level = probe === true && status < 400 ? 'debug' : 'info';
      logger[level]({ id, method, path: readable(path), status, ms, user, by, address, reason }, 'request');
    },
    failed: ({ id, method, path, address, error }) =>
      fault(error, { id, method, path: readable(path), address }, 'failed'),
    debug: (message, more = {}) => logger.debug(more, message),
    info: (message, more = {}) => logger.info(more, message),
    warn: (message, more = {}) => logger.warn(more, message),
    error: (message, error, more = {}) =>
      error === undefined ? logger.error(more, message) : fault(error, more, message),
    recent: () => lines.kept,
    close: () => refusals.close(),
  };
}

/** The last lines that are kept, and their characters. */
const maxKept = 2000;
const maxKeptLength = 2_000_000;
/** Lines that are kept as one text, and its characters. */
const pageLines = 100;
const pageLength = 50_000;

/** Keeps the last lines in memory, so that admins can read what was logged of a request. */
class RecentLines implements LogTarget {
  /** The lines before the open page, oldest first, in UTF-8. */
  #pages: Buffer[] = [];
  #length = 0;
  #open = '';
  #opened = 0;

  constructor(private readonly target: LogTarget) {}

  get kept(): readonly string[] {
    const text = [...this.#pages.map(String), this.#open].join('');
    return (text.match(/[^\n]*\n/g) ?? []).slice(-maxKept);
  }

  write(line: string): void {
    this.#open += line;
    this.#opened += 1;
    // a text is made of the strings that were joined to it, all of which would stay in memory
    if (this.#opened >= pageLines || this.#open.length > pageLength) this.#turnPage();
    this.target.write(line);
  }

  #turnPage(): void {
    const page = Buffer.from(this.#open);
    this.#open = '';
    this.#opened = 0;
    this.#pages.push(page);
    this.#length += page.length;
    while (this.#pages.length > maxKept / pageLines || (this.#length > maxKeptLength && this.#pages.length > 1))
      this.#length -= this.#pages.shift()?.length ?? 0;
  }
}

/** The messages of failures that refuse a request for load or for time. They are expected: retries, not repairs, answer them. */
const loadMessages: ReadonlySet<string> = new Set(
  [busy(), overloaded(), tookTooLong(), searchNotReady(), throttled(1), tooManyConnections('address', 1)].map(
    ({ message }) => message,
  ),
);

/** Whether something thrown refuses a request for load or for time. */
const isLoadRefusal = (thrown: unknown): thrown is Failure =>
  thrown instanceof Failure && loadMessages.has(thrown.message);

/** What a failure is the answer to. */
const causeOf = (error: unknown): unknown => (error instanceof Failure ? (error.cause ?? error) : error);

/** Milliseconds between two lines with counts. */
const countedMs = 60_000;

/** Counts refusals by their kind, because overload makes many of them, and their lines would add to the load. */
class RefusalCounts {
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  /** @param write writes the counts of a minute in which there were some */
  constructor(private readonly write: (counts: Readonly<Record<string, number>>) => void) {}

  count(kind: string): void {
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1);
    this.#timer ??= setTimeout(() => this.close(), countedMs).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#counts.size === 0) return;
    this.write(Object.fromEntries(this.#counts));
    this.#counts = new Map();
  }
}

/** The time of a line, as pino's own `isoTime` writes it. Many lines share a millisecond, and the text takes as long as the rest of a line. */
function makeTimestamp(): () => string {
  let last = 0;
  let text = '';
  return () => {
    const now = Date.now();
    if (now !== last) text = `,"time":"${new Date(now).toISOString()}"`;
    last = now;
    return text;
  };
}

/**
 * Writes the lines of one iteration of the event loop at once. If the reader goes away, logging stops and the server continues.
 */
function standardOutput(): LogTarget {
  const { stdout } = process;
  if (stdout.listenerCount('error') === 0) stdout.on('error', () => undefined);
  let lines = '';
  const flush = (): void => {
    stdout.write(lines);
    lines = '';
  };
  return {
    write(line) {
      if (lines === '') setImmediate(flush);
      lines += line;
    },
  };
}

/** A path without its query string and fragment, which may contain keys, even if they are encoded; on one line and truncated. */
function readable(path: string): string {
  const end = path.search(/[?;&#]|%(3f|3b|26|23)/i);
  return (end === -1 ? path : path.slice(0, end))
    .slice(0, 300)
    .replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}

/** Whether a value is an error, possibly of another realm, such as one thrown by a model's code. */
const isError = (error: unknown): error is Error => error instanceof Error || types.isNativeError(error);

/**
 * Describes an error by name, message, stack and causes. Other fields are omitted, because they may contain documents. It never throws,
 * whatever a model's code has thrown.
 */
function describe(error: unknown, causes = maxCauses): object {
  try {
    if (!isError(error)) return { name: 'NotAnError', message: typeof error };
    const { name, message, stack, cause } = error;
    return {
      name,
      message,
      stack,
      ...(cause === undefined || causes === 0 ? {} : { cause: describe(cause, causes - 1) }),
    };
  } catch {
    return { name: 'NotReadable', message: typeof error };
  }
}
