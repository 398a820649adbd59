/** `sort` → the order of a list. `_id` is always its last key, so that pages never overlap. */ import { badParameter, secretPath, tooMany } from "../errors.js";
import { holdsSecrets } from "../registry/secret-parts.js";
import { realPath } from "../registry/real-path.js";
import { checkKnown, checkPath } from "./names.js";
import { scorePath } from "./search.js";
import { isTree, namesOf } from "./tree.js";
const mostKeys = 10;
const directions = new Map([
    [
        '1',
        1
    ],
    [
        'asc',
        1
    ],
    [
        '-1',
        -1
    ],
    [
        'desc',
        -1
    ]
]);
/**
 * The order that a caller asks for; undefined when they ask for none.
 * @param scored rows have a `score` that the schema does not know @throws 400
 */ export function sortFrom(value, schema, scored = false) {
    if (value === undefined || value === '') return undefined;
    const pairs = isTree(value) ? Object.entries(value).map(([path, text])=>[
            path,
            directionOf(path, text)
        ]) : fromNames(value);
    if (pairs.length > mostKeys) throw tooMany('keys in sort', mostKeys);
    const sort = {};
    for (const [name, direction] of pairs){
        const path = realPath(schema, name);
        checkPath(path);
        if (!scored || path !== scorePath) checkKnown(schema, path, 'sort');
        if (holdsSecrets(schema, path)) throw secretPath(path);
        sort[path] = direction;
    }
    return withId(sort);
}
/** The same order with `_id` as its last key. */ const withId = (sort)=>'_id' in sort ? sort : {
        ...sort,
        _id: 1
    };
function directionOf(path, text) {
    const direction = directions.get(text);
    if (direction === undefined) throw badParameter('sort', `${path} must be 1, -1, asc or desc`);
    return direction;
}
function fromNames(value) {
    if (typeof value !== 'string') throw badParameter('sort', 'takes one value: sort=-createdAt,title');
    return namesOf(value, 'sort').map((name)=>name.startsWith('-') ? [
            name.slice(1),
            -1
        ] : [
            name.replace(/^\+/, ''),
            1
        ]);
}
