/** `/mcp`, and the description of what protects it. */
import {
  type Answer,
  badBody,
  type Context,
  forbidden,
  isLoopback,
  isOwnHost,
  isOwnOrigin,
  json,
  type JsonSchema,
  openAccess,
  type OperationGroup,
  packageVersion,
  type PlainOperation,
  type ServerDescription,
  serverUrl,
  type Services,
  type Settings,
  shapes,
  wrongContentType,
} from '../../core.ts';
import { toolsFor } from './caller.ts';
import { type Tool, toolsOf } from './tools/offered.ts';

const path = '/mcp';
const metadataPath = '/.well-known/oauth-protected-resource';
const isOn = ({ mcp }: Settings): boolean => mcp !== 'off';

/** A request or a notification (JSON-RPC 2.0). */
const rpcMessage: JsonSchema = {
  ...shapes.object(
    { jsonrpc: { const: '2.0' }, method: shapes.text },
    { id: { type: ['string', 'integer'] }, params: { type: 'object' } },
  ),
};
const rpcAnswer: JsonSchema = shapes.object(
  { jsonrpc: { const: '2.0' }, id: { type: ['string', 'integer', 'null'] } },
  { result: { type: 'object' }, error: shapes.object({ code: shapes.integer, message: shapes.text }, { data: {} }) },
);
/** What is no message of the protocol, or of a revision that is not served, is refused by the protocol. */
const refusal = { oneOf: [{ $ref: '#/components/schemas/_failure' }, rpcAnswer] };
const metadata: JsonSchema = shapes.object({
  resource: shapes.text,
  bearer_methods_supported: shapes.listOf(shapes.text),
  resource_name: shapes.text,
  resource_documentation: shapes.text,
});

/** @param described whose operations the tools request */
export function agents({ groups }: Pick<ServerDescription, 'groups'>): OperationGroup {
  let tools: readonly Tool[] | undefined;
  return {
    title: 'Agents',
    after: 'Events',
    operations: [
      {
        name: 'mcp.message',
        http: { method: 'POST', path },
        summary: 'Answers a message of the Model Context Protocol',
        effect: 'read',
        access: openAccess('each tool requires its own right'),
        openToScopes: true,
        keysAsBearer: true,
        challenge: (services) => `resource_metadata="${services.of(serverUrl)()}${metadataPath}"`,
        // a call is one request of another operation, which has its own limit
        isMultiStep: true,
        isOn,
        input: { body: { schema: rpcMessage, checksNamesItself: true } },
        answers: { 200: rpcAnswer, 202: 'none', 400: refusal, 404: refusal },
        run: (context) => answer(context, (tools ??= toolsOf(groups()))),
      },
      {
        name: 'mcp.resource',
        http: { method: 'GET', path: metadataPath },
        summary: 'Describes how `/mcp` is protected (RFC 9728)',
        access: openAccess('it names no data'),
        openToScopes: true,
        isOn,
        answers: { 200: metadata },
        run: ({ services }) => json(describeResource(services)),
      },
    ] satisfies readonly PlainOperation[],
  };
}

/**
 * Pages of other origins would act with the credentials that they have, or from within a network. A server for programs of its machine is
 * reached by pages that point a name of theirs to it, too, and takes only origins that `CORS_ORIGINS` names.
 * @throws 403
 */
function refuseForeignOrigin({ headers, services }: Context): void {
  const { settings } = services;
  const { api_url: api, cors } = settings;
  const { origin, host } = headers;
  const isLocal = isLoopback(settings.host);
  if (isLocal && host !== undefined && !isOwnHost(host, api))
    throw forbidden('this host name may not use MCP; set API_URL to allow the host name of this server');
  if (origin === undefined || cors.origins.includes(origin) || (!isLocal && cors.origins.includes('*'))) return;
  if (origin !== new URL(services.of(serverUrl)()).origin && !isOwnOrigin(origin, host, api))
    throw forbidden('this origin may not use MCP; add it to CORS_ORIGINS');
}

async function answer(context: Context, tools: readonly Tool[]): Promise<Answer> {
  refuseForeignOrigin(context);
  const { body, headers, services } = context;
  if (!/^application\/json\s*(;|$)/i.test(headers['content-type'] ?? ''))
    throw wrongContentType('send application/json');
  // several calls in one request would escape the throttle; the protocol has no batches since 2025-06-18
  if (Array.isArray(body)) throw badBody('send one message: MCP has no batches');
  const { answerOverHttp } = await import('./protocol/http.ts');
  const given = { body, headers, signal: context.signal };
  const {
    status,
    type,
    body: sent,
  } = await answerOverHttp(given, toolsFor(context, services, tools), {
    version: packageVersion(),
    onRefusal: ({ message }) => services.log.debug('MCP refuses a message', { reason: message }),
    onError: (error) => services.log.error('a tool of MCP failed', error),
  });
  return { kind: 'text', status, type: type ?? 'application/json', body: sent };
}

function describeResource(services: Services) {
  const url = services.of(serverUrl)();
  return {
    resource: `${url}${path}`,
    bearer_methods_supported: ['header'],
    resource_name: 'Dossier',
    resource_documentation: `${url}/docs/guides/mcp`,
  };
}
