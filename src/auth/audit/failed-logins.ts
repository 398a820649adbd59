/** Names the records of failed logins: one for each account, address and method a minute, and one for all beyond a limit. */
import { ObjectId } from '../../models/mongoose.ts';

/** Maximum records a minute; further failures are counted in one more. */
const maxRecords = 1000;

export class FailedLogins {
  #ids = new Map<string, string>();
  #minute = 0;

  constructor(private readonly max = maxRecords) {}

  /** @returns the id of the record that counts a failure, and whether it is the one beyond the limit */
  recordOf(minute: number, key: string): { readonly id: string; readonly isOver: boolean } {
    if (minute !== this.#minute) this.#ids = new Map();
    this.#minute = minute;
    const isOver = !this.#ids.has(key) && this.#ids.size >= this.max;
    const id = this.#ids.get(isOver ? '' : key) ?? new ObjectId().toHexString();
    this.#ids.set(isOver ? '' : key, id);
    return { id, isOver };
  }
}
