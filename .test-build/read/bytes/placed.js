/** Links in stored bytes: which ids a path holds, and the linked documents that are shown for them. */ import { isId } from "../../registry/cast.js";
import { afterElement, bson, byteAt, findElement, nameEnd } from "./layout.js";
/** The links of a plan as a tree along their paths; undefined when there is none. */ export function linkTree(links) {
    if (links.length === 0) return undefined;
    const root = {
        placed: [],
        below: new Map()
    };
    for (const [link, encoded] of links){
        const parts = link.path.split('.');
        const key = parts.pop() ?? '';
        let node = root;
        for (const part of parts){
            const below = node.below.get(part) ?? {
                placed: [],
                below: new Map()
            };
            node.below.set(part, below);
            node = below;
        }
        node.placed.push(placedBytes(link, key, encoded));
    }
    return root;
}
function placedBytes({ as, array }, key, { bytes: json, positions }) {
    const name = as.slice(as.lastIndexOf('.') + 1);
    return {
        key: Buffer.from(key),
        name,
        nameBytes: Buffer.from(name),
        array,
        write (out, bytes, at) {
            const id = idAt(bytes, at);
            const position = id === undefined ? undefined : positions.get(id);
            if (position === undefined) return false;
            out.copy(json, position[0], position[1]);
            return true;
        }
    };
}
/** The id that an element holds, as an id or as text. */ export function idAt(bytes, at) {
    const value = nameEnd(bytes, at + 1) + 1;
    if (bytes[at] === bson.id) return bytes.toString('hex', value, value + 12);
    if (bytes[at] !== bson.text || bytes.readInt32LE(value) !== 25) return undefined;
    const text = bytes.toString('latin1', value + 4, value + 28);
    return isId(text) ? text : undefined;
}
/** The ids that the rows hold at a path, through lists. */ export function idsOf(rows, path) {
    const parts = path.split('.').map((part)=>Buffer.from(part));
    const ids = new Set();
    for (const row of rows)collect(row, 0, parts, 0, ids);
    return [
        ...ids
    ];
}
/** @param at where the document begins; @param part the part of the path that is looked for in it */ function collect(row, at, parts, part, ids) {
    const name = parts[part];
    const element = name === undefined ? -1 : findElement(row, at, name);
    if (element !== -1) collectFrom(row, element, parts, part + 1, ids);
}
function collectFrom(row, element, parts, part, ids) {
    const type = byteAt(row, element);
    const value = nameEnd(row, element + 1) + 1;
    if (type === bson.list) for(let next = value + 4; byteAt(row, next) !== 0; next = afterElement(row, next))collectFrom(row, next, parts, part, ids);
    else if (part < parts.length) {
        if (type === bson.document) collect(row, value, parts, part, ids);
    } else {
        const id = idAt(row, element);
        if (id !== undefined) ids.add(id);
    }
}
