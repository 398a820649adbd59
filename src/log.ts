/**
 * The log: JSON lines by pino. Nothing is logged that could contain a secret: URLs without their query string, no bodies, no
 * headers.
 */
import { types } from 'node:util';
import { pino } from 'pino';
import type { Settings } from './settings/types.ts';

export interface Log {
  /** One answered request. */
  request(line: {
    id: string;
    method: string;
    path: string;
    status: number;
    ms: number;
    user?: string | undefined;
    /** A health check: logged at debug while it succeeds. */
    probe?: boolean;
  }): void;
  /** Something failed on the server; `id` is the request's id. */
  failed(line: { id: string; method: string; path: string; error: unknown }): void;
  info(message: string, more?: object): void;
  warn(message: string, more?: object): void;
  error(message: string, error?: unknown, more?: object): void;
}

/** The target of the lines; standard output except in tests. */
export type LogTarget = { write(line: string): void };

/** @param worker the number of the process, where there are several */
export function makeLog(level: Settings['log_level'], target?: LogTarget, worker?: number): Log {
  const options = {
    level,
    base: worker === undefined ? null : { worker },
    timestamp: makeTimestamp(),
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const logger = pino(options, target ?? standardOutput());
  return {
    request: ({ id, method, path, status, ms, user, probe }) => {
      const level = probe === true && status < 400 ? 'debug' : 'info';
      const line = { id, method, path: readable(path), status, ms, ...(user === undefined ? {} : { user }) };
      logger[level](line, 'request');
    },
    failed: ({ id, method, path, error }) =>
      logger.error({ id, method, path: readable(path), err: describe(error) }, 'failed'),
    info: (message, more = {}) => logger.info(more, message),
    warn: (message, more = {}) => logger.warn(more, message),
    error: (message, error, more = {}) =>
      logger.error(error === undefined ? more : { ...more, err: describe(error) }, message),
  };
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

/** Describes an error by name, message, stack and causes. Other fields are omitted, because they may contain documents. */
function describe(error: unknown): object {
  if (!isError(error)) return { name: 'NotAnError', message: typeof error };
  const cause = error.cause === undefined ? {} : { cause: describe(error.cause) };
  return { name: error.name, message: error.message, stack: error.stack, ...cause };
}
