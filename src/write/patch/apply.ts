/**
 * Applies a JSON Patch (RFC 6902) to a stored document. Values keep their stored types; `test` compares their JSON form. A path that the
 * caller may not read does not exist, except that its value may be set or removed without reading it.
 */
import { badOperation, type Failure, testFailed, tooMany } from '../../errors/errors.ts';
import { jsonValue } from '../../models/fields/values/bson-types.ts';
import type { Row } from '../../models/mongoose.ts';
import { isPlainObject } from '../../models/plain-object.ts';
import type { Readable } from '../../policy/readable.ts';
import type { Operation } from './json-patch.ts';
import { pathOf, type Pointer } from './pointer.ts';

/** A document after a patch. */
export interface PatchResult {
  readonly after: Row;
  /** The paths that were written without reading their values, which are written even where they may be equal. */
  readonly unseen: readonly string[];
}

/** @throws 400 for a path that does not exist, 409 for a failed test; both name the operation */
export function applyPatch(before: Row, operations: readonly Operation[], readable: Readable): PatchResult {
  const patching = new Patching(before, readable);
  for (const [at, operation] of operations.entries()) patching.apply(operation, at);
  return patching;
}

type Container = Record<string, unknown> | unknown[];

class Patching implements PatchResult {
  readonly after: Row;
  readonly unseen: string[] = [];
  readonly #readable: Readable;
  readonly #work = new Work();
  #at = 0;

  constructor(before: Row, readable: Readable) {
    this.after = copyOf(before) as Row;
    this.#readable = readable;
  }

  apply(operation: Operation, at: number): void {
    this.#at = at;
    const { path } = operation;
    switch (operation.op) {
      case 'add':
        return this.#add(path, copyOf(operation.value));
      case 'replace':
        return this.#replace(path, copyOf(operation.value));
      case 'remove':
        return this.#remove(path);
      case 'test':
        return this.#test(this.#stored(path), operation.value);
      case 'copy':
        return this.#add(path, this.#carried(this.#stored(operation.from), path));
      case 'move':
        return this.#move(this.#stored(operation.from), path);
    }
  }

  /** The place of what is read: answers carry names that documents are not stored with, such as `id`. */
  #stored(pointer: Pointer): Pointer {
    return pointer.length === 0 ? pointer : this.#readable.stored(pointer.join('.')).split('.');
  }

  #move(from: Pointer, path: Pointer): void {
    if (from.length < path.length && from.every((name, at) => path[at] === name))
      throw badOperation(this.#at, `${textOf(path)} is inside of ${textOf(from)}`);
    const value = this.#carried(from, path);
    this.#remove(from);
    this.#add(path, value);
  }

  #test(path: Pointer, expected: unknown): void {
    const value = this.#read(path);
    if (value === undefined) throw testFailed(this.#at, textOf(path));
    this.#work.spendOn(value);
    if (!isSame(this.#readable.part(value, path.join('.')), expected)) throw testFailed(this.#at, textOf(path));
  }

  /** A copy of a value; what the caller may not read is included only where it is hidden again. */
  #carried(from: Pointer, path: Pointer): unknown {
    const value = this.#read(from);
    if (value === undefined) throw this.#nothingAt(from);
    this.#work.spendOn(value);
    const own = from.join('.');
    return this.#readable.isSame(own, pathOf(path)) ? copyOf(value) : this.#readable.part(value, own);
  }

  #add(path: Pointer, value: unknown): void {
    const [parent, name] = this.#place(path);
    if (!Array.isArray(parent)) return this.#put(parent, path, name, value);
    const at = name === '-' ? parent.length : positionIn(name, parent.length);
    if (at === undefined) throw this.#nothingAt(path);
    this.#work.spend(parent.length - at);
    parent.splice(at, 0, value);
  }

  #replace(path: Pointer, value: unknown): void {
    const [parent, name] = this.#place(path);
    if (!this.#exists(parent, path, name)) throw this.#nothingAt(path);
    if (Array.isArray(parent)) parent[Number(name)] = value;
    else this.#put(parent, path, name, value);
  }

  #remove(path: Pointer): void {
    const [parent, name] = this.#place(path);
    if (!this.#exists(parent, path, name)) throw this.#nothingAt(path);
    if (Array.isArray(parent)) {
      this.#work.spend(parent.length - Number(name));
      parent.splice(Number(name), 1);
      return;
    }
    this.#note(path);
    delete parent[name];
  }

  #put(parent: Record<string, unknown>, path: Pointer, name: string, value: unknown): void {
    this.#note(path);
    parent[name] = value;
  }

  #note(path: Pointer): void {
    if (!this.#shows(path)) this.unseen.push(path.join('.'));
  }

  /** Whether a place has a value; always true for a path that the caller may not read, so that nothing is revealed. */
  #exists(parent: Container, path: Pointer, name: string): boolean {
    if (Array.isArray(parent)) return positionIn(name, parent.length - 1) !== undefined;
    return !this.#shows(path) || Object.hasOwn(parent, name);
  }

  #shows(path: Pointer): boolean {
    return path.length === 0 || this.#readable.shows(path.join('.'));
  }

  /** The object or list that holds a place, and the name of the place in it. */
  #place(path: Pointer): readonly [Container, string] {
    const parent = this.#read(path.slice(0, -1));
    if (!Array.isArray(parent) && !isPlainObject(parent)) throw this.#nothingAt(path);
    return [parent as Container, path.at(-1) ?? ''];
  }

  /** @returns undefined where there is nothing that the caller may read */
  #read(path: Pointer): unknown {
    if (!this.#shows(path)) return undefined;
    let value: unknown = this.after;
    for (const name of path) {
      if (Array.isArray(value)) {
        const at = positionIn(name, value.length - 1);
        value = at === undefined ? undefined : (value[at] as unknown);
      } else value = isPlainObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
    }
    return value;
  }

  #nothingAt(path: Pointer): Failure {
    return badOperation(this.#at, `there is nothing at ${textOf(path)}`);
  }
}

/** A position in a list (RFC 6901, 4): digits without leading zeros. */
function positionIn(name: string, last: number): number | undefined {
  const at = /^(?:0|[1-9]\d{0,8})$/.test(name) ? Number(name) : undefined;
  return at !== undefined && at <= last ? at : undefined;
}

const textOf = (pointer: Pointer): string => `/${pointer.join('/').slice(0, 100)}`;

/** A copy of lists and objects; all other values are never changed. */
function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
}

/** Whether a stored value has this JSON form (RFC 6902, 4.6). */
function isSame(stored: unknown, json: unknown): boolean {
  if (Array.isArray(stored))
    return (
      Array.isArray(json) && stored.length === json.length && stored.every((member, at) => isSame(member, json[at]))
    );
  if (!isPlainObject(stored)) return isSameLeaf(stored, json);
  if (!isPlainObject(json)) return false;
  const names = Object.keys(stored);
  return (
    names.length === Object.keys(json).length &&
    names.every((name) => Object.hasOwn(json, name) && isSame(stored[name], json[name]))
  );
}

const isSameLeaf = (stored: unknown, json: unknown): boolean =>
  ((typeof stored === 'object' && stored !== null) || typeof stored === 'bigint' ? jsonValue(stored) : stored) === json;

/** Bytes, roughly, that the operations of one patch may copy, compare and move. */
const maxBytes = 16 * 1024 ** 2;
const bytesOfValue = 16;

class Work {
  #left = maxBytes;

  /** @throws 400 */
  spend(bytes: number): void {
    this.#left -= bytes;
    if (this.#left < 0) throw tooMany('bytes copied and compared by a patch', maxBytes);
  }

  /** Spends the size of a value. @throws 400 */
  spendOn(value: unknown): void {
    const open: unknown[] = [value];
    while (open.length > 0) {
      const one = open.pop();
      this.spend(bytesOfValue + lengthOf(one));
      if (Array.isArray(one)) for (const member of one as unknown[]) open.push(member);
      else if (isPlainObject(one)) for (const member of Object.values(one)) open.push(member);
    }
  }
}

const lengthOf = (value: unknown): number =>
  typeof value === 'string'
    ? value.length
    : typeof value === 'object' && value !== null && 'length' in value && !Array.isArray(value)
      ? sizeOfBytes(value.length)
      : 0;

/** The length of bytes, which a `Buffer` has as a property and a `Binary` as a method. */
const sizeOfBytes = (length: unknown): number => (typeof length === 'number' ? length : 0);
