/** The ways by which a message reaches `/mcp`: over HTTP, or inside of this process. */
import { anonymousPrincipal } from '../../policy/principal.ts';
import type { Services } from '../../services.ts';
import type { SendMessage } from './relay.ts';

/** The caller of a command, in the audit log. Keys with addresses are used from this machine. */
const here = { address: 'command line', ip: '127.0.0.1' };
const json = { 'content-type': 'application/json' };

/** @param url of the server, with or without `/mcp` */
export function toServer(url: string, key: string | undefined): SendMessage {
  const address = `${url.replace(/\/+$/, '').replace(/\/mcp$/, '')}/mcp`;
  const credentials = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return async (message, headers) => {
    const answer = await fetch(address, {
      method: 'POST',
      body: JSON.stringify(message),
      headers: { ...json, accept: 'application/json, text/event-stream', ...credentials, ...headers },
    }).catch((error: unknown) => {
      throw new Error(`${address} does not answer`, { cause: error });
    });
    const text = await answer.text();
    if (!answer.ok && !isOfProtocol(text)) throw new Error(reasonIn(text) ?? `${address} answers ${answer.status}`);
    return { text, isStream: answer.headers.get('content-type')?.startsWith('text/event-stream') === true };
  };
}

/** @param services of the project */
export const toProject =
  ({ auth, apis }: Services, key: string | undefined): SendMessage =>
  async (message, headers) => {
    const principal = key === undefined ? anonymousPrincipal : await auth.byKey(key, here);
    const caller = { ...here, principal, headers: json, signal: new AbortController().signal };
    const call = { operation: 'mcp.message', params: {}, body: message, headers, repeat: 'once' } as const;
    const text = await apis.sender(caller).text(call);
    return { text, isStream: text.startsWith('event: ') };
  };

/** Whether a text is a message of the protocol, such as an error. */
const isOfProtocol = (text: string): boolean => partIn(text, 'jsonrpc') === '2.0';
/** The reason in the envelope of a refusal. */
const reasonIn = (text: string): string | undefined => partIn(text, 'err');

function partIn(text: string, name: 'jsonrpc' | 'err'): string | undefined {
  try {
    const value: unknown = (JSON.parse(text) as Readonly<Record<string, unknown>> | null)?.[name];
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
