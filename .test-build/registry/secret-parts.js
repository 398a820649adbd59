/** Where password-named parts are, or may be, below a path: comparing wholes would compare them too. */ import { isSecretPath } from "./secrets.js";
import { innerOf, typeAt } from "./type-at.js";
/** Whether a path stands for a document that has password-named parts, or may have some. */ export function holdsSecrets(schema, path) {
    const type = typeAt(schema, path);
    if (type.kind !== 'document') return false;
    if (type.schema !== undefined) return documentsMayHoldSecrets(type.schema);
    const below = Object.entries(schema.paths).filter(([name])=>name.startsWith(`${path}.`));
    return below.some(([name, inner])=>isSecretPath(name) || typeMayHoldSecrets(inner));
}
/** Whether an object at this path has password-named parts, or may have some: anything may be in free-form parts. */ export function mayHoldSecrets(schema, path) {
    const { kind } = typeAt(schema, path);
    return kind === 'mixed' || kind === 'unknown' || holdsSecrets(schema, path);
}
/** Whether documents may lie at a path, and password-named parts in them, also such as the schema does not name. */ export function isFreeForm(schema, path) {
    return typeAt(schema, path).kind !== 'leaf';
}
/** Whether the schema names password-named fields, besides which it may hold some in free-form parts. */ export const namesSecrets = (schema)=>Object.entries(schema.paths).some(([path, type])=>{
        const inner = innerOf(type).schema;
        return isSecretPath(path) || inner !== undefined && namesSecrets(inner);
    });
/** Below a path of this type there are password-named fields, or there may be any. */ function typeMayHoldSecrets(type) {
    const { schema, embeddedSchemaType } = innerOf(type);
    if (schema !== undefined) return documentsMayHoldSecrets(schema);
    if (type.instance === 'Mixed' || type.instance === 'Map') return true;
    return type.instance === 'Array' && (embeddedSchemaType === undefined || typeMayHoldSecrets(embeddedSchemaType));
}
const documentsMayHoldSecrets = (schema)=>isOpen(schema) || namesSecrets(schema) || Object.values(schema.paths).some(typeMayHoldSecrets);
/** The schema lets fields in that it does not name. */ const isOpen = (schema)=>schema.get('strict') === false || schema.discriminators !== undefined;
