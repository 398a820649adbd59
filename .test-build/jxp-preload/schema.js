/** The `JXPSchema` of JXP's model files: a Mongoose schema with JXP's options and names of links. */ import { Schema } from 'mongoose';
import { modelFor } from "./models.js";
import { withoutNext } from "./middleware.js";
/** Middleware that Mongoose runs synchronously, without `next` in any release. */ const synchronous = new Set([
    'init'
]);
export class JXPSchema extends Schema {
    constructor(definition = {}, options = {}){
        const { _perms: fields, ...paths } = definition;
        super(withLinkNames(paths), optionsOf(options, fields));
    }
    /** Without a schema the model of that name, by any of its names. */ static model(name, schema, collection) {
        return modelFor(name, schema, collection);
    }
}
/** @param fields permissions that stand among the fields */ function optionsOf({ _perms: option, ...others }, fields) {
    const perms = others['perms'] ?? option ?? fields;
    return {
        on_referenced_delete: 'refuse',
        ...others,
        ...perms === undefined ? {} : {
            perms
        }
    };
}
const optionOf = (key)=>key === '_perms' ? 'perms' : key;
const inherited = Schema.prototype;
// methods of the prototype, since Mongoose declares overloads that a method of the class would have to repeat
Object.assign(JXPSchema.prototype, {
    get (key) {
        return inherited.get.call(this, optionOf(key));
    },
    set (key, ...given) {
        return inherited.set.call(this, optionOf(key), ...given);
    },
    pre (name, ...given) {
        const parallel = given.includes(true);
        const rest = given.filter((one)=>typeof one !== 'boolean');
        const waited = rest.map((one)=>typeof one === 'function' && !synchronous.has(name) ? withoutNext(one, parallel) : one);
        return inherited.pre.call(this, name, ...waited);
    }
});
/**
 * The definition with `map_to` for all links: `map_to`, else `virtual`, else the linked model's name in lower case. Where two links
 * would be shown under one name, or a field has it, those without a name of their own are shown under their path without `_id`.
 */ function withLinkNames(definition) {
    const links = Object.keys(definition).filter((path)=>typeof linkAt(definition[path])?.link === 'string');
    const own = new Map(links.map((path)=>[
            path,
            ownName(definition[path])
        ]));
    const names = new Map(links.map((path)=>[
            path,
            own.get(path) ?? linkedName(definition[path])
        ]));
    const isTaken = (path, name)=>name !== path && name in definition || links.some((other)=>other !== path && names.get(other) === name);
    for(let changed = true; changed;){
        const meeting = links.filter((path)=>{
            const name = names.get(path);
            return own.get(path) === undefined && name !== undefined && name !== plain(path) && isTaken(path, name);
        });
        for (const path of meeting)names.set(path, plain(path));
        changed = meeting.length > 0;
    }
    return Object.fromEntries(Object.entries(definition).map(([path, given])=>[
            path,
            mapped(given, names.get(path))
        ]));
}
const linkAt = (given)=>{
    const inner = Array.isArray(given) ? given[0] : given;
    return typeof inner === 'object' && inner !== null ? inner : undefined;
};
const text = (value)=>typeof value === 'string' && value !== '' ? value : undefined;
const ownName = (given)=>text(linkAt(given)?.map_to) ?? text(linkAt(given)?.virtual);
const linkedName = (given)=>text(linkAt(given)?.link)?.toLowerCase();
const plain = (path)=>path.replace(/(?<=.)_id$/, '');
const mapped = (given, map_to)=>{
    if (map_to === undefined) return given;
    const link = {
        ...linkAt(given),
        map_to
    };
    return Array.isArray(given) ? [
        link,
        ...given.slice(1)
    ] : link;
};
