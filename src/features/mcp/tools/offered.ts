/** The tools that a caller may use, described to them: models, functions and fields that they may not use are not in it. */
import {
  functionsOf,
  type JsonSchema,
  maySee,
  type ModelEntry,
  modelsOf,
  type Operation,
  type OperationGroup,
  policyFor,
  type Principal,
  sentDocument,
  shapes,
} from '../../../core.ts';
import type { ToolDescription } from '../contract.ts';
import { schemaOf } from './arguments.ts';
import type { ToolRow } from './contract.ts';
import { readTools } from './read.ts';
import { writeTools } from './write.ts';

export interface Tool extends ToolRow {
  readonly rows: readonly Operation[];
  readonly output: JsonSchema;
}

/** @throws Error for an operation that is in no group */
export function toolsOf(groups: readonly OperationGroup[]): readonly Tool[] {
  const byName = new Map(groups.flatMap(({ operations }) => operations).map((row) => [row.name as string, row]));
  return [...readTools, ...writeTools].map((tool) => {
    const rows = tool.operations.map((name) => {
      const row = byName.get(name);
      if (row === undefined) throw new Error(`no operation is named ${name}`);
      return row;
    });
    return { ...tool, rows, output: outputOf(tool, rows[0]) };
  });
}

/** The described parts of the answer of an operation. Documents are not described: they may be older than their schema. */
function outputOf({ shows, adds = {} }: ToolRow, row: Operation | undefined): JsonSchema {
  const answer = row?.answers[200] ?? row?.answers[201];
  const { properties = {}, required = [] } = resolved(answer) as {
    readonly properties?: Readonly<Record<string, JsonSchema>>;
    readonly required?: readonly string[];
  };
  const shown = Object.entries({ ...properties, ...adds }).filter(([name]) => shows.includes(name) || name in adds);
  const isNeeded = ([name]: readonly [string, JsonSchema]): boolean => required.includes(name);
  return shapes.object(
    Object.fromEntries(shown.filter(isNeeded)),
    Object.fromEntries(shown.filter((one) => !isNeeded(one))),
  );
}

/** A schema of a row without its marks for documents and its references. */
function resolved(schema: unknown): unknown {
  if (typeof schema === 'symbol') return { type: 'object', description: 'A document; describe_model lists its fields' };
  if (Array.isArray(schema)) return schema.map(resolved);
  if (typeof schema !== 'object' || schema === null) return schema;
  if ('$ref' in schema) return shapes.modelDescription;
  return Object.fromEntries(Object.entries(schema).map(([name, inner]) => [name, resolved(inner)]));
}

/** @param models those that are served */
export function toolDescriptions(
  principal: Principal,
  models: readonly ModelEntry[],
  tools: readonly Tool[],
): readonly ToolDescription[] {
  const seen = models.filter((model) => maySee(principal, model));
  return tools.flatMap((tool) => {
    const usable = usableModels(tool, seen, principal);
    if (usable === undefined) return [];
    const { name, title, description, hints, output } = tool;
    const inputSchema = schemaOf(tool.arguments, knownSchemas(tool, usable, principal));
    return [{ name, title, description, inputSchema, outputSchema: output, annotations: { title, ...hints } }];
  });
}

/** The models on which a caller may use a tool, none for one that names no model; undefined where they may not use it. */
function usableModels(
  tool: Tool,
  seen: readonly ModelEntry[],
  principal: Principal,
): readonly ModelEntry[] | undefined {
  const allowed = tool.rows.flatMap((row) =>
    modelsOf(row, seen, principal).filter((model) => functionsOf(row, model, principal).length > 0),
  );
  const parts = tool.rows.flatMap((row) => row.parts ?? []);
  const mayDoPart = parts.length === 0 || parts.some((part) => modelsOf(part, seen, principal).length > 0);
  if (allowed.length === 0 || !mayDoPart) return undefined;
  if (!tool.arguments.some(({ name }) => name === 'model')) return [];
  const models = allowed.includes(undefined) ? seen : seen.filter((model) => allowed.includes(model));
  return models.length === 0 ? undefined : models;
}

/** Characters of the schemas of documents in one tool, beyond which only `describe_model` lists the fields. */
const maxDocumentSchemas = 16_000;

/** The schemas of arguments that depend on the models: their names, their functions, and the fields of what is sent. */
function knownSchemas(
  tool: Tool,
  models: readonly ModelEntry[],
  principal: Principal,
): Readonly<Record<string, JsonSchema | undefined>> {
  const functions = new Set(tool.rows.flatMap((row) => models.flatMap((model) => functionsOf(row, model, principal))));
  functions.delete(undefined);
  const documents = (use: 'create' | 'change'): JsonSchema | undefined => {
    const anyOf = models.map((model) => sentDocument(policyFor(principal, model), use));
    return JSON.stringify(anyOf).length > maxDocumentSchemas ? undefined : { type: 'object', anyOf };
  };
  return {
    model: { type: 'string', enum: models.map(({ name }) => name) },
    ...(functions.size === 0 ? {} : { name: { type: 'string', enum: [...functions] } }),
    ...(tool.name === 'create' ? { document: documents('create') } : {}),
    ...(tool.name === 'update' ? { fields: documents('change') } : {}),
  };
}
