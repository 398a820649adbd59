/**
 * Passes the messages of the Model Context Protocol on: each line of standard input is one (MCP, "stdio"), which is sent as one request
 * to `/mcp`, and its answer is a line of standard output. No message needs another, so they are sent as they come.
 */
import { createInterface } from 'node:readline';
import { messageOf } from '../message.ts';
import type { Terminal } from '../terminal.ts';

/** The answer to a message: JSON, or events with JSON; empty where there is none. */
interface RelayAnswer {
  readonly isStream: boolean;
  readonly text: string;
}

/** Sends a message with the headers that the protocol demands over HTTP. @throws Error with the reason of a refusal */
export type SendMessage = (message: object, headers: Readonly<Record<string, string>>) => Promise<RelayAnswer>;

interface Message {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: {
    readonly name?: unknown;
    readonly uri?: unknown;
    readonly _meta?: Readonly<Record<string, unknown>>;
  };
}

/** Codes of JSON-RPC 2.0, 5.1. */
const codes = { parse: -32700, invalid: -32600, internal: -32603 } as const;
const versionKey = 'io.modelcontextprotocol/protocolVersion';

/** Relays until the input ends or the signal is aborted, and all answers are written. */
export async function relay({ input, output }: Terminal, send: SendMessage, signal: AbortSignal): Promise<void> {
  const write = (line: string): void => void output.write(`${line}\n`);
  const running = new Set<Promise<void>>();
  const lines = createInterface({ input, signal });
  try {
    for await (const line of lines) {
      if (line.trim() === '') continue;
      const done = answer(line, send, write).finally(() => running.delete(done));
      running.add(done);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  await Promise.all(running);
}

async function answer(line: string, send: SendMessage, write: (line: string) => void): Promise<void> {
  const message = parsed(line);
  if (message === undefined) return write(failure(null, codes.parse, 'the line is not JSON'));
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    return write(failure(null, codes.invalid, 'send one message on each line'));
  const { id, method } = message as Message;
  try {
    const { text, isStream } = await send(message, headersOf(message));
    for (const one of isStream ? eventsIn(text) : [text]) if (one !== '') write(one);
  } catch (error) {
    // a notification has no answer
    if (id !== undefined && method !== undefined) write(failure(id, codes.internal, messageOf(error)));
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

const failure = (id: unknown, code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } });

/** What the current revision repeats in headers; earlier ones have none of it in a message. */
function headersOf({ method, params }: Message): Readonly<Record<string, string>> {
  const version = params?._meta?.[versionKey];
  if (typeof version !== 'string' || typeof method !== 'string') return {};
  const name = params?.name ?? params?.uri;
  return {
    'mcp-protocol-version': version,
    'mcp-method': method,
    ...(typeof name === 'string' ? { 'mcp-name': inHeader(name) } : {}),
  };
}

/** A name that a header cannot hold as it is, is sent in Base64 (MCP, "Standard request headers"). */
const inHeader = (name: string): string =>
  /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(name) && !name.startsWith('=?base64?')
    ? name
    : `=?base64?${Buffer.from(name).toString('base64')}?=`;

/** The data of Server-Sent Events, each of which is one line. */
const eventsIn = (text: string): readonly string[] =>
  text.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice('data: '.length)] : []));
