/** What the protocol offers to one caller: independent of where the tools run, and of the package that speaks the protocol. */
import type { JsonSchema } from '../../core.ts';
import type { Arguments } from './tools/arguments.ts';
import type { Hints } from './tools/contract.ts';

/** A tool as `tools/list` describes it. */
export interface ToolDescription {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly annotations: Hints & { readonly title: string };
}

/** The result of a call: with `isError` the text is the reason of the failure. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: true;
}

/** The tools of one caller. */
export interface Tools {
  list(): Promise<readonly ToolDescription[]>;
  /** @returns a failure of the call as a result @throws UnknownTool */
  call(name: string, given: Arguments): Promise<ToolResult>;
}

/** A call of a tool that does not exist: an error of the protocol. */
export class UnknownTool extends Error {
  override readonly name = 'UnknownTool';
}
