/** Counts open WebSockets and event streams by address and by user. */
import { tooManyConnections } from '../../errors.ts';
import type { Settings } from '../../settings/types.ts';

export class Connections {
  readonly #byAddress = new Map<string, number>();
  readonly #byUser = new Map<string, number>();

  constructor(readonly limits: Settings['websocket']) {}

  /** @throws 429 when another connection would exceed the limit */
  admit(address: string, user: string | undefined): void {
    const { max_per_address, max_per_user } = this.limits;
    if ((this.#byAddress.get(address) ?? 0) >= max_per_address) throw tooManyConnections('address', max_per_address);
    if (user !== undefined && (this.#byUser.get(user) ?? 0) >= max_per_user)
      throw tooManyConnections('user', max_per_user);
  }

  open(address: string): void {
    add(this.#byAddress, address, 1);
  }

  close(address: string, user: string | undefined): void {
    add(this.#byAddress, address, -1);
    if (user !== undefined) add(this.#byUser, user, -1);
  }

  /** Moves a connection to another user. @throws 429 */
  changeUser(before: string | undefined, after: string | undefined): void {
    const { max_per_user } = this.limits;
    if (after !== undefined && (this.#byUser.get(after) ?? 0) >= max_per_user)
      throw tooManyConnections('user', max_per_user);
    if (before !== undefined) add(this.#byUser, before, -1);
    if (after !== undefined) add(this.#byUser, after, 1);
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
