/** The tools of the caller of a request: each call is a request of an operation, in their name. */
import { randomUUID } from 'node:crypto';
import { ModelApi } from 'dossier-client';
import {
  type ApiRequest,
  type Failure,
  failureFrom,
  fromApi,
  type Principal,
  type Services,
  suggestion,
  turnForJson,
} from '../../core.ts';
import { type ToolResult, type Tools, UnknownTool } from './contract.ts';
import { type Arguments, checkArguments } from './tools/arguments.ts';
import { type Tool, toolDescriptions } from './tools/offered.ts';

/** @param all the tools of the server, of which the setting `MCP` chooses */
export function toolsFor(request: ApiRequest, services: Services, all: readonly Tool[]): Tools {
  const { settings, registry, apis, log } = services;
  const tools = settings.mcp === 'write' ? all : all.filter(({ hints }) => hints.readOnlyHint);
  const principal = byAgent(request.principal);
  const sender = apis.sender({ ...request, signal: request.signal, principal });
  return {
    list: async () => Promise.resolve(toolDescriptions(principal, registry.served, tools)),
    async call(name, given) {
      const tool = tools.find((one) => one.name === name);
      if (tool === undefined) throw new UnknownTool(unknown(name, tools));
      try {
        const plain = await asJson(given);
        checkArguments(name, tool.arguments, plain);
        return resultOf(await tool.run({ given: plain, sender, model: new ModelApi(sender, nameIn(plain)) }));
      } catch (error) {
        const id = request.requestId ?? randomUUID();
        return failed(error, id, (failure) => log.failed({ id, method: 'POST', path: `/mcp ${name}`, error: failure }));
      }
    },
  };
}

const agents = new WeakMap<Principal, Principal>();

/** The principal whose writes are recorded as those of an agent. It is one object for each, by which its policies are cached. */
function byAgent(principal: Principal): Principal {
  const agent = agents.get(principal) ?? Object.freeze({ ...principal, via: 'mcp' as const });
  agents.set(principal, agent);
  return agent;
}

/** Numbers that no double holds are Extended JSON, which filters, pipelines and bodies take. */
async function asJson(given: Arguments): Promise<Arguments> {
  const text = JSON.stringify(given);
  await turnForJson(text.length);
  const json = JSON.parse(text) as Arguments;
  await turnForJson(text.length);
  return json;
}

const nameIn = ({ model }: Arguments): string => (typeof model === 'string' ? model : '');

const unknown = (name: string, tools: readonly Tool[]): string =>
  `there is no tool ${JSON.stringify(name.slice(0, 60))}${suggestion(
    name,
    tools.map((tool) => tool.name),
  )}`;

/** Clients that do not read the structured result get it as text. */
function resultOf(value: object): ToolResult {
  const text = JSON.stringify(value);
  return {
    content: [{ type: 'text', text }],
    structuredContent: JSON.parse(text) as Readonly<Record<string, unknown>>,
  };
}

/** @param id of the request, which the caller gets with a 500 @param report logs what is no fault of the caller */
function failed(error: unknown, id: string, report: (failure: Failure) => void): ToolResult {
  const failure = failureOf(error);
  const { operation } = failure.details;
  const reason = operation === undefined ? failure.reason : `operation ${Number(operation)}: ${failure.reason}`;
  if (failure.status < 500 && failure.status !== 429) return refused(reason);
  report(failure);
  return refused(failure.status === 500 ? `${reason} (request ${id})` : reason);
}

const refused = (text: string): ToolResult => ({ content: [{ type: 'text', text }], isError: true });

/** What a request was refused with is the cause of the error that `api` throws. */
function failureOf(error: unknown): Failure {
  return failureFrom(fromApi(error));
}
