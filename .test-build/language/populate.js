/** `populate` → the names of links to show, with the fields asked for and the links below them. */ import { badParameter, tooDeep, tooMany } from "../errors.js";
import { isDangerous } from "./names.js";
import { isTree, namesOf } from "./tree.js";
const mostNames = 10;
const mostLevels = 3;
/** The links that a caller asks for. @throws 400 */ export function populationsFrom(value) {
    if (value === undefined || value === '') return [];
    const root = new Map();
    const wanted = isTree(value) ? fromTree(value) : namesOf(value, 'populate').map((path)=>[
            path,
            undefined
        ]);
    if (wanted.length > mostNames) throw tooMany('names in populate', mostNames);
    for (const [path, fields] of wanted)add(root, path, fields);
    return built(root);
}
function fromTree(tree) {
    return Object.entries(tree).map(([path, fields])=>{
        if (typeof fields !== 'string') throw badParameter('populate', `populate[${path}] takes names of fields`);
        if (/^\d+$/.test(path)) return [
            fields,
            undefined
        ];
        return [
            path,
            fields === '' || fields === '1' || fields === 'true' ? undefined : fields
        ];
    });
}
function add(root, path, fields) {
    const parts = path.split('.');
    if (parts.length > mostLevels) throw tooDeep('populate', mostLevels);
    let level = root;
    parts.forEach((name, at)=>{
        if (isDangerous(name)) throw badParameter('populate', `${JSON.stringify(name)} is no link`);
        const building = level.get(name) ?? {
            fields: undefined,
            inner: new Map()
        };
        if (at === parts.length - 1 && fields !== undefined) building.fields = fields;
        level.set(name, building);
        level = building.inner;
    });
}
const built = (level)=>[
        ...level
    ].map(([name, { fields, inner }])=>({
            name,
            fields,
            inner: built(inner)
        }));
