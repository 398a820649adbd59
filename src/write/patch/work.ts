/** The work of one patch, which is limited, because operations may copy or compare the same large part again and again. */
import { tooMany } from '../../errors/errors.ts';
import { isPlainObject } from '../../models/plain-object.ts';

/** Bytes, roughly, that the operations of one patch may copy, compare and move. */
const maxBytes = 16 * 1024 ** 2;
const bytesOfValue = 16;

export class Work {
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
