/** The documents that link to a document, shown with it under a name: by the option `reverse` of links, and by virtuals with `ref`. */
import type { Schema } from 'mongoose';
import type { Link, ReverseLink } from '../entry.ts';
import { compileSchema } from '../fields/compile-schema.ts';
import { idTypeOf } from '../fields/document-id.ts';
import { stringIds } from '../fields/id-types.ts';
import { typeAt } from '../fields/path-type.ts';
import { kindSchemasOf } from '../mongoose/schema-places.ts';
import { modelFileError } from './files.ts';
import { addIndex } from './indexes.ts';
import { isReservedName } from './model-names.ts';
import { type DeclaredVirtual, kindsWithVirtual } from './virtual-links.ts';

/** Linking documents that are shown with one document. */
export const maxLinking = 100;

/** The answer has `<name>_more: true` where a document has more linking documents than are shown. */
export const moreOf = (name: string): string => `${name}_more`;

/** A model whose links are known. */
interface Linking {
  readonly name: string;
  readonly file: string | undefined;
  readonly schema: Schema;
  readonly links: readonly Link[];
  /** Its virtuals with `ref`, with the served name of the model; undefined for one that does not exist. */
  readonly virtualLinks: readonly DeclaredVirtual[];
}

/** The links of all models to one that it shows. @throws ModelFileError for a name that the model or another link has already */
export function reversesOf(target: Linking, all: readonly Linking[]): readonly ReverseLink[] {
  const found = new Map<string, ReverseLink>();
  for (const { name: model, file, links } of all)
    for (const { path, model: linked, reverse: as, asText } of links) {
      if (as === undefined || linked !== target.name) continue;
      const fault = faultOf(as, path, target) ?? clashOf(as, target, [...found.values()]);
      if (fault !== undefined)
        throw modelFileError(file ?? model, `reverse ${JSON.stringify(as)} of ${path}: ${fault}`);
      found.set(as, { as, model, path, local: '_id', asText, shape: 'list' });
    }
  for (const { isOfKind, ...link } of target.virtualLinks) {
    const fault = faultOfVirtual(link, target, all) ?? clashOf(link.as, target, [...found.values()], true);
    if (fault !== undefined) throw modelFileError(target.file ?? target.name, `the virtual ${link.as}: ${fault}`);
    const kinds = isOfKind ? kindsWithVirtual(target.schema, link.as) : undefined;
    found.set(link.as, { ...link, kinds, asText: isByText(link, target, all) });
  }
  return [...found.values()];
}

function faultOfVirtual(
  { as, model: name, path, local }: ReverseLink,
  target: Linking,
  all: readonly Linking[],
): string | undefined {
  const other = all.find((one) => one.name === name);
  if (other === undefined) return `no model is named ${name}`;
  return (
    faultOf(as, local, target) ?? faultOf(as, path, other) ?? unknownPath(local, target) ?? unknownPath(path, other)
  );
}

/** Whether a virtual compares ids with their texts, as Mongoose's `populate` casts them. */
function isByText({ local, model, path }: ReverseLink, { schema }: Linking, all: readonly Linking[]): boolean {
  const other = all.find(({ name }) => name === model);
  if (local !== '_id' || idTypeOf(schema) === stringIds || other === undefined) return false;
  const type = typeAt(compileSchema(other.schema), path);
  return type.kind === 'leaf' && type.field.typeName === stringIds.name;
}

function unknownPath(path: string, { name, schema }: Linking): string | undefined {
  const isKnown = kindsOf(schema).some((kind) => hasField(kind, path) || kind.get('strict') === false);
  return isKnown ? undefined : `${name} has no field ${path}`;
}

function faultOf(as: string, path: string, { name }: Linking): string | undefined {
  if (!/^[A-Za-z]\w{0,99}$/.test(as)) return 'a name has letters, digits and _, and begins with a letter';
  if (isReservedName(as)) return `${as} is a reserved name`;
  if (path.includes('$*')) return `the values of a map cannot be shown with ${name}`;
  return undefined;
}

/** @param isVirtual whether the name is that of a virtual itself */
function clashOf(
  as: string,
  { name, schema, links }: Linking,
  others: readonly ReverseLink[],
  isVirtual = false,
): string | undefined {
  for (const taken of [as, moreOf(as)]) {
    if (kindsOf(schema).some((kind) => hasField(kind, taken))) return `${name} has a field ${taken}`;
    if (!(isVirtual && taken === as) && kindsOf(schema).some((kind) => Object.hasOwn(kind.virtuals, taken)))
      return `${name} has a virtual ${taken}`;
    if (links.some((link) => link.as === taken)) return `${name} shows a link as ${taken}`;
  }
  const other = others.find((one) => one.as === as || one.as === moreOf(as) || moreOf(one.as) === as);
  return other && `${name} shows ${other.path} of ${other.model} as ${other.as}`;
}

const hasField = (schema: Schema, path: string): boolean => typeAt(compileSchema(schema), path).kind !== 'unknown';

/** A schema and its discriminators. */
const kindsOf = (schema: Schema): readonly Schema[] => [schema, ...kindSchemasOf(schema)];

/** Adds an index to paths that are followed backwards, where there is none. @param virtuals the virtual links of all models */
export function indexReverses({ name, schema, links }: Linking, virtuals: readonly ReverseLink[]): void {
  const paths = [
    ...links.filter(({ reverse }) => reverse !== undefined).map(({ path }) => path),
    ...virtuals.filter(({ model }) => model === name).map(({ path }) => path),
  ];
  for (const path of new Set(paths))
    if (path !== '_id' && !kindsOf(schema).some((one) => isIndexed(one, path))) addIndex(schema, { [path]: 1, _id: 1 });
}

const isIndexed = (schema: Schema, path: string): boolean =>
  schema.indexes().some(([fields]) => Object.keys(fields)[0] === path);
