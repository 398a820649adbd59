/** Which fields of its source a pipeline can look into, judged by its text: what is not plain to see counts as all of them. */ import { isSecretName, isSecretPath } from "../registry/secrets.js";
import { typeAt } from "../registry/type-at.js";
import { isObject } from "./guard.js";
import { wholePaths } from "./wholes.js";
/** Levels of a field that pipelines see; what lies deeper is null in them. */ export const freeLevels = 8;
/** Stages that look only at the fields that are named in them, and whether documents leave them made anew, of such fields alone. */ const naming = {
    $match: 'kept',
    $sort: 'kept',
    $skip: 'kept',
    $limit: 'kept',
    $sample: 'kept',
    $project: 'kept',
    $addFields: 'kept',
    $set: 'kept',
    $unset: 'kept',
    $unwind: 'kept',
    $group: 'made',
    $count: 'made',
    $bucket: 'made',
    $bucketAuto: 'made',
    $sortByCount: 'made'
};
/** What a stage does with documents; `hidden` when it may look at more of them than it names. */ export function doingOf(stage) {
    const [[name, operand] = [
        '',
        undefined
    ]] = Object.entries(stage);
    const doing = Object.hasOwn(naming, name) ? naming[name] : undefined;
    return doing === undefined || hides(operand) ? 'hidden' : doing;
}
/** These name fields in other ways than by `$field`. */ const hiding = new Set([
    '$getField',
    '$setField',
    '$unsetField'
]);
const wholes = /^\$\$(?:ROOT|CURRENT)\b/;
function hides(value) {
    if (typeof value === 'string') return wholes.test(value);
    if (Array.isArray(value)) return value.some(hides);
    return isObject(value) && Object.entries(value).some(([key, inner])=>hiding.has(key) || hides(inner));
}
/** They take values apart, build objects to compare them with, or make `$field` mean a field of another value. */ const apart = new Set([
    '$objectToArray',
    '$arrayToObject',
    '$bsonSize',
    'CURRENT'
]);
/** Fields that are named by stages which look at nothing else. */ export class SeenFields {
    #schema;
    /** Fields that must be cleaned wherever they hold more than a plain value. */ #open = new Set();
    /** Fields that the schema gives a plain type where they are named, and the levels to clean should they hold another value. */ #plain = new Map();
    /** Values may be taken apart: then a plain type is not trusted to mean a plain value. */ #takesApart = false;
    constructor(schema){
        this.#schema = schema;
    }
    /** Takes in what a stage names. */ add(stage) {
        this.#value(stage);
    }
    /** How many levels of each field must be cleaned. */ levels() {
        const open = [
            ...this.#open
        ].map((field)=>[
                field,
                freeLevels
            ]);
        return new Map([
            ...this.#takesApart ? this.#plain : [],
            ...open
        ]);
    }
    #value(value) {
        if (typeof value === 'string') this.#text(value);
        else if (Array.isArray(value)) for (const member of value)this.#value(member);
        else if (isObject(value)) for (const [key, inner] of Object.entries(value)){
            if (apart.has(key) || isSecretName(key) || inner === 'CURRENT') this.#takesApart = true;
            if (key === 'sortBy' || key === '$sort') this.#order(inner);
            if (key === '$match') this.#wholes(inner);
            this.#value(inner);
        }
    }
    /** What is compared with an object may be an object in spite of its type. */ #wholes(filter) {
        for (const path of wholePaths(filter)){
            this.#path(path);
            this.#takesApart = true;
        }
    }
    #text(text) {
        if (!text.startsWith('$$')) {
            if (text.startsWith('$')) this.#path(text.slice(1));
        } else if (text.includes('.')) this.#takesApart = true;
    }
    #path(path) {
        const [field = ''] = path.split('.', 1);
        const type = typeAt(this.#schema, path);
        if (type.kind === 'leaf' && !isSecretPath(path)) this.#plain.set(field, field === path ? Number(type.array) : freeLevels);
        else {
            this.#open.add(field);
            if (field !== path) this.#takesApart = true;
        }
    }
    /** Fields that have a plain type are ordered by as in lists, so that an index can serve. */ #order(keys) {
        for (const path of isObject(keys) ? Object.keys(keys) : [])if (typeAt(this.#schema, path).kind !== 'leaf' || isSecretPath(path)) {
            this.#path(path);
            this.#takesApart = true;
        }
    }
}
