/**
 * Limits the size of documents in requests: Mongoose processes a document synchronously, comparing some names with all others,
 * and blocks other requests meanwhile.
 */
import { type Failure, tooMany } from '../../errors/errors.ts';
import { isPlainObject } from '../../models/plain-object.ts';

const documentLimits = { values: 25_000, objects: 5000, names: 1000, passwords: 10 } as const;

/** Maximum product of unknown names and values: an update examines all values for each unknown name. */
const maxCompared = 500_000;

/** Counts what a walk through a document finds. */
export class SizeBudget {
  #values = 0;
  #objects = 0;

  get values(): number {
    return this.#values;
  }

  /** Counts the members of an object or a list. @throws 400 */
  members(count: number): void {
    this.#values += count;
    if (this.#values > documentLimits.values) throw tooMany('values in one document', documentLimits.values);
  }

  /** Counts an object below the document. @throws 400 */
  object(): void {
    this.#objects += 1;
    if (this.#objects > documentLimits.objects) throw tooMany('objects in one document', documentLimits.objects);
  }
}

/** Counts the values and objects below a value, without recursion. @throws 400 */
export function checkSize(document: object): void {
  sizeOf(document);
}

/** Counts the members of objects and lists below a value, at any depth. @throws 400 */
function sizeOf(document: object): number {
  const open: object[] = [document];
  const budget = new SizeBudget();
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const members: unknown[] = Object.values(one);
    budget.members(members.length);
    for (const member of members) {
      if (Array.isArray(member)) open.push(member);
      if (!isPlainObject(member)) continue;
      budget.object();
      open.push(member);
    }
  }
  return budget.values;
}

/** Values of a document whose presentation takes milliseconds. */
const manyValues = 1000;

/** Whether a document has more values than others are to wait for. */
export function isLarge(document: object): boolean {
  const open: object[] = [document];
  let values = 0;
  for (let one = open.pop(); one !== undefined && values <= manyValues; one = open.pop()) {
    const members: unknown[] = Object.values(one);
    values += members.length;
    for (const member of members) if (Array.isArray(member) || isPlainObject(member)) open.push(member);
  }
  return values > manyValues;
}

/** @param unknown the number of names that the schema does not have @throws 400 */
export function checkUnknown(unknown: number, document: object): void {
  if (unknown * documentLimits.values <= maxCompared) return;
  const values = sizeOf(document);
  const maxUnknown = Math.floor(maxCompared / values);
  if (unknown > maxUnknown)
    throw tooMany(`names outside of the schema in a document with ${values} values`, maxUnknown);
}

/** Refuses more fields than a document may have before each of them is read. @throws 400 */
export function checkFieldCount(document: object): void {
  if (Object.keys(document).length > documentLimits.names) throw tooManyNames();
}

const tooManyNames = (): Failure => tooMany('fields and entries of maps in one document', documentLimits.names);

/** Counts the names of a document that Mongoose tracks one by one, and the unknown ones. */
export class NameBudget {
  #names = 0;
  #unknown = 0;

  /** Counts a field of the document itself, or an entry of a map. @throws 400 */
  name(): void {
    this.#names += 1;
    if (this.#names > documentLimits.names) throw tooManyNames();
  }

  unknown(): void {
    this.#unknown += 1;
  }

  /** @throws 400 */
  check(document: object): void {
    checkUnknown(this.#unknown, document);
  }
}

/** @throws 400 */
export function checkPasswords(count: number): void {
  if (count > documentLimits.passwords) throw tooMany('passwords in one document', documentLimits.passwords);
}
