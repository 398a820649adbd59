/** The virtuals of a schema that answers show. */ import { aliasesOf } from "./real-path.js";
import { isSecretPath } from "./secrets.js";
/**
 * The computed paths of a schema, without those of the schemas inside it.
 * Aliases are other names of stored paths, and virtuals with `ref` hold documents that only Mongoose's own `populate` finds.
 */ export function virtualsOf(schema) {
    const aliases = aliasesOf(schema);
    return Object.entries(schema.virtuals).filter(([name])=>name !== 'id' && !Object.hasOwn(aliases, name) && !isSecretPath(name)).filter(([, { options }])=>options.ref === undefined && options.refPath === undefined).map(([name])=>name);
}
