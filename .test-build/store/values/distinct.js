/** Values without repetition: by key, or with a collation by their order, so that long lists take no square time. */ import { compare, keyOf } from "./order.js";
/** The values without those that equal an earlier one. */ export function distinctOf(values, collation) {
    if (collation === undefined) {
        const byKey = new Map();
        for (const value of values){
            const key = keyOf(value);
            if (!byKey.has(key)) byKey.set(key, value);
        }
        return [
            ...byKey.values()
        ];
    }
    const order = [
        ...values.keys()
    ].sort((a, b)=>compare(values[a], values[b], collation) || a - b);
    return order.filter((place, at)=>at === 0 || compare(values[place], values[order[at - 1] ?? 0], collation) !== 0).sort((a, b)=>a - b).map((place)=>values[place]);
}
