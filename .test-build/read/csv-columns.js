/** Which columns a CSV has, and what stands in a cell. */ import { jsonValue } from "../access/json-value.js";
import { shapeValue } from "../access/shape.js";
import { isSecretPath } from "../registry/secrets.js";
import { innerOf } from "../registry/type-at.js";
import { virtualsOf } from "../registry/virtuals.js";
/** The columns: the fields asked for, in that order, else the schema's; nested documents have a column for each of their fields. */ export function columnsOf({ schema, computed }, fields, scored) {
    const known = [
        '_id',
        ...leavesOf(schema).filter((path)=>path !== '_id'),
        ...computed ? virtualsOf(schema) : []
    ];
    const below = (path, above)=>path === above || path.startsWith(`${above}.`);
    const chosen = fields === undefined ? known : fields.mode === 'without' ? known.filter((path)=>!fields.paths.some((hidden)=>below(path, hidden))) : fields.paths.flatMap((asked)=>{
        const found = known.filter((path)=>below(path, asked));
        return found.length === 0 ? [
            asked
        ] : found;
    });
    return [
        ...new Set([
            ...chosen.includes('_id') ? [] : [
                '_id'
            ],
            ...chosen,
            ...scored ? [
                'score'
            ] : []
        ])
    ];
}
function leavesOf(schema, prefix = '') {
    return Object.entries(schema.paths).flatMap(([path, type])=>{
        const full = prefix + path;
        if (path.includes('$*') || isSecretPath(full)) return [];
        const { schema: inner } = innerOf(type);
        return type.instance === 'Embedded' && inner !== undefined ? leavesOf(inner, `${full}.`) : [
            full
        ];
    });
}
/** The value at a dotted path; through a list, the list of what its members have there. */ export function valueAt(value, parts) {
    const [first, ...rest] = parts;
    if (first === undefined) return value;
    if (Array.isArray(value)) return value.map((member)=>valueAt(member, parts)).filter((found)=>found !== undefined);
    return typeof value === 'object' && value !== null && Object.hasOwn(value, first) ? valueAt(value[first], rest) : undefined;
}
/** A text that a spreadsheet would run as a formula gets an apostrophe before it; quotes are those of RFC 4180. */ export function textCell(text) {
    const harmless = /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
const numberTypes = new Set([
    'Decimal128',
    'Long',
    'Double',
    'Int32'
]);
/** Numbers stay numbers, dates and ids are as in JSON, lists and free-form objects are JSON. */ export function objectCell(value) {
    if (value === null) return '';
    const plain = jsonValue(value);
    if ('_bsontype' in value && numberTypes.has(value._bsontype)) return String(plain);
    return typeof plain === 'object' && plain !== null ? textCell(JSON.stringify(shapeValue(plain))) : textCell(String(plain ?? ''));
}
