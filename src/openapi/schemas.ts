/** A model → the JSON schemas of its documents: as they are shown, and as they are sent. */
import type { Schema, SchemaType } from 'mongoose';
import { incarnationPath } from '../models/built-in/incarnation.ts';
import { neededOf } from '../models/describe.ts';
import type { SchemaView } from '../query/schema-view.ts';
import type { Policy } from '../policy/policy.ts';
import type { Link, ModelEntry } from '../models/entry.ts';
import { aliasesOf } from '../models/resolve-alias.ts';
import { innerOf } from '../models/path-type.ts';
import { virtualsOf } from '../models/virtuals.ts';
import { id, person, type JsonSchema } from './shapes.ts';
import { makeNode, place, schemaOf, type Node } from './tree.ts';
import { isComputed, leafSchema, orNull, remarksOf, takesNull, type Use } from './values.ts';

/** What the server sets itself; what a caller sends of it is ignored. */
const stamps: ReadonlySet<string> = new Set([
  ...['_id', '_owner_id', '_updated_by_id', 'createdAt', 'updatedAt', '__v'],
  incarnationPath,
]);

/** What is the same for all paths of one JSON schema. */
interface Reading {
  readonly use: Use;
  readonly model: ModelEntry;
  readonly view: SchemaView;
  /** Whether a body may have a path. */
  readonly writes: (path: string) => boolean;
  /** Models that the caller sees, whose schemas stand in the same place. */
  readonly known: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

/**
 * A document as it is shown. Fields may be missing but for the id, and linked documents stand beside their ids when they are populated.
 * @param known models that the caller sees, whose schemas stand in the same place
 */
export function shownSchema({ model, shownView: view }: Policy, known: ReadonlySet<string>): JsonSchema {
  const root = treeOf(model.schema, { use: 'shown', model, view, writes: () => false, known }, '');
  if (model.textPaths.length > 0 && !root.fields.has('score'))
    place(root, ['score'], { type: 'number', readOnly: true, description: 'Relevance, in a full-text search' });
  place(root, ['id'], { type: 'string' });
  root.required.add('_id').add('id');
  return { title: model.name, ...schemaOf(root), type: 'object' };
}

/** A document as it is sent, to create it or to change fields of it. */
export function sentSchema(policy: Policy, use: 'create' | 'change'): JsonSchema {
  const { model, shownView: view } = policy;
  const letter = use === 'create' ? 'c' : 'u';
  const writes = (path: string): boolean => policy.pathRight(letter, path) !== 'none';
  const root = treeOf(model.schema, { use, model, view, writes, known: none }, '');
  return { title: `${model.name} to ${use}`, ...schemaOf(root), type: 'object' };
}

/** @param prefix the path of the document inside its model, with a dot at its end; empty for the whole document */
function treeOf(schema: Schema, reading: Reading, prefix: string): Node {
  const { use, view, writes } = reading;
  const root = makeNode();
  const needed = use === 'create' ? neededOf({ schema }) : none;
  for (const [path, type] of Object.entries(schema.paths)) {
    const isHidden = !view.shows(prefix + path);
    if (
      path.includes('$*') ||
      (use === 'shown' ? isHidden : !writes(prefix + path) || (prefix === '' && isUnsettable(path, use)))
    )
      continue;
    const value = pathSchema(type, reading, prefix + path);
    const presence = {
      needed: needed.has(path),
      refusesNull: !takesNull(type, lastOf(path)) && lastOf(path) !== '_id',
    };
    place(root, path.split('.'), isHidden ? { ...value, writeOnly: true } : value, presence);
  }
  placeOtherNames(root, schema, reading, prefix);
  if (use === 'shown') placeLinked(root, schema, reading, prefix);
  return root;
}

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1);

/** Aliases, and what the model computes. */
function placeOtherNames(root: Node, schema: Schema, { use, model, view }: Reading, prefix: string): void {
  if (use === 'shown' && !model.computed) return;
  for (const [alias, path] of Object.entries(aliasesOf(schema)))
    if (view.shows(prefix + alias)) copy(root, path, alias);
  if (use === 'shown')
    for (const name of virtualsOf(schema))
      if (view.shows(prefix + name))
        place(root, name.split('.'), { readOnly: true, description: 'Computed by the model' });
}

/** The links of one document, without those of the documents inside it. */
function placeLinked(root: Node, schema: Schema, { model, view, known }: Reading, prefix: string): void {
  for (const link of model.links) {
    const isHere = link.path.startsWith(prefix) && Object.hasOwn(schema.paths, link.path.slice(prefix.length));
    if (isHere && view.shows(link.path)) place(root, link.as.slice(prefix.length).split('.'), linked(link, known));
  }
}

const isUnsettable = (path: string, use: Use): boolean => stamps.has(path) || (use === 'create' && path === '_deleted');

/** An alias has the value of its path. */
function copy(root: Node, path: string, alias: string): void {
  let node: Node | undefined = root;
  for (const part of path.split('.')) node = node?.fields.get(part);
  if (node !== undefined) place(root, alias.split('.'), { ...schemaOf(node), description: `Another name of ${path}` });
}

function pathSchema(type: SchemaType, reading: Reading, path: string): JsonSchema {
  const { use, model, view } = reading;
  if (use === 'shown' && isComputed(type)) return { description: 'Computed by the model' };
  const value = valueSchema(type, reading, path);
  const link = model.links.find((one) => one.path === path);
  const remarks = [
    ...(link === undefined ? [] : [`Links to ${link.model}`]),
    ...remarksOf(type, use, !view.shows(path)),
  ];
  const described = remarks.length === 0 ? value : { ...value, description: remarks.join('. ') };
  return takesNull(type, lastOf(path)) ? orNull(described) : described;
}

/** The values of a path without null, and those inside them. */
function valueSchema(type: SchemaType, reading: Reading, path: string): JsonSchema {
  const { schema, embeddedSchemaType: member } = innerOf(type);
  const inner = (): JsonSchema =>
    schema === undefined
      ? member === undefined
        ? {}
        : pathSchema(member, reading, `${path}.`)
      : { ...schemaOf(treeOf(schema, reading, `${path}.`)), type: 'object' };
  if (type.instance === 'Array') return { type: 'array', items: inner() };
  if (type.instance === 'Embedded') return inner();
  if (type.instance === 'Map') return { type: 'object', additionalProperties: mapValues(type, reading, path) };
  return leafSchema(type, reading.use);
}

/** The values of a map, of which Mongoose keeps the type on the map's own. */
function mapValues(type: SchemaType, reading: Reading, path: string): JsonSchema {
  const { $__schemaType: values } = type as unknown as { readonly $__schemaType?: SchemaType };
  return values === undefined ? {} : pathSchema(values, reading, `${path}.`);
}

/** Shown in the place of its id, a link may be either. Documents that are missing, or that the caller may not read, are left out of a list. */
function linked({ model, path, as, array }: Link, known: ReadonlySet<string>): JsonSchema {
  const inPlace = as === path;
  const documents = [
    ...(known.has(model) ? [{ $ref: `#/components/schemas/${model}` }] : []),
    ...(model === 'user' ? [person] : []),
    ...(inPlace ? [id] : []),
  ];
  const one = documents.length === 0 ? {} : { anyOf: documents };
  const value = array ? { type: 'array', items: inPlace ? orNull(one) : one } : one;
  return { ...orNull(value), description: `${model}, when populated` };
}
