/** Which places of a document a path with `$`, `$[]` or `$[name]` means. */ import { StoreError } from "../errors.js";
import { show } from "../values/show.js";
import { badValue } from "./change.js";
import { Draft } from "./draft.js";
import { filterName, isDynamic } from "./paths.js";
/**
 * How much one update may do in one document: members looked at, and parts of the paths and values that it writes. The
 * document's update can't be interrupted, and this much takes some seconds on a slow machine.
 */ const maxSteps = 600_000;
/** Finds out what the paths of an update mean in one document. */ export class Expansion {
    #draft;
    #meanings;
    /** Members that were found already, so that many paths through one array look at it once. */ #members = new Map();
    #steps = 0;
    constructor(doc, meanings){
        this.#draft = new Draft(doc);
        this.#meanings = meanings;
    }
    /**
   * The paths without `$` parts that a path means, where as many values are written at each.
   * @throws StoreError 146 when it is too much for one document
   */ of(parts, values) {
        const at = parts.findIndex(isDynamic);
        if (at < 0) {
            this.#count(parts.length + values - 1);
            return [
                parts
            ];
        }
        const before = parts.slice(0, at);
        const after = parts.slice(at + 1);
        return this.#places(before, parts[at] ?? '').flatMap((place)=>this.of([
                ...before,
                String(place),
                ...after
            ], values));
    }
    #count(steps) {
        this.#steps += steps;
        this.#meanings.charge(steps);
        if (this.#steps > maxSteps) throw new StoreError(146, 'the update changes too many places of one document; change it in several steps');
    }
    #places(before, part) {
        const name = filterName(part);
        if (name === undefined) return [
            matchedPlace(this.#meanings.position)
        ];
        const key = [
            ...before,
            part
        ].join('.');
        const known = this.#members.get(key);
        if (known !== undefined) return known;
        const array = arrayAt(this.#draft, before);
        this.#count(array.length);
        const filter = this.#meanings.filters.get(name);
        const all = [
            ...array.keys()
        ];
        const places = name === '' ? all : all.filter((place)=>filter?.matches({
                [name]: array[place]
            }) === true);
        this.#members.set(key, places);
        return places;
    }
}
function matchedPlace(position) {
    const place = position?.();
    if (place === undefined) throw badValue('The positional operator did not find the match needed from the query.');
    return place;
}
function arrayAt(draft, parts) {
    const found = draft.find(parts);
    if (found.kind !== 'there') {
        throw new StoreError(2, `The path '${parts.join('.')}' must exist in the document in order to apply array updates.`);
    }
    if (!Array.isArray(found.value)) {
        throw new StoreError(2, `Cannot apply array updates to non-array element ${parts.at(-1) ?? ''}: ${show(found.value)}`);
    }
    return found.value;
}
