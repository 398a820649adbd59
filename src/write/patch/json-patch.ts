/** Reads a JSON Patch (RFC 6902) from a body. */
import { badOperation, type Failure, tooMany } from '../../errors/errors.ts';
import { pathLimits } from '../../models/fields/path-type.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import { checkNames } from '../rules/body.ts';
import { type Pointer, readPointer } from './pointer.ts';

export type Operation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: Pointer }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer };

export const maxPatchOperations = 1000;

export const jsonPatchOperations = ['add', 'remove', 'replace', 'move', 'copy', 'test'] as const;

/** @throws 400 naming the operation that is wrong */
export function readPatch(body: unknown): readonly Operation[] {
  if (!Array.isArray(body)) throw badOperation(undefined, 'the body must be a list of operations');
  if (body.length > maxPatchOperations) throw tooMany('operations', maxPatchOperations);
  return (body as readonly unknown[]).map(readOperation);
}

function readOperation(given: unknown, at: number): Operation {
  const wrong = (reason: string): Failure => badOperation(at, reason);
  if (!isPlainObject(given)) throw wrong('must be an object');
  const op = jsonPatchOperations.find((name) => name === given['op']);
  if (op === undefined) throw wrong(`op must be one of ${jsonPatchOperations.join(', ')}`);
  const pointer = (key: 'path' | 'from'): Pointer => {
    const text = given[key];
    if (typeof text !== 'string') throw wrong(`${key} must be a JSON Pointer such as /title`);
    if (text.length > pathLimits.characters)
      throw wrong(`${key} must have at most ${pathLimits.characters} characters, got ${text.length}`);
    const read = readPointer(text);
    if (typeof read === 'string') throw wrong(`${key} ${read}`);
    if (read.length > pathLimits.levels) throw wrong(`${key} must have at most ${pathLimits.levels} names`);
    return read;
  };
  const path = pointer('path');
  if (op !== 'test' && path.length === 0) throw wrong('path must name a part of the document');
  if (op === 'remove') return { op, path };
  if (op === 'move' || op === 'copy') return { op, path, from: partOfDocument(pointer('from'), wrong) };
  if (!Object.hasOwn(given, 'value')) throw wrong(`${op} needs a value`);
  const { value } = given;
  if (typeof value === 'object' && value !== null) checkNames(value, false, path.join('.'));
  return { op, path, value };
}

function partOfDocument(from: Pointer, wrong: (reason: string) => Failure): Pointer {
  if (from.length === 0) throw wrong('from must name a part of the document');
  return from;
}
