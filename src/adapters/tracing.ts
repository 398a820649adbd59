/**
 * Spans, by the API of OpenTelemetry: of requests, plans, commands to the database, hooks, functions, deliveries, jobs and schedules. Without
 * an SDK there are none, and each place costs one comparison. The adapter of `@opentelemetry/api`. Names are those of the semantic
 * conventions. An attribute is never a value of a caller: no id, no filter, no path with parameters. The URL of a request to another server has
 * its origin only: paths of webhooks may be secrets.
 */
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import {
  type Attributes,
  context,
  propagation,
  ProxyTracerProvider,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';

/** The attributes of the semantic conventions that spans have, as a test compares them with the list of the conventions. */
export const attributeNames = {
  method: 'http.request.method',
  route: 'http.route',
  status: 'http.response.status_code',
  system: 'db.system.name',
  operation: 'db.operation.name',
  collection: 'db.collection.name',
  database: 'db.namespace',
  function: 'code.function.name',
  error: 'error.type',
  address: 'server.address',
  port: 'server.port',
  url: 'url.full',
} as const;

const names = attributeNames;
let tracer: Tracer | undefined;

/** Begins to make spans where an SDK is registered, which has to be loaded before the server. @returns whether there is one */
export function beginTracing(): boolean {
  const provider = trace.getTracerProvider();
  const isThere = !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('dossier') !== undefined;
  tracer = isThere ? trace.getTracer('dossier') : undefined;
  if (isThere) passOn();
  return isThere;
}

/** What an undici request reports before it is sent; so does the `fetch` of Node. */
interface Outgoing {
  readonly request: { readonly headers: unknown; addHeader(name: string, value: string): void };
}

/** Sends the trace along with requests to other servers, such as deliveries and those of functions. */
let passesOn = false;
function passOn(): void {
  if (passesOn) return;
  passesOn = true;
  subscribe('undici:request:create', (message) => {
    const { request } = message as Outgoing;
    // an instrumentation of the application may have done it
    if (tracer === undefined || String(request.headers).toLowerCase().includes('traceparent')) return;
    propagation.inject(context.active(), request, { set: (to, name, value) => to.addHeader(name, value) });
  });
}

/** What a span is of. */
interface Spanned {
  readonly name: string;
  readonly attributes?: Attributes;
  /** Whether it begins a trace: what caused the work has ended long ago. */
  readonly root?: boolean;
}

/** Does work in a span, which ends with it. */
export function runInSpan<T>(of: () => Spanned, work: () => T): T {
  if (tracer === undefined) return work();
  const { name, ...options } = of();
  return tracer.startActiveSpan(name, options, (span) => endedWith(span, work));
}

/** Does work that no span has caused, whatever wakes it: its timers and commands belong to no trace. */
export const outsideOfTraces = <T>(work: () => T): T =>
  tracer === undefined ? work() : context.with(ROOT_CONTEXT, work);

function endedWith<T>(span: Span, work: () => T): T {
  try {
    const result = work();
    if (result instanceof Promise)
      result.then(
        () => span.end(),
        (error: unknown) => failed(span, errorType(error)),
      );
    else span.end();
    return result;
  } catch (error) {
    failed(span, errorType(error));
    throw error;
  }
}

const errorType = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Messages of errors may have values of documents, so the type is all. */
function failed(span: Span, type: string): void {
  span.setAttribute(names.error, type);
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** How a request ended. */
interface Ended {
  readonly route: string | undefined;
  /** Undefined where its caller had gone. */
  readonly status: number | undefined;
}

export interface RequestTrace {
  readonly traceId: string;
  /** Continues the request, whose spans are within this one. */
  readonly run: <T>(work: () => T) => T;
  readonly end: (ended: Ended) => void;
}

/** What begins the spans of requests: once tracing has begun, undefined without an SDK. */
export const requestTracer = (): typeof traceRequest | undefined => (tracer === undefined ? undefined : traceRequest);

/** @param method one of HTTP, or `_OTHER` */
function traceRequest({ headers }: Pick<IncomingMessage, 'headers'>, method: string): RequestTrace | undefined {
  if (tracer === undefined) return undefined;
  const from = propagation.extract(context.active(), headers);
  const span = tracer.startSpan(method, { kind: SpanKind.SERVER, attributes: { [names.method]: method } }, from);
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(trace.setSpan(from, span), work),
    end: ({ route, status }) => {
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute(names.route, route);
      if (status !== undefined) span.setAttribute(names.status, status);
      if (status === undefined) failed(span, 'aborted');
      else if (status >= 500) failed(span, String(status));
      else span.end();
    },
  };
}

/** A command to the database. */
interface Command {
  readonly system: string;
  readonly database: string;
  readonly operation: string;
  readonly collection: string | undefined;
}

/**
 * Begins the span of a command, within the span of the work that sends it. What no request, job or schedule has caused, such as a look for entries
 * that are due, has no span: else an idle server would export a trace for each.
 * @returns ends it, with the type of an error
 */
export function traceCommand({ system, database, operation, collection }: Command): (error?: string) => void {
  if (tracer === undefined || trace.getActiveSpan() === undefined) return () => undefined;
  const attributes = { [names.system]: system, [names.operation]: operation, [names.database]: database };
  const name = collection === undefined ? operation : `${operation} ${collection}`;
  const span = tracer.startSpan(name, {
    kind: SpanKind.CLIENT,
    attributes: collection === undefined ? attributes : { ...attributes, [names.collection]: collection },
  });
  return (error) => (error === undefined ? span.end() : failed(span, error));
}

/** What the semantic conventions put in place of a secret. */
const redacted = 'REDACTED';

/** A request to another server. */
interface Sending<T> {
  readonly method: string;
  readonly url: URL;
  /** The status of an answer; undefined without one. */
  readonly statusOf: (result: T) => number | undefined;
}

/** Sends a request to another server in a span of it (semantic conventions, "HTTP client"). */
export function traceSending<T>({ method, url, statusOf }: Sending<T>, send: () => Promise<T>): Promise<T> {
  if (tracer === undefined) return send();
  const attributes = {
    [names.method]: method,
    // an IPv6 address is in brackets in a URL only
    [names.address]: url.hostname.replace(/^\[|\]$/g, ''),
    [names.port]: Number(url.port || (url.protocol === 'https:' ? 443 : 80)),
    [names.url]: `${url.origin}/${url.pathname === '/' ? '' : redacted}`,
  };
  return tracer.startActiveSpan(method, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    try {
      const result = await send();
      const status = statusOf(result);
      if (status !== undefined) span.setAttribute(names.status, status);
      if (status !== undefined && status >= 400) failed(span, String(status));
      else span.end();
      return result;
    } catch (error) {
      failed(span, errorType(error));
      throw error;
    }
  });
}
