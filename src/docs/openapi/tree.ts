/** Builds the JSON Schema of a document from the schemas of dotted paths. */
import type { JsonSchema } from './shapes.ts';
import { orNull } from './values.ts';

/** A field and its nested fields; `schema` is set if the path itself has a schema. */
export interface Node {
  readonly fields: Map<string, Node>;
  readonly required: Set<string>;
  /** Whether null is refused for the whole object, because a nested field is required. */
  refusesNull: boolean;
  schema: JsonSchema | undefined;
}

export const makeNode = (): Node => ({ fields: new Map(), required: new Set(), refusesNull: false, schema: undefined });

/** Whether the field and its enclosing objects must be sent, and must have a value. */
interface Presence {
  readonly needed: boolean;
  readonly refusesNull: boolean;
}

const optional: Presence = { needed: false, refusesNull: false };

export function place(root: Node, parts: readonly string[], schema: JsonSchema, presence = optional): void {
  let node = root;
  for (const part of parts) {
    if (presence.needed) node.required.add(part);
    node.refusesNull ||= presence.refusesNull;
    const inner = node.fields.get(part) ?? makeNode();
    node.fields.set(part, inner);
    node = inner;
  }
  node.schema = schema;
}

/** The JSON Schema of a node. Null for a nested object means null in each of its fields. */
export function schemaOf({ fields, required, refusesNull, schema }: Node): JsonSchema {
  if (schema !== undefined && fields.size === 0) return schema;
  const document = {
    type: 'object',
    ...(required.size === 0 ? {} : { required: [...required] }),
    properties: Object.fromEntries([...fields].map(([name, node]) => [name, schemaOf(node)])),
  };
  return { ...schema, ...(refusesNull ? document : orNull(document)) };
}
