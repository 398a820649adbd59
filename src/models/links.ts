/** Finds the links of a schema. */
import type { Schema, SchemaType } from 'mongoose';
import type { Link } from './entry.ts';
import { innerOf } from './path-type.ts';

interface LinkOptions {
  readonly link?: unknown;
  readonly ref?: unknown;
  readonly refPath?: unknown;
  readonly map_to?: unknown;
  readonly reverse?: unknown;
}

/** A link as a schema declares it. */
export interface DeclaredLink extends Link {
  /** The option that names the model. `ref` is Mongoose's, and may name a model that is not served. */
  readonly option: 'link' | 'ref';
}

/**
 * The links of a schema, nested ones with their dotted paths. `link` takes precedence over Mongoose's `ref`. Models are named as the
 * schema names them.
 */
export function linksOf(schema: Schema, prefix = ''): DeclaredLink[] {
  const links: DeclaredLink[] = [];
  for (const [path, type] of Object.entries(schema.paths)) {
    const inner = innerOf(type);
    if (inner.schema !== undefined) links.push(...linksOf(inner.schema, `${prefix}${path}.`));
    else links.push(...linkAt(type, prefix + path));
  }
  return links;
}

/** @throws Error for an invalid `link`. An invalid `ref` is not an error, because it may have another meaning in Mongoose. */
function linkAt(type: SchemaType, path: string): DeclaredLink[] {
  const member = innerOf(type).embeddedSchemaType;
  const array = type.instance === 'Array';
  const own = type.options as LinkOptions;
  const inner = (member?.options ?? {}) as LinkOptions;
  const option = (own.link ?? (own.ref === undefined ? inner.link : undefined)) === undefined ? 'ref' : 'link';
  const target = modelNameAt(own.link ?? own.ref ?? inner.link ?? inner.ref);
  const holdsId = (array ? member : type)?.instance === 'ObjectId';
  const reverse = own.reverse ?? inner.reverse;
  if (target === undefined || !holdsId) {
    if ((own.link ?? inner.link) === undefined) {
      if (reverse !== undefined) throw new Error(`reverse of ${path} needs a link`);
      return [];
    }
    throw new Error(
      `link of ${path} must be the name of a model, and the path must be an ObjectId or a list of ObjectIds`,
    );
  }
  if (reverse !== undefined && typeof reverse !== 'string') throw new Error(`reverse of ${path} must be a name`);
  const as = own.map_to ?? inner.map_to;
  return [
    {
      path,
      as: typeof as === 'string' && as !== '' ? siblingOf(path, as) : shownAs(path),
      model: target,
      array,
      stamp: path === '_updated_by_id',
      reverse,
      option,
    },
  ];
}

/** The paths whose linked model depends on the document: by `refPath`, or a function of `ref`. Only Mongoose's own `populate` follows them. */
export function dynamicLinksOf(schema: Schema, prefix = ''): string[] {
  return Object.entries(schema.paths).flatMap(([path, type]) => {
    const inner = innerOf(type);
    if (inner.schema !== undefined) return dynamicLinksOf(inner.schema, `${prefix}${path}.`);
    const { ref, refPath } = { ...inner.embeddedSchemaType?.options, ...type.options } as LinkOptions;
    const isDynamic = refPath !== undefined || (typeof ref === 'function' && modelNameAt(ref) === undefined);
    return isDynamic ? [prefix + path] : [];
  });
}

/**
 * The name of the model in `link` or `ref`: a text, a model, or a function without parameters that returns one. A function that reads
 * the document has no single model.
 */
export function modelNameAt(given: unknown): string | undefined {
  if (typeof given === 'string') return given;
  if (typeof given !== 'function') return undefined;
  if ('modelName' in given) return String(given.modelName);
  return given.length > 0 || /\bthis\b/.test(String(given)) ? undefined : modelNameAt((given as () => unknown)());
}

/** Whether a path, or a member of its list, is a link. */
export const isLink = (type: SchemaType, path: string): boolean => linkAt(type, path).length > 0;

const siblingOf = (path: string, name: string): string => path.slice(0, path.lastIndexOf('.') + 1) + name;

/** `author_id` is shown as `author`; a path without `_id` is shown in place of its id. */
function shownAs(path: string): string {
  return path.endsWith('_id') && path.length > 3 ? path.slice(0, -3) : path;
}
