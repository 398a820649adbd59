/** Stored documents (BSON) → JSON as `access/shape` would give it, without making objects: secrets out, `id` in, links placed. */ import { shapeValue } from "../../access/shape.js";
import { internal } from "../../errors.js";
import { afterElement, bson, byteAt, findElement, isNamed, nameEnd, valueEnd } from "./layout.js";
import { plainValue } from "./plain.js";
/** Deeper than any database stores. */ const mostLevels = 1000;
const brace = 0x7d;
const bracket = 0x5d;
const refName = Buffer.from('$ref');
const idName = Buffer.from('id');
const underscoreIdName = Buffer.from('_id');
const secretName = Buffer.from('password');
const noPlaces = [];
const inner = {
    top: false,
    below: undefined,
    places: noPlaces
};
export class DocumentWriter {
    #out;
    #view;
    #isShown;
    #depth = 0;
    /** Where the `id` of this document stands that was not stored: from and to, 0 and 0 when there is none. */ #idFrom = 0;
    #idTo = 0;
    #idStored = false;
    constructor(out, view){
        this.#out = out;
        this.#view = view;
        this.#isShown = shownOf(view.fields);
    }
    /** Writes one document of a collection. */ row(bytes) {
        this.#document(bytes, 0, this.#view.links, true);
    }
    #document(bytes, at, node, top = false) {
        if (++this.#depth > mostLevels) throw internal(new Error('a stored document is too deep'));
        const begin = this.#out.length;
        if (!this.#inOrderStored(bytes, at, this.#frame(bytes, at, node, top))) {
            this.#out.remove(begin, this.#out.length);
            if (!top && findElement(bytes, at, refName) !== -1) this.#plain(bytes, bson.document, at);
            else this.#namesInOrder(bytes, at, this.#frame(bytes, at, node, top));
        }
        this.#depth--;
    }
    #frame(bytes, at, node, top) {
        this.#begin(top);
        if (node === undefined) return top ? {
            ...inner,
            top
        } : inner;
        const places = node.placed.map((link)=>({
                link,
                ids: findElement(bytes, at, link.key),
                written: false
            }));
        return {
            top,
            below: node.below.size === 0 ? undefined : node.below,
            places: places.filter(isPlaced(bytes))
        };
    }
    #begin(top) {
        if (!top) return;
        this.#idFrom = this.#idTo = 0;
        this.#idStored = false;
    }
    /** @returns false for a document whose members JavaScript orders by itself: names that are numbers, references */ #inOrderStored(bytes, at, frame) {
        this.#out.byte(0x7b);
        for(let next = at + 4; byteAt(bytes, next) !== 0;){
            const first = byteAt(bytes, next + 1);
            if (first >= 0x30 && first <= 0x39 || first === 0x24 && isNamed(bytes, next + 1, refName)) return false;
            next = this.#member(bytes, next, frame);
        }
        this.#end(bytes, frame);
        return true;
    }
    #namesInOrder(bytes, at, frame) {
        const members = [];
        for(let next = at + 4; byteAt(bytes, next) !== 0; next = afterElement(bytes, next))members.push({
            at: next,
            index: indexOf(bytes.toString('utf8', next + 1, nameEnd(bytes, next + 1)))
        });
        this.#out.byte(0x7b);
        for (const member of members.sort((a, b)=>a.index - b.index || a.at - b.at))this.#member(bytes, member.at, frame);
        this.#end(bytes, frame);
    }
    #end(bytes, { places }) {
        for (const place of places){
            if (place.written) continue;
            this.#out.json(`${JSON.stringify(place.link.name)}:`);
            this.#placed(bytes, place);
            this.#out.comma();
        }
        this.#out.close(brace);
    }
    /** Writes the member that stands at a position. @returns the position of the next one */ #member(bytes, at, frame) {
        const type = byteAt(bytes, at);
        const from = at + 1;
        const to = nameEnd(bytes, from);
        const next = valueEnd(bytes, type, to + 1);
        if (isSecret(bytes, from, to)) return next;
        if (frame.top && this.#isShown?.(bytes.toString('utf8', from, to)) === false) return next;
        const place = frame.places.length === 0 ? undefined : placeAt(bytes, from, frame.places);
        if (type === bson.undefined && place === undefined) return next;
        const out = this.#out;
        out.string(bytes, from, to);
        out.byte(0x3a);
        const value = out.length;
        if (place === undefined) this.#value(bytes, type, to + 1, frame.below?.get(bytes.toString('utf8', from, to)));
        else this.#placed(bytes, place);
        out.comma();
        if (frame.top && to - from <= 3) this.#identity(bytes, from, value);
        return next;
    }
    /** `id` after `_id`, unless the document has one of its own. @param value where the member's JSON value begins */ #identity(bytes, name, value) {
        const out = this.#out;
        if (isNamed(bytes, name, idName)) {
            this.#idStored = true;
            if (this.#idTo > 0) out.remove(this.#idFrom, this.#idTo);
        } else if (this.#view.withId && !this.#idStored && isNamed(bytes, name, underscoreIdName)) {
            this.#idFrom = out.length;
            out.ascii('"id":');
            out.repeat(value, this.#idFrom);
            this.#idTo = out.length;
        }
    }
    #value(bytes, type, at, node) {
        const out = this.#out;
        switch(type){
            case bson.text:
                return out.string(bytes, at + 4, at + 3 + bytes.readInt32LE(at));
            case bson.id:
                return out.id(bytes, at);
            case bson.int:
                return out.number(bytes.readInt32LE(at));
            case bson.double:
                return out.number(bytes.readDoubleLE(at));
            case bson.date:
                return out.date(longAt(bytes, at));
            case bson.boolean:
                return out.ascii(bytes[at] === 1 ? 'true' : 'false');
            case bson.null:
                return out.ascii('null');
            case bson.document:
                return this.#document(bytes, at, node);
            case bson.list:
                return this.#list(bytes, at, node);
            default:
                return this.#plain(bytes, type, at);
        }
    }
    /** Members of a list that are lists themselves have no links. */ #list(bytes, at, node) {
        if (++this.#depth > mostLevels) throw internal(new Error('a stored document is too deep'));
        this.#out.byte(0x5b);
        for(let next = at + 4; byteAt(bytes, next) !== 0;){
            const type = byteAt(bytes, next);
            const value = nameEnd(bytes, next + 1) + 1;
            this.#value(bytes, type, value, type === bson.list ? undefined : node);
            this.#out.comma();
            next = valueEnd(bytes, type, value);
        }
        this.#out.close(bracket);
        this.#depth--;
    }
    /** Rare types go the plain way, one value at a time. */ #plain(bytes, type, at) {
        this.#out.json(JSON.stringify(shapeValue(plainValue(bytes, type, at))) ?? 'null');
    }
    /** The linked documents of a place: one, or a list of those that are there. */ #placed(bytes, place) {
        place.written = true;
        const out = this.#out;
        const { link, ids } = place;
        if (ids === -1 || bytes[ids] !== bson.list) {
            if (ids === -1 || !link.write(out, bytes, ids)) out.ascii('null');
            return;
        }
        out.byte(0x5b);
        const list = nameEnd(bytes, ids + 1) + 1;
        for(let next = list + 4; byteAt(bytes, next) !== 0; next = afterElement(bytes, next))if (link.write(out, bytes, next)) out.comma();
        out.close(bracket);
    }
}
/** A list of links that is not there is not shown; a single link is shown as null. */ const isPlaced = (bytes)=>({ link, ids })=>ids !== -1 && bytes[ids] !== bson.undefined || !link.array;
function placeAt(bytes, from, places) {
    for (const place of places)if (isNamed(bytes, from, place.link.nameBytes)) return place;
    return undefined;
}
/** Which fields of a whole document are shown; undefined for all. `_id` and a search's `score` always are. */ function shownOf(fields) {
    if (fields === undefined) return undefined;
    const named = new Set(fields.mode === 'only' ? fields.paths.map((path)=>path.split('.', 1)[0]) : fields.paths);
    return (key)=>key === '_id' || key === 'score' || named.has(key) === (fields.mode === 'only');
}
/** `password` in any letter case: setting bit 5 makes letters small, and no other byte becomes one of these. */ function isSecret(bytes, from, to) {
    if (to - from !== secretName.length) return false;
    for(let at = 0; at < secretName.length; at++)if ((byteAt(bytes, from + at) | 0x20) !== secretName[at]) return false;
    return true;
}
/** Names that are array indexes come first in JavaScript's objects, by number. */ function indexOf(name) {
    const index = Number(name);
    return /^(0|[1-9]\d{0,9})$/.test(name) && index < 4_294_967_295 ? index : Infinity;
}
/** A 64-bit number; those of dates are exact. */ const longAt = (bytes, at)=>bytes.readInt32LE(at + 4) * 4_294_967_296 + bytes.readUInt32LE(at);
