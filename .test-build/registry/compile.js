/** Schemas → the registry's entries: options checked, links resolved, Mongoose models made on the server's connection. */ import { withBase } from "./base.js";
import { boundModelCode } from "./bounded.js";
import { completeUser } from "./built-in/user.js";
import { mongooseModel } from "./entry.js";
import { ModelFileError } from "./files.js";
import { refuseMisspeltOptions } from "./known-options.js";
import { linksOf } from "./links.js";
import { kindsOf } from "./mongoose.js";
import { optionRows, readOptions } from "./options.js";
import { refuseOwnNames } from "./own-names.js";
import { aliasesOf } from "./real-path.js";
import { ownSaveHooks } from "./save-hooks.js";
import { isSecretPath } from "./secrets.js";
import { innerOf, typeAt } from "./type-at.js";
import { unaskedOf } from "./unasked.js";
/**
 * Makes the entries of all models.
 * @throws ModelFileError naming the file and what is wrong with it
 */ export function compileModels(loaded, connection, { limit, hear }) {
    const prepared = loaded.map(prepare);
    const names = new Set(prepared.map(({ name })=>name));
    for (const { file, name, links } of prepared)for (const link of links)if (!names.has(link.model)) throw new ModelFileError(file ?? name, `${link.path} links to ${link.model}, which is no model`);
    return prepared.map((model)=>{
        boundModelCode(model.schema, model.name, limit);
        if (!model.options.internal) hear?.(model.schema, ()=>entry);
        const entry = compile(model, prepared, connection);
        return entry;
    });
}
function prepare(loaded) {
    const { name, file } = loaded;
    try {
        refuseOwnParts(loaded.schema);
        if (file !== undefined) refuseMisspeltOptions(loaded.schema);
        const schema = withBase(loaded.schema);
        if (name === 'user') completeUser(schema);
        const given = {};
        for (const option of Object.keys(optionRows))given[option] = schema.options[option];
        refuseOwnNames(schema);
        refuseSecretIndexes(schema);
        refuseSecretAliases(schema);
        const options = readOptions(given, new Set(Object.keys(schema.statics)));
        if (!options.internal) refuseOtherIds(schema);
        const links = linksOf(schema);
        refuseTakenNames(schema, links);
        return {
            ...loaded,
            schema,
            options,
            links,
            saveHooks: ownSaveHooks(loaded.schema)
        };
    } catch (error) {
        throw new ModelFileError(file ?? name, error instanceof Error ? error.message : String(error), error);
    }
}
/** A schema within itself has paths without end. @param above the schemas that this one is in */ function refuseOwnParts(schema, above = []) {
    for (const [path, type] of Object.entries(schema.paths)){
        const inner = innerOf(type).schema;
        if (inner === undefined) continue;
        if (inner === schema || above.includes(inner)) throw new Error(`${path} holds documents of the schema that it is in: link to them instead, or make it Mixed`);
        refuseOwnParts(inner, [
            ...above,
            schema
        ]);
    }
}
/** A linked document is shown under a name of its own: a field of that name could neither be written nor shown. */ function refuseTakenNames(schema, links) {
    for (const { path, as } of links){
        const isField = as !== path && (as === 'id' || as === '__v' || typeAt(schema, as).kind !== 'unknown');
        if (isField || links.some((other)=>other.path !== path && other.as === as)) throw new Error(`${path} is shown as ${as}, and so is another field: give the link another name by map_to`);
    }
}
/** Ids are ObjectIds in paths, links and filters. */ function refuseOtherIds({ paths }) {
    if (paths['_id']?.instance !== 'ObjectId') throw new Error('_id must be an ObjectId, as Mongoose makes it');
}
/** A text index over a password-named path would make the hash searchable. */ function refuseSecretIndexes(schema) {
    const secrets = Object.keys(schema.paths).some(isSecretPath);
    for (const [fields] of schema.indexes())for (const [path, type] of Object.entries(fields))if (type === 'text' && (isSecretPath(path) || path === '$**' && secrets)) throw new Error(`the text index over ${path} would make passwords searchable`);
}
/** A password-named alias would be hashed on its way in and shown under the name of its path. */ function refuseSecretAliases(schema) {
    for (const [alias, path] of Object.entries(aliasesOf(schema)))if (isSecretPath(alias) && !isSecretPath(path)) throw new Error(`the alias ${alias} of ${path} would show what is meant as a password`);
}
function compile(model, all, connection) {
    const { name, file, compiledAs, schema, options, links, saveHooks } = model;
    const made = connection.model(name, schema, model.collection);
    return Object.freeze({
        name,
        file,
        compiledAs,
        schema,
        options,
        links,
        saveHooks,
        collection: made.collection.name,
        linkedFrom: all.flatMap((other)=>other.links.filter((link)=>link.model === name).map((link)=>({
                    model: other.name,
                    link
                }))),
        textIndexed: schema.indexes().some(([fields])=>Object.values(fields).includes('text')),
        computed: isComputed(schema),
        unasked: [
            ...new Set([
                schema,
                ...kindsOf(made).map((kind)=>kind.schema)
            ].flatMap(unaskedOf))
        ],
        [mongooseModel]: made
    });
}
/** Own virtuals (besides `id` and aliases) or getters, at any depth. */ function isComputed(schema) {
    const aliases = new Set(Object.keys(aliasesOf(schema)));
    const virtuals = schema.virtuals;
    const own = Object.entries(virtuals).some(([name, virtual])=>name !== 'id' && !aliases.has(name) && virtual.getters.length > 0);
    const getters = Object.values(schema.paths).some((type)=>type.getters.length > 0);
    return own || getters || schema.childSchemas.some((child)=>isComputed(child.schema));
}
