/** Counts open WebSockets and event streams by address and by user. */
import { tooManyConnections } from '../../errors.ts';
import type { Settings } from '../../settings/types.ts';
import { Counts } from './counts.ts';

export class Connections {
  readonly #byAddress = new Counts();
  readonly #byUser = new Counts();

  constructor(readonly limits: Settings['websocket']) {}

  /** @throws 429 when another connection would exceed the limit */
  admit(address: string, user: string | undefined): void {
    const { max_per_address, max_per_user } = this.limits;
    if (this.#byAddress.of(address) >= max_per_address) throw tooManyConnections('address', max_per_address);
    if (user !== undefined && this.#byUser.of(user) >= max_per_user) throw tooManyConnections('user', max_per_user);
  }

  open(address: string): void {
    this.#byAddress.add(address, 1);
  }

  close(address: string, user: string | undefined): void {
    this.#byAddress.add(address, -1);
    if (user !== undefined) this.#byUser.add(user, -1);
  }

  /** Moves a connection to another user. @throws 429 */
  changeUser(before: string | undefined, after: string | undefined): void {
    const { max_per_user } = this.limits;
    if (after !== undefined && this.#byUser.of(after) >= max_per_user) throw tooManyConnections('user', max_per_user);
    if (before !== undefined) this.#byUser.add(before, -1);
    if (after !== undefined) this.#byUser.add(after, 1);
  }
}
