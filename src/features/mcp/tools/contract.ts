/** A tool, as a row of a table, and what its function receives. */
import type { AnyModels, ModelApi, Sender } from 'dossier-client';
import type { JsonSchema } from '../../../core.ts';
import type { ArgumentRow, Arguments } from './arguments.ts';

/** What a client may assume of a call, without reading the description (MCP, "Tool annotations"). */
export interface Hints {
  /** It changes nothing. */
  readonly readOnlyHint: boolean;
  /** It may change or remove what is there. */
  readonly destructiveHint: boolean;
  /** The same call again changes nothing further. */
  readonly idempotentHint: boolean;
  /** It may reach beyond this server. */
  readonly openWorldHint: boolean;
}

/** What the function of a tool works with: the methods of the client, in the name of the caller. */
export interface Call {
  readonly given: Arguments;
  /** The methods of the model that the argument `model` names. */
  readonly model: ModelApi<AnyModels, string>;
  /** For requests that are no methods of a model. */
  readonly sender: Sender;
}

export interface ToolRow {
  readonly name: string;
  readonly title: string;
  /** For the model that reads it: what the tool does, and how its arguments are written. */
  readonly description: string;
  /** The operations that it requests: their rows say who may use the tool, and on which models. The result has parts of the first's answer. */
  readonly operations: readonly [string, ...string[]];
  readonly hints: Hints;
  readonly arguments: readonly ArgumentRow[];
  /** The parts of the answer that the result has. */
  readonly shows: readonly string[];
  /** Further parts of the result. */
  readonly adds?: Readonly<Record<string, JsonSchema>>;
  /** @returns the result @throws Failure */
  readonly run: (call: Call) => Promise<object>;
}
