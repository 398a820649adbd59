/** Whether a path accepts the values of another one, without casting them. */
import { isDeepStrictEqual } from 'node:util';
import { typeParts } from '../mongoose/internals.ts';
import type { Field } from './model-schema.ts';
import { mongooseType } from './mongoose-keys.ts';
import { isComposed } from './types/index.ts';

/** Options of paths that do not restrict values. */
const harmless: ReadonlySet<string> = new Set([
  ...['index', 'unique', 'sparse', 'text', 'expires', 'default', 'get', 'select', 'alias', 'transform'],
  ...['ref', 'refPath', 'link', 'map_to'],
]);

const isOn = (option: unknown): boolean => option !== undefined && option !== null && option !== false;

/** Whether a field accepts every value of another one: the same type, validators and setters. @param source undefined for a path without a field */
export function acceptsAllOf(source: Field | undefined, target: Field): boolean {
  if (target.type?.shape !== 'any' && source?.typeName !== target.typeName) return false;
  const given = source && typeParts(source[mongooseType]).options;
  return Object.entries(typeParts(target[mongooseType]).options).every(
    ([name, value]) =>
      harmless.has(name) ||
      !isOn(value) ||
      (name === 'type' && !isComposed(target)) ||
      isDeepStrictEqual(value, given?.[name]),
  );
}
