/** The official clients of MCP, of both eras, and messages without a client. */
import { afterAll } from '@jest/globals';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Answer } from './client.ts';
import type { TestServer } from './server.ts';

export interface Tool {
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema: Readonly<Record<string, any>>;
  readonly outputSchema?: Readonly<Record<string, any>> | undefined;
  readonly annotations?: Readonly<Record<string, unknown>> | undefined;
}

export interface Result {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly structuredContent?: any;
  readonly isError?: boolean | undefined;
}

/** What tests do with a client of either era. */
export interface Agent {
  tools(): Promise<readonly Tool[]>;
  call(name: string, given?: Readonly<Record<string, unknown>>): Promise<Result>;
  /** The revision that was agreed on. */
  readonly revision: string | undefined;
}

/** `current`: the package of the current revision; `earlier`: the one of the revision before. */
export const eras = ['current', 'earlier'] as const;
type Era = (typeof eras)[number];
export const currentRevision = '2026-07-28';

type Headers = Readonly<Record<string, string>>;
const open = new Set<{ close(): Promise<void> }>();
afterAll(async () => {
  for (const client of open) await client.close();
});

const info = { name: 'test', version: '1.0.0' };

export async function agentAt(url: string, headers: Headers = {}, era: Era = 'current'): Promise<Agent> {
  const to = new URL(`${url}/mcp`);
  const options = { requestInit: { headers } };
  const client =
    era === 'current'
      ? new Client(info, { versionNegotiation: { mode: { pin: currentRevision } } })
      : new EarlierClient(info);
  // the two packages declare their transports with the same methods, and types of their own
  const transport =
    era === 'current' ? new StreamableHTTPClientTransport(to, options) : new EarlierTransport(to, options);
  await client.connect(transport);
  open.add(client);
  return agentOf(client, () => (transport as { protocolVersion?: string }).protocolVersion);
}

export const agentOf = (client: Client | EarlierClient, revision: () => string | undefined): Agent => ({
  tools: async () => (await client.listTools()).tools,
  call: async (name, given = {}) => (await client.callTool({ name, arguments: given })) as Result,
  get revision() {
    return revision();
  },
});

/** A message as it is, without a client, in the form of the revision before. */
export const message = (server: TestServer, body: unknown, headers: Headers = {}): Promise<Answer> =>
  server.post('/mcp', body, { headers: { 'mcp-protocol-version': '2025-11-25', ...headers } });

/** Calls a tool without a client: the result, or the error of the protocol. */
export async function callAt(
  server: TestServer,
  name: string,
  given: Readonly<Record<string, unknown>>,
  headers: Headers = {},
): Promise<Result & { readonly error?: { readonly message: string } }> {
  const { status, body, text } = await message(
    server,
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } },
    headers,
  );
  if (status !== 200) throw new Error(`${status} ${text}`);
  return (body['result'] ?? { content: [], error: body['error'] }) as Result;
}
