/**
 * Sends one message to the address of a webhook. Each address that its host resolves to is checked, and no other one is connected to; no connection
 * is kept, so that each try resolves and checks again. The adapter of undici, which is loaded with the first message: loading it takes a
 * tenth of the time of a start.
 */
import dns from 'node:dns';
import type { LookupFunction } from 'node:net';
import type { Agent, request } from 'undici';
import { traceSending } from '../../adapters/tracing.ts';
import { withLimit } from '../../async/signals.ts';
import type { AddressRules } from './addresses.ts';

/** Bytes of an answer that are read. */
const maxAnswer = 1024;

interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** How a try has ended. */
export interface TryResult {
  readonly isDelivered: boolean;
  /** Whether it was not sent, because its address is not allowed. */
  readonly isRefused: boolean;
  /** The status of the answer; null without one. */
  readonly code: number | null;
  readonly ms: number;
  /** Why it has failed. */
  readonly reason: string | null;
  /** The first 1 kB of the answer. */
  readonly answer: string | null;
  /** The value of `Retry-After`. */
  readonly retryAfter: string | undefined;
}

export interface Sender {
  /** Never rejects, but for a signal that is aborted. @throws its reason */
  send(message: Message, signal: AbortSignal): Promise<TryResult>;
  close(): Promise<void>;
}

class AddressRefused extends Error {}

interface Parts {
  readonly rules: AddressRules;
  readonly timeoutMs: number;
  readonly elapsed: () => number;
}

export function makeSender({ rules, timeoutMs, elapsed }: Parts): Sender {
  const lookup = checkedLookup(rules);
  // its own time limits are those of each part, and the signal is that of the whole
  const options = { connect: { lookup, timeout: timeoutMs }, pipelining: 0, headersTimeout: 0, bodyTimeout: 0 };
  let opened: Promise<Client> | undefined;
  const open = (): Promise<Client> =>
    (opened ??= import('undici').then(({ Agent, request }) => ({ agent: new Agent(options), request })));
  return {
    async send(message, signal) {
      const began = elapsed();
      const none = { isRefused: false, code: null, answer: null, retryAfter: undefined };
      const end = (sent: Partial<TryResult>): TryResult => ({
        ...{ ...none, isDelivered: false, reason: null, ...sent },
        ms: Math.round(elapsed() - began),
      });
      // sockets connect to an address in a URL without a lookup; a name is checked when it has been resolved
      const refusal = rules.ofUrl(message.url);
      if (refusal !== undefined) return end({ isRefused: true, reason: `the URL ${refusal}` });
      const limit = withLimit(signal, timeoutMs);
      try {
        return end(await post(await open(), message, limit.signal));
      } catch (error) {
        signal.throwIfAborted();
        const refused = causesOf(error).find((cause) => cause instanceof AddressRefused);
        if (refused !== undefined) return end({ isRefused: true, reason: refused.message });
        return end({ reason: limit.isLate() ? `no answer within ${timeoutMs / 1000} s` : connectionFault(error) });
      } finally {
        limit.release();
      }
    },
    close: async () => (await opened)?.agent.destroy(),
  };
}

/** What sends messages. */
interface Client {
  readonly agent: Agent;
  readonly request: typeof request;
}

async function post(
  { agent, request }: Client,
  { url, headers, body }: Message,
  signal: AbortSignal,
): Promise<Partial<TryResult>> {
  const method = 'POST';
  const answer = await traceSending({ method, url: new URL(url), statusOf: ({ statusCode }) => statusCode }, () =>
    request(url, { method, headers, body, dispatcher: agent, signal }),
  );
  const { statusCode: code } = answer;
  const isDelivered = code >= 200 && code < 300;
  const text = await firstBytes(answer.body);
  const retryAfter = answer.headers['retry-after'];
  return {
    ...{ isDelivered, code, answer: text, retryAfter: typeof retryAfter === 'string' ? retryAfter : undefined },
    reason: isDelivered ? null : code >= 300 && code < 400 ? 'redirects are not followed' : 'the status is not 2xx',
  };
}

/** The rest is not read. An answer that breaks off has arrived all the same. */
async function firstBytes(body: AsyncIterable<Uint8Array> & { destroy(): unknown }): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= maxAnswer) break;
    }
  } catch {
    // what has been read is kept
  }
  body.destroy();
  return Buffer.concat(chunks).subarray(0, maxAnswer).toString('utf8');
}

const checkedLookup =
  (rules: AddressRules): LookupFunction =>
  (hostname, options, done) =>
    dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error, []);
      const host = hostname.toLowerCase().replace(/\.$/, '');
      for (const { address } of addresses) {
        const refusal = rules.ofAddress(host, address);
        if (refusal !== undefined) return done(new AddressRefused(refusal), []);
      }
      const [first] = addresses;
      if (options.all === true || first === undefined) return done(null, addresses);
      return done(null, first.address, first.family);
    });

function causesOf(error: unknown): readonly Error[] {
  if (!(error instanceof Error)) return [];
  const all = error instanceof AggregateError ? (error.errors as readonly unknown[]) : [];
  return [error, ...causesOf(error.cause), ...all.flatMap(causesOf)];
}

/** In words without an address of this network. */
function connectionFault(error: unknown): string {
  const code = causesOf(error)
    .map((cause) => (cause as NodeJS.ErrnoException).code)
    .find((one) => typeof one === 'string');
  return `the connection failed${code === undefined ? '' : `: ${code}`}`;
}
