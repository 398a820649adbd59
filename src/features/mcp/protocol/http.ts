/** Answers a message of the protocol that came over HTTP (MCP, "Streamable HTTP"), without any state between two messages. */
import type { IncomingHttpHeaders } from 'node:http';
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Tools } from '../contract.ts';
import { serverFor, type ServerParts } from './server.ts';

interface Message {
  /** As it was parsed. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
  readonly signal: AbortSignal;
}

interface HttpAnswer {
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** The headers that the protocol reads. */
const headerNames = ['content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

/** What the protocol itself refuses is answered by its package. @param onRefusal receives why */
export async function answerOverHttp(
  { body, headers, signal }: Message,
  tools: Tools,
  { onRefusal, ...parts }: ServerParts & { readonly onRefusal: (error: Error) => void },
): Promise<HttpAnswer> {
  const serve = serverFor(tools, parts);
  const request = requestOf(headers, signal);
  const isOfEarlierRevision = body !== undefined && (await isLegacyRequest(request, body));
  const response = isOfEarlierRevision
    ? await answerEarlier(request, body, serve)
    : await createMcpHandler(serve, { legacy: 'reject', onerror: onRefusal }).fetch(request, { parsedBody: body });
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? undefined,
    body: await response.text(),
  };
}

/** A request as the package reads it. All answers are JSON in one piece, whatever else the client accepts. */
function requestOf(headers: IncomingHttpHeaders, signal: AbortSignal): Request {
  const given = headerNames.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  return new Request('http://localhost/mcp', {
    method: 'POST',
    headers: [...given, ['accept', 'application/json, text/event-stream']],
    signal,
  });
}

/** Clients of the revision before begin with `initialize`; without sessions each of their messages stands by itself, too. */
async function answerEarlier(request: Request, body: unknown, serve: McpServerFactory): Promise<Response> {
  const server = await serve({ era: 'legacy', requestInfo: request });
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    return await transport.handleRequest(request, { parsedBody: body });
  } finally {
    await server.close();
  }
}
