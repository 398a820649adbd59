/** What `$rename` may move: the database moves a value as it is, so only where the schema would take it unseen. */ import { isDeepStrictEqual } from 'node:util';
import { badBody } from "../../errors.js";
import { typeAt } from "../../registry/type-at.js";
/** @param from @param to paths, not aliases @throws 400 saying why */ export function checkRename(schema, from, to) {
    const reason = faultOf(schema, from, to);
    if (reason !== undefined) throw badBody(`$rename cannot move ${from} to ${to}: ${reason}`);
}
function faultOf(schema, from, to) {
    const [source, target] = [
        schema.path(from),
        schema.path(to)
    ];
    if (typesFrom(schema, from).some(({ isRequired })=>isRequired === true)) return `${from} is required`;
    for (const path of [
        from,
        to
    ])if (path === schema.get('discriminatorKey') || isImmutable(schema, path)) return `${path} never changes`;
    if (target !== undefined) return fits(source, target) ? undefined : `${to} is declared in another way`;
    const { kind } = typeAt(schema, to);
    if (kind === 'mixed' || kind === 'unknown' && schema.get('strict') === false) return undefined;
    return kind === 'unknown' ? `${to} is not in the schema` : `${to} has fields of its own`;
}
const typesOf = (schema, paths)=>paths.map((path)=>schema.path(path)).filter((type)=>type !== undefined);
/** The types at a path, and of the fields of a nested object. */ const typesFrom = (schema, path)=>typesOf(schema, [
        path,
        ...Object.keys(schema.paths).filter((known)=>known.startsWith(`${path}.`))
    ]);
/** Whether a path, one that it is in or one in it is immutable. */ function isImmutable(schema, path) {
    const parts = path.split('.');
    const above = typesOf(schema, parts.slice(1).map((_, at)=>parts.slice(0, at + 1).join('.')));
    return [
        ...above,
        ...typesFrom(schema, path)
    ].some(({ options })=>isOn(options['immutable']));
}
/** What a path may declare without a say in what it holds. */ const harmless = new Set([
    ...[
        'index',
        'unique',
        'sparse',
        'text',
        'expires',
        'default',
        'get',
        'select',
        'alias',
        'transform'
    ],
    ...[
        'ref',
        'refPath',
        'link',
        'map_to'
    ]
]);
/** Types that are made of others, which the option `type` tells. */ const composed = new Set([
    'Array',
    'Embedded',
    'Map'
]);
const isOn = (option)=>option !== undefined && option !== null && option !== false;
/** Whether what one path holds can be held by another: of its type, through all its validators and setters. */ function fits(source, target) {
    if (target.instance !== 'Mixed' && source?.instance !== target.instance) return false;
    const given = source?.options;
    return Object.entries(target.options).every(([name, value])=>harmless.has(name) || !isOn(value) || name === 'type' && !composed.has(target.instance) || isDeepStrictEqual(value, given?.[name]));
}
