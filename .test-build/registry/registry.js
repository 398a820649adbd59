/** All models of a server, by name without case. Internal ones are there for the server's own use and are never served. */ import { unknownModel } from "../errors.js";
export function makeRegistry(entries) {
    const byName = new Map(entries.map((entry)=>[
            entry.name,
            entry
        ]));
    const found = (name)=>{
        // a file may be named with capitals, and so may links
        const entry = byName.get(name) ?? byName.get(name.toLowerCase());
        if (entry === undefined) throw unknownModel(name);
        return entry;
    };
    return Object.freeze({
        get (name) {
            const entry = found(name);
            if (entry.options.internal) throw unknownModel(name);
            return entry;
        },
        internal: found,
        served: entries.filter((entry)=>!entry.options.internal),
        all: entries
    });
}
