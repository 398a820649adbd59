/** The subscriptions of one listener, counted by model so that writers know whether anybody listens. */ /** How many subscriptions all listeners have, by model. */ export class Interest {
    #counts = new Map();
    add(model, count) {
        this.#counts.set(model, (this.#counts.get(model) ?? 0) + count);
    }
    has(model) {
        return (this.#counts.get(model) ?? 0) > 0;
    }
}
export class Subscriptions {
    interest;
    #byKey = new Map();
    constructor(interest){
        this.interest = interest;
    }
    get size() {
        return this.#byKey.size;
    }
    get all() {
        return [
            ...this.#byKey.values()
        ];
    }
    has({ key }) {
        return this.#byKey.has(key);
    }
    hasModel(model) {
        for (const subscription of this.#byKey.values())if (subscription.model === model) return true;
        return false;
    }
    add(subscription) {
        this.#byKey.set(subscription.key, subscription);
        this.interest.add(subscription.model, 1);
    }
    delete(key) {
        const subscription = this.#byKey.get(key);
        if (subscription === undefined) return;
        this.#byKey.delete(key);
        this.interest.add(subscription.model, -1);
    }
    clear() {
        for (const key of [
            ...this.#byKey.keys()
        ])this.delete(key);
    }
}
