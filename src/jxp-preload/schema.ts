/** The `JXPSchema` of JXP's model files: a Mongoose schema with JXP's options and names of links. */
import { Schema } from 'mongoose';
import { type Middleware, withoutNext } from '../async/next-callback.ts';
import { modelFor } from './models.ts';

type Fields = Record<string, unknown>;

/** Middleware that Mongoose runs synchronously, without `next` in any release. */
const synchronous: ReadonlySet<unknown> = new Set(['init']);

export class JXPSchema extends Schema {
  constructor(definition: Fields = {}, options: Fields = {}) {
    const { _perms: fields, ...paths } = definition;
    super(withLinkNames(paths), optionsOf(options, fields));
  }

  /** Without a schema it returns the model with any of these names. */
  static model(name: string, schema?: Schema, collection?: string): unknown {
    return modelFor(name, schema, collection);
  }
}

/** @param fields permissions given among the fields */
function optionsOf({ _perms: option, ...others }: Fields, fields: unknown): object {
  const perms = others['perms'] ?? option ?? fields;
  return { on_referenced_delete: 'refuse', ...others, ...(perms === undefined ? {} : { perms }) };
}

const optionOf = (key: string): string => (key === '_perms' ? 'perms' : key);

const inherited = Schema.prototype as unknown as Readonly<Record<'get' | 'set' | 'pre', Middleware>>;
const { get, set } = inherited;

/** Makes `_perms` another name of `perms` in all schemas: JXP reads it from any. */
export function namePerms(): void {
  Object.assign(Schema.prototype, {
    get(this: Schema, key: string) {
      return get.call(this, optionOf(key));
    },
    set(this: Schema, key: string, ...given: unknown[]) {
      return set.call(this, optionOf(key), ...given);
    },
  });
}

// a method of the prototype, since Mongoose declares overloads that a method of the class would have to repeat
Object.assign(JXPSchema.prototype, {
  pre(this: JXPSchema, name: unknown, ...given: unknown[]) {
    const parallel = given.includes(true);
    const rest = given.filter((one) => typeof one !== 'boolean');
    const waited = rest.map((one) =>
      typeof one === 'function' && !synchronous.has(name) ? withoutNext(one as Middleware, parallel) : one,
    );
    return inherited.pre.call(this, name, ...waited);
  },
});

interface LinkDefinition {
  readonly link?: unknown;
  readonly map_to?: unknown;
  readonly virtual?: unknown;
}

/**
 * Adds `map_to` to all links: `map_to`, otherwise `virtual`, otherwise the linked model's name in lower case. If two links would
 * have the same name, or a field has it, links without an explicit name are shown under their path without `_id`.
 */
function withLinkNames(definition: Fields): Fields {
  const links = Object.keys(definition).filter((path) => typeof linkAt(definition[path])?.link === 'string');
  const own = new Map(links.map((path) => [path, ownName(definition[path])]));
  const names = new Map(links.map((path) => [path, own.get(path) ?? linkedName(definition[path])]));
  const isTaken = (path: string, name: string): boolean =>
    (name !== path && name in definition) || links.some((other) => other !== path && names.get(other) === name);
  for (let changed = true; changed;) {
    const meeting = links.filter((path) => {
      const name = names.get(path);
      return own.get(path) === undefined && name !== undefined && name !== plain(path) && isTaken(path, name);
    });
    for (const path of meeting) names.set(path, plain(path));
    changed = meeting.length > 0;
  }
  return Object.fromEntries(Object.entries(definition).map(([path, given]) => [path, mapped(given, names.get(path))]));
}

const linkAt = (given: unknown): LinkDefinition | undefined => {
  const inner: unknown = Array.isArray(given) ? (given as unknown[])[0] : given;
  return typeof inner === 'object' && inner !== null ? inner : undefined;
};

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
const ownName = (given: unknown): string | undefined => text(linkAt(given)?.map_to) ?? text(linkAt(given)?.virtual);
const linkedName = (given: unknown): string | undefined => text(linkAt(given)?.link)?.toLowerCase();
const plain = (path: string): string => path.replace(/(?<=.)_id$/, '');

const mapped = (given: unknown, map_to: string | undefined): unknown => {
  if (map_to === undefined) return given;
  const link = { ...linkAt(given), map_to };
  return Array.isArray(given) ? [link, ...(given as unknown[]).slice(1)] : link;
};
