/** Open WebSockets and event streams, counted by address and by user. */ import { tooManyConnections } from "../errors.js";
export class Connections {
    limits;
    #byAddress = new Map();
    #byUser = new Map();
    constructor(limits){
        this.limits = limits;
    }
    /** @throws 429 when one more would be too many */ admit(address, user) {
        const { max_per_address, max_per_user } = this.limits;
        if ((this.#byAddress.get(address) ?? 0) >= max_per_address) throw tooManyConnections('address', max_per_address);
        if (user !== undefined && (this.#byUser.get(user) ?? 0) >= max_per_user) throw tooManyConnections('user', max_per_user);
    }
    open(address) {
        add(this.#byAddress, address, 1);
    }
    close(address, user) {
        add(this.#byAddress, address, -1);
        if (user !== undefined) add(this.#byUser, user, -1);
    }
    /** A connection is of somebody else from now on. @throws 429 */ changeUser(before, after) {
        const { max_per_user } = this.limits;
        if (after !== undefined && (this.#byUser.get(after) ?? 0) >= max_per_user) throw tooManyConnections('user', max_per_user);
        if (before !== undefined) add(this.#byUser, before, -1);
        if (after !== undefined) add(this.#byUser, after, 1);
    }
}
function add(counts, key, by) {
    const count = (counts.get(key) ?? 0) + by;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
}
