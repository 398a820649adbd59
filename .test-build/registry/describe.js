/** What is told of a model: its fields, permissions, indexes and switches; never functions, files or the sources of validators. */ import { isSecretPath } from "./secrets.js";
import { innerOf } from "./type-at.js";
/** The description of a model, nested fields with their dotted paths. */ export function describe({ name, collection, schema, options, links }) {
    return {
        name,
        collection,
        fields: Object.fromEntries(fieldsOf(schema, '', indexedPaths(schema), links)),
        perms: Object.fromEntries([
            ...options.perms
        ].map(([role, letters])=>[
                role,
                [
                    ...letters
                ].join('')
            ])),
        indexes: schema.indexes().map(([fields, { unique, sparse, expireAfterSeconds }])=>({
                fields,
                ...unique === true ? {
                    unique
                } : {},
                ...sparse === true ? {
                    sparse
                } : {},
                ...expireAfterSeconds === undefined ? {} : {
                    expireAfterSeconds
                }
            })),
        callable_statics: Object.fromEntries([
            ...options.callable_statics
        ].map(([name, { needs, on }])=>[
                name,
                on === undefined ? needs : {
                    needs,
                    on
                }
            ])),
        query_limits: options.query_limits,
        advanced_queries: options.advanced_queries
    };
}
/** The fields that a body must have to make a document: always required, and without a default. A list has one, the empty list. */ export const neededOf = ({ schema })=>new Set(Object.keys(schema.paths).filter((path)=>isNeeded(schema.path(path))));
const isNeeded = (type)=>isAlwaysRequired(type) && (type.defaultValue ?? null) === null;
/** Whether every document must have a value here: `required` is set, and is not a function of the document. */ export const isAlwaysRequired = ({ isRequired, originalRequiredValue })=>isRequired === true && typeof originalRequiredValue !== 'function';
function indexedPaths(schema) {
    const indexes = schema.indexes();
    const unique = indexes.filter(([fields, { unique }])=>unique === true && Object.keys(fields).length === 1);
    return {
        any: new Set([
            '_id',
            ...indexes.flatMap(([fields])=>Object.keys(fields))
        ]),
        unique: new Set([
            '_id',
            ...unique.flatMap(([fields])=>Object.keys(fields))
        ])
    };
}
function fieldsOf(schema, prefix, indexed, links) {
    return Object.entries(schema.paths).flatMap(([name, type])=>{
        if (name.includes('$*')) return [];
        const path = prefix + name;
        const { schema: inner } = innerOf(type);
        const below = inner === undefined ? [] : fieldsOf(inner, `${path}.`, indexed, links);
        const isNested = type.instance === 'Embedded' && inner !== undefined;
        return isNested ? below : [
            [
                path,
                fieldOf(type, path, indexed, links)
            ],
            ...below
        ];
    });
}
function fieldOf(type, path, indexed, links) {
    const array = type.instance === 'Array';
    const { schema: inner, embeddedSchemaType: member } = innerOf(type);
    const link = links.find((one)=>one.path === path);
    const values = (array ? member?.options : type.options)?.enum;
    const list = enumOf(values);
    const fallback = type.options.default;
    return {
        type: inner !== undefined ? 'Object' : array ? member?.instance ?? 'Mixed' : type.instance,
        required: type.isRequired === true,
        unique: indexed.unique.has(path),
        index: indexed.any.has(path),
        array,
        ...list === undefined ? {} : {
            enum: list
        },
        ...isPlain(fallback) && !isSecretPath(path) ? {
            default: fallback
        } : {},
        ...link === undefined ? {} : {
            link: link.model,
            map_to: link.as
        }
    };
}
/** The allowed values. Mongoose takes a list, an object of values, or `{ values, message }`. */ export function enumOf(given) {
    if (Array.isArray(given)) return given;
    if (typeof given !== 'object' || given === null) return undefined;
    const values = 'values' in given ? given.values : undefined;
    return Array.isArray(values) ? values : Object.values(given);
}
/** Whether a value may be shown: functions are not, nor is what holds one. */ export const isPlain = (value)=>value === null || [
        'string',
        'number',
        'boolean'
    ].includes(typeof value) || value instanceof Date || Array.isArray(value) && value.every(isPlain);
