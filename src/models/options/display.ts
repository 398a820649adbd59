/** What model files say about models and paths for people: options that the console and the documentation show, and that change no request. */
import type { Schema, SchemaType } from 'mongoose';
import { innerOf } from '../mongoose/internals.ts';
import { placesOf, typesIn } from '../mongoose/schema-places.ts';

/** What a model and a path have alike. Absent where the model file gives no value. */
export interface Display {
  /** The name for people. */
  readonly label?: string;
  readonly description?: string;
  /** The heading below which the console shows it. */
  readonly group?: string;
  /** An emoji, or the name of an icon. */
  readonly icon?: string;
  /** Whether the console leaves it out. It protects nothing: `perms` do. */
  readonly hidden?: true;
}

export interface PathDisplay extends Display {
  /** Whether the tables of the console show it at first. */
  readonly list?: boolean;
}

type TextName = 'label' | 'description' | 'group' | 'icon';

/** Characters of each text at most. */
const maxLengths: Readonly<Record<TextName, number>> = { label: 80, description: 1000, group: 80, icon: 40 };

/** The names of the options of paths. */
export const displayNames = [...(Object.keys(maxLengths) as TextName[]), 'hidden', 'list'] as const;

/**
 * Packages that have options of the same names give them objects, lists or functions, as does a nested field that lacks its braces. Tools that
 * write model files give blank texts.
 */
const isForeign = (value: unknown): boolean =>
  value === undefined ||
  typeof value === 'function' ||
  typeof value === 'object' ||
  (typeof value === 'string' && value.trim() === '');

/** @throws Error with a sentence that names the option */
export function readDisplayText(name: TextName, value: unknown): string | undefined {
  if (isForeign(value)) return undefined;
  const max = maxLengths[name];
  if (typeof value !== 'string' || value.length > max)
    throw new Error(`${name} must be a text of 1 to ${max} characters, got ${JSON.stringify(value)}`);
  return value;
}

/** @throws Error with a sentence that names the option */
export function readDisplaySwitch(name: 'hidden' | 'list', value: unknown): boolean | undefined {
  if (isForeign(value)) return undefined;
  if (typeof value !== 'boolean') throw new Error(`${name} must be true or false, got ${JSON.stringify(value)}`);
  return value;
}

/** The option `list` of a model. @throws Error for one that is no list of texts */
export function readColumns(value: unknown): readonly string[] | undefined {
  if (value === undefined) return undefined;
  if (!Array.isArray(value) || value.length === 0 || !value.every((path) => typeof path === 'string'))
    throw new Error(`list must be a list of paths, got ${JSON.stringify(value)}`);
  return Object.freeze([...new Set(value)]);
}

/**
 * The option `title` of a model. A title in words is that of a package for JSON schemas.
 * @throws Error for one that is no text
 */
export function readTitle(value: unknown): string | undefined {
  if (isForeign(value)) return undefined;
  if (typeof value === 'string') return /\s/.test(value) ? undefined : value;
  throw new Error(`title must be the path of a text, got ${JSON.stringify(value)}`);
}

/**
 * What the options of a path say, those of the members of a list included.
 * @throws Error with a sentence that names the option
 */
export function displayOf(type: SchemaType): PathDisplay {
  const member = innerOf(type).embeddedSchemaType;
  const options = type.options as Readonly<Record<string, unknown>>;
  const texts = (Object.keys(maxLengths) as TextName[]).flatMap((name) => {
    const text = readDisplayText(name, options[name]);
    return text === undefined ? [] : [[name, text] as const];
  });
  const isListed = readDisplaySwitch('list', options['list']);
  return {
    ...(member === undefined ? {} : displayOf(member)),
    ...Object.fromEntries(texts),
    ...(readDisplaySwitch('hidden', options['hidden']) === true ? { hidden: true } : {}),
    ...(isListed === undefined ? {} : { list: isListed }),
  };
}

/** The options of a model that name paths. */
interface NamedPaths {
  readonly list: readonly string[] | undefined;
  readonly title: string | undefined;
}

/**
 * Checks what a schema says for people.
 * @param options those of the model
 * @throws Error with a sentence that names the path and the option
 */
export function checkDisplay(schema: Schema, { list, title }: NamedPaths): void {
  const paths = new Set<string>();
  for (const { type, path } of placesOf(schema).flatMap(typesIn)) {
    paths.add(path);
    try {
      displayOf(type);
    } catch (error) {
      throw new Error(`${path}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
  }
  if (title !== undefined && schema.path(title)?.instance !== 'String')
    throw new Error(`title names ${JSON.stringify(title)}, which is no path of a text of the model`);
  const unknown = list?.find((path) => !paths.has(path));
  if (unknown !== undefined) throw new Error(`list names ${JSON.stringify(unknown)}, which is no path of the model`);
}
