/** Names the records of failed logins: one for each account, address and method a minute, and one for all beyond a limit. */
import { randomBytes } from 'node:crypto';
import type { FailedLoginRecord } from './contract.ts';

/** Maximum records a minute; further failures are counted in one more. */
const maxRecords = 1000;

export class FailedLogins {
  #ids = new Map<string, string>();
  #minute = 0;

  constructor(private readonly max = maxRecords) {}

  /** @returns the id of the record that counts a failure, and whether it is the one beyond the limit */
  recordOf(minute: number, key: string): FailedLoginRecord {
    if (minute !== this.#minute) this.#ids = new Map();
    this.#minute = minute;
    const isOver = !this.#ids.has(key) && this.#ids.size >= this.max;
    const id = this.#ids.get(isOver ? '' : key) ?? newId(minute);
    this.#ids.set(isOver ? '' : key, id);
    return { id, isOver };
  }
}

const ofProcess = randomBytes(5).toString('hex');
let counter = randomBytes(3).readUIntBE(0, 3);

/** An ObjectId (BSON specification): seconds, the process, a counter. It sorts by age, and needs no driver, which loads while the store opens. */
function newId(minute: number): string {
  counter = (counter + 1) % 2 ** 24;
  return hex(minute * 60, 8) + ofProcess + hex(counter, 6);
}

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
