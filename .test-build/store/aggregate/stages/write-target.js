/** The collection that `$out` and `$merge` write to. */ import { StoreError } from "../../errors.js";
import { checkOptions, objectOf } from "./stage.js";
/** Reads a target: the name of a collection, or one of another database. */ export function targetOf(value, { db }, name) {
    if (typeof value === 'string') return {
        db,
        collection: checkName(value, name)
    };
    const spec = objectOf(value, 16990, `${name} target`);
    checkOptions(spec, [
        'db',
        'coll'
    ], 16990, name);
    const { db: other = db, coll } = spec;
    return {
        db: checkName(other, name),
        collection: checkName(coll, name)
    };
}
function checkName(value, name) {
    if (typeof value !== 'string') throw new StoreError(16990, `${name} only supports a string or object argument`);
    if (value === '' || value.includes('$') || value.includes('\0')) throw new StoreError(73, `Invalid ${name} target: '${value}'`);
    if (value.startsWith('system.')) throw new StoreError(17385, `Can't ${name} to special collection: ${value}`);
    return value;
}
/** The stage that writes; it hands on nothing. */ export function writing(target, mode, context) {
    const { write } = context;
    if (write === undefined) throw new StoreError(40601, 'a pipeline that writes is not allowed here');
    return {
        run: async function*(source) {
            await write(target, mode, source);
            yield [];
        }
    };
}
