/** The fields of a document by dotted path → the JSON Schema of the document. */
import type { JsonSchema } from './shapes.ts';
import { orNull } from './values.ts';

/** A field with the fields inside it; `schema` is set where a schema was given for the path itself. */
export interface Node {
  readonly fields: Map<string, Node>;
  readonly required: Set<string>;
  /** Null in the place of the whole is refused, because a field inside must have a value. */
  refusesNull: boolean;
  schema: JsonSchema | undefined;
}

export const makeNode = (): Node => ({ fields: new Map(), required: new Set(), refusesNull: false, schema: undefined });

/** Whether the field, and with it every object around it, must be sent, and must have a value. */
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

/** The JSON Schema of a node. Null in the place of a nested object stands for null in each of its fields. */
export function schemaOf({ fields, required, refusesNull, schema }: Node): JsonSchema {
  if (schema !== undefined && fields.size === 0) return schema;
  const document = {
    type: 'object',
    ...(required.size === 0 ? {} : { required: [...required] }),
    properties: Object.fromEntries([...fields].map(([name, node]) => [name, schemaOf(node)])),
  };
  return { ...schema, ...(refusesNull ? document : orNull(document)) };
}
