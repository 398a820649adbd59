/** How much one request may say of a document: Mongoose reads it in one go, comparing some names with all others, and everybody else waits. */
import { tooMany } from '../errors.ts';

const documentLimits = { values: 25_000, objects: 5000, names: 1000, passwords: 10 } as const;

/** Names that the schema does not know × values beside them: an update looks at all values for each of these names. */
const maxCompared = 500_000;

/** Counts without recursion what is below a value, and the objects among it. @throws 400 */
export function checkSize(document: object): void {
  sizeOf(document);
}

/** All members of objects and lists below a value, at any depth. @throws 400 */
function sizeOf(document: object): number {
  const open: object[] = [document];
  let values = 0;
  let objects = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    const members: unknown[] = Object.values(one);
    values += members.length;
    if (values > documentLimits.values) throw tooMany('values in one document', documentLimits.values);
    for (const member of members) {
      if (typeof member !== 'object' || member === null) continue;
      if (!Array.isArray(member)) objects += 1;
      open.push(member);
    }
    if (objects > documentLimits.objects) throw tooMany('objects in one document', documentLimits.objects);
  }
  return values;
}

/** @param unknown how many names the schema does not know @throws 400 */
export function checkUnknown(unknown: number, document: object): void {
  if (unknown * documentLimits.values <= maxCompared) return;
  const most = Math.floor(maxCompared / sizeOf(document));
  if (unknown > most) throw tooMany('names that the schema does not know, beside as many values,', most);
}

/** Counts the names of a document of which Mongoose keeps account one by one, and those that the schema does not know. */
export class NameBudget {
  #names = 0;
  #unknown = 0;

  /** A field of the document itself, or an entry of a map. @throws 400 */
  name(): void {
    this.#names += 1;
    if (this.#names > documentLimits.names)
      throw tooMany('fields and entries of maps in one document', documentLimits.names);
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
