/** A model → the JSON schemas of its documents: as they are shown, and as they are sent. */
import type { FieldDescription, ModelDescription } from '../registry/describe.ts';
import { incarnationPath } from '../registry/built-in/incarnation.ts';
import { isSecretName } from '../registry/secrets.ts';
import { person, type JsonSchema } from './shapes.ts';

const text: JsonSchema = { type: ['string', 'null'] };
const number: JsonSchema = { type: ['number', 'null'] };

/** How values of the schema's types look in JSON. What is not here may be anything. */
const types: Readonly<Record<string, JsonSchema>> = {
  String: text,
  Number: number,
  Double: number,
  Int32: number,
  BigInt: { type: ['number', 'string', 'null'] },
  Boolean: { type: ['boolean', 'null'] },
  Date: { type: ['string', 'null'], format: 'date-time' },
  ObjectId: { type: ['string', 'null'], pattern: '^[0-9a-f]{24}$' },
  Decimal128: text,
  Buffer: text,
  UUID: text,
  Object: { type: ['object', 'null'] },
  Map: { type: ['object', 'null'] },
};

/** What the server sets itself; what a caller sends of it is ignored. */
const stamps: ReadonlySet<string> = new Set([
  ...['_id', '_owner_id', '_updated_by_id', 'createdAt', 'updatedAt', '__v'],
  incarnationPath,
]);

/**
 * A document as it is shown. Fields may be missing but for the id, and linked documents stand beside their ids when they are populated.
 * @param known models that the caller sees, whose schemas stand in the same place
 */
export function shownSchema({ name, fields }: ModelDescription, known: ReadonlySet<string>): JsonSchema {
  const root = makeNode();
  for (const [path, field] of Object.entries(fields)) {
    const parts = path.split('.');
    if (parts.some(isSecretName)) continue;
    place(root, parts, typeOf(field));
    if (field.map_to !== undefined) place(root, field.map_to.split('.'), linked(field, field.map_to === path, known));
  }
  place(root, ['id'], { type: 'string' });
  root.required.push('_id', 'id');
  return { title: name, ...schemaOf(root), type: 'object' };
}

/**
 * A document as it is sent.
 * @param needed the fields that a new one must have; without them, it is changed
 */
export function sentSchema({ name, fields }: ModelDescription, needed?: ReadonlySet<string>): JsonSchema {
  const creating = needed !== undefined;
  const root = makeNode();
  for (const [path, field] of Object.entries(fields)) {
    if (stamps.has(path) || (creating && path === '_deleted')) continue;
    const parts = path.split('.');
    const secret = parts.some(isSecretName) ? { writeOnly: true } : {};
    place(root, parts, { ...typeOf(field), ...secret });
    if (needed?.has(path) === true && parts.length === 1) root.required.push(path);
  }
  return { title: `${name} to ${creating ? 'create' : 'change'}`, ...schemaOf(root), type: 'object' };
}

interface Node {
  readonly fields: Map<string, Node>;
  readonly required: string[];
  schema: JsonSchema | undefined;
}

const makeNode = (): Node => ({ fields: new Map(), required: [], schema: undefined });

function place(root: Node, parts: readonly string[], schema: JsonSchema): void {
  let node = root;
  for (const part of parts) {
    const inner = node.fields.get(part) ?? makeNode();
    node.fields.set(part, inner);
    node = inner;
  }
  node.schema = schema;
}

/** A list of documents has their fields in its members. */
function schemaOf({ fields, required, schema }: Node): JsonSchema {
  if (schema !== undefined && fields.size === 0) return schema;
  const document = {
    type: ['object', 'null'],
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries([...fields].map(([name, node]) => [name, schemaOf(node)])),
  };
  return schema !== undefined && 'items' in schema ? { ...schema, items: document } : { ...schema, ...document };
}

function typeOf(field: FieldDescription): JsonSchema {
  const one = types[field.type] ?? {};
  const values = field.enum === undefined ? one : { ...one, enum: [...field.enum, null] };
  const about = {
    ...(field.default === undefined ? {} : { default: field.default }),
    ...(field.link === undefined ? {} : { description: `Links to ${field.link}` }),
  };
  return field.array ? { type: ['array', 'null'], items: values, ...about } : { ...values, ...about };
}

/** Shown in the place of its id, a link may be either. */
function linked(field: FieldDescription, inPlace: boolean, known: ReadonlySet<string>): JsonSchema {
  const { link = '', array } = field;
  const documents = [
    ...(known.has(link) ? [{ $ref: `#/components/schemas/${link}` }] : []),
    ...(link === 'user' ? [person] : []),
  ];
  const one = { anyOf: [...documents, { type: 'null' }, ...(inPlace ? [types['ObjectId']] : [])] };
  return { ...(array ? { type: ['array', 'null'], items: one } : one), description: `${link}, when populated` };
}
