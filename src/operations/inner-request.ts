/** What operations are asked for inside of the server, as values: by `api`, and by what other protocols stand for. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ClientAddress } from '../auth/contract.ts';
import type { Caller } from '../context.ts';
import type { Answer } from './answer.ts';
import type { Operation } from './operation.ts';

/** A parameter: its name, with those in brackets behind it, and its text. */
export type TextParameter = readonly [names: readonly string[], text: string];

/** What an operation is asked for inside of the server: the values that transports make of texts. */
interface InnerRequest {
  /** The named parts of its path. */
  readonly params: Readonly<Record<string, string>>;
  readonly parameters: readonly TextParameter[];
  /** As `bodyCopy` makes it. */
  readonly body: unknown;
  readonly headers: IncomingHttpHeaders;
}

/** The operations of a server, for what invokes them by their names. */
export interface InnerOperations {
  /** @throws 400 for one that the server does not have */
  named(name: string): Operation;
  /**
   * Invokes an operation with its own rights, hooks and time limit.
   * @param outer what encloses it, for its hooks @throws Failure, and what hooks and models throw
   */
  invoke(
    operation: Operation,
    request: InnerRequest,
    caller: Caller,
    outer: Pick<ClientAddress, 'ip'> & { readonly headers: IncomingHttpHeaders },
  ): Promise<Answer>;
}

/** The path and query string of an operation that is asked for by values, for what shows it, such as the links of a page. */
export function addressOf(
  { http }: Pick<Operation, 'http'>,
  params: Readonly<Record<string, string>>,
  parameters: readonly TextParameter[],
): string {
  const path = http.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const query = new URLSearchParams(parameters.map(([names, text]): [string, string] => [nameOf(names), text]));
  return parameters.length === 0 ? path : `${path}?${query.toString()}`;
}

const nameOf = ([first = '', ...inner]: readonly string[]): string => first + inner.map((part) => `[${part}]`).join('');
