/** The names that models answer to, and the names that no path of a model may have. */
import type { Schema } from 'mongoose';
import mongoose from 'mongoose';
import type { ModelSchema } from '../fields/model-schema.ts';
import { firstName } from '../fields/path-type.ts';
import { innerOf } from '../mongoose/internals.ts';

export interface NamedModel {
  /** The name under which it is served: that of its file. */
  readonly name: string;
  /** The name under which its file compiles it, if it does. */
  readonly compiledAs?: string | undefined;
  /** The names of its discriminators. */
  readonly kinds?: readonly string[];
}

/** A model that files compile and do not export. The code of models uses it; requests do not. */
export interface UnservedModel {
  readonly name: string;
  /** The names of its discriminators. */
  readonly kinds: readonly string[];
  /** The file that compiles it; undefined if a package does. */
  readonly file: string | undefined;
}

/**
 * Finds models by the names in code: that of `mongoose.model()`, that of the file, and those of discriminators. Letter case and number
 * (`Users` for `user`) do not matter, as in the names that Mongoose gives to collections; an exact name takes precedence.
 */
export class ModelNames {
  readonly #known = new Map<string, string | UnservedModel>();
  /** The names in code of the models of files. */
  readonly all: readonly string[];

  constructor(models: readonly NamedModel[], unserved: readonly UnservedModel[] = []) {
    const compiled = models.flatMap(({ name, compiledAs }) =>
      compiledAs === undefined ? [] : [[compiledAs, name] as const],
    );
    this.all = models.filter(({ name }) => !name.startsWith('_')).map(({ name, compiledAs }) => compiledAs ?? name);
    const own = models.map(({ name }) => [name, name] as const);
    const kinds = models.flatMap(({ name, kinds: all = [] }) => all.map((kind) => [kind, name] as const));
    const beside = unserved.flatMap((model) => [model.name, ...model.kinds].map((name) => [name, model] as const));
    const exact = [...compiled, ...own, ...kinds, ...beside];
    for (const form of [(name: string) => name, lower, (name: string) => pluralOf(lower(name))])
      for (const [given, model] of exact) if (!this.#known.has(form(given))) this.#known.set(form(given), model);
  }

  /** The served name of a model; undefined for a name that no model answers to. */
  find(name: string): string | undefined {
    const found = this.#modelOf(name);
    return typeof found === 'string' ? found : undefined;
  }

  /** The model of a name that is not served; undefined for the name of a served one, and for a name that no model answers to. */
  findUnserved(name: string): UnservedModel | undefined {
    const found = this.#modelOf(name);
    return typeof found === 'string' ? undefined : found;
  }

  #modelOf(name: string): string | UnservedModel | undefined {
    return this.#known.get(name) ?? this.#known.get(lower(name)) ?? this.#known.get(pluralOf(lower(name)));
  }
}

/** The plural of a name, as Mongoose names collections. */
export const pluralOf = (name: string): string => mongoose.pluralize()?.(name) ?? name;

const lower = (name: string): string => name.toLowerCase();

const needed: ReadonlySet<string> = new Set([
  ...['_doc', 'get', 'init', 'save', 'schema', 'toBSON', 'toObject', 'validate'],
  ...['initializeTimestamps', 'isDirectModified', 'markModified', 'modifiedPaths', 'ownerDocument'],
  ...['_execDocumentPreHooks', '_execDocumentPostHooks'],
]);

/** Names that answers or every object have already. */
const builtIn: ReadonlySet<string> = new Set([
  'id',
  'score',
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
]);

/** Whether nothing else may be shown under a name at the top level of documents. */
export const isReservedName = (name: string): boolean => needed.has(name) || builtIn.has(name);

/** @throws Error naming the first such field, at any depth */
export function refuseOwnNames({ paths }: Schema, prefix = ''): void {
  for (const [path, type] of Object.entries(paths)) {
    const first = firstName(path);
    if (needed.has(first)) throw new Error(`${prefix}${first} is a name that Mongoose reserves: rename the field`);
    const inner = innerOf(type).schema;
    if (inner !== undefined) refuseOwnNames(inner, `${prefix}${path}.`);
  }
}

/** Whether a free-form schema must refuse a field with this name. Declared fields have been checked at the start. */
export const isOwnName = ({ isOpen, declared }: ModelSchema, name: string): boolean =>
  isOpen && !declared.has(name) && (needed.has(name) || name === 'isNew');
