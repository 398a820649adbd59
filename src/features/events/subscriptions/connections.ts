/** Counts open WebSockets and event streams by address and by user. */
import type { Settings } from '../../../core.ts';
import { tooManyConnections } from '../../../errors/errors.ts';
import { Counts } from './counts.ts';

export class Connections {
  readonly #byAddress = new Counts();
  readonly #byUser = new Counts();

  constructor(readonly limits: Settings['websocket']) {}

  /** The open connections of this worker. */
  counts(address: string | undefined, user: string | undefined): Readonly<Record<'address' | 'user', number>> {
    return {
      address: address === undefined ? 0 : this.#byAddress.of(address),
      user: user === undefined ? 0 : this.#byUser.of(user),
    };
  }

  /** @param open the connections that are open @throws 429 when another one would exceed the limit */
  admit({ address, user }: ReturnType<Connections['counts']>): void {
    const { max_per_address, max_per_user } = this.limits;
    if (address >= max_per_address) throw tooManyConnections('address', max_per_address);
    if (user >= max_per_user) throw tooManyConnections('user', max_per_user);
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
