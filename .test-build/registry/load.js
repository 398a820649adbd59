/** One model file → its schema. TypeScript and both module systems are taken alike. */ import { resolve } from 'node:path';
import { createJiti } from 'jiti';
import mongoose, { Schema } from 'mongoose';
import { preload } from "../preload.js";
import { ModelFileError } from "./files.js";
import { missingPackage } from "./missing-package.js";
/** Loads TypeScript and JavaScript files; `mongoose` in them is the server's own. */ export const fileLoader = ()=>{
    const jiti = createJiti(import.meta.url, {
        virtualModules: {
            mongoose,
            ...preload()?.modules
        },
        interopDefault: true
    });
    return async (file)=>unwrapped(await jiti.import(resolve(file), {
            default: true
        }));
};
/** What compilers make of `export default` for CommonJS is an object of a module's exports. */ const unwrapped = (exported)=>typeof exported === 'object' && exported !== null && '__esModule' in exported && 'default' in exported ? exported.default : exported;
/**
 * Loads a model file.
 * @throws ModelFileError with file and reason
 */ export async function loadModelFile(load, { name, file }) {
    try {
        const exported = await load(file);
        return {
            name,
            file,
            ...schemaOf(await called(exported))
        };
    } catch (error) {
        const reason = missingPackage(error) ?? (error instanceof Error ? error.message : String(error));
        throw new ModelFileError(file, reason, error);
    }
}
function called(exported) {
    if (typeof exported !== 'function' || isModel(exported)) return exported;
    const { ObjectId, Mixed } = Schema.Types;
    return exported({
        mongoose,
        Schema,
        ObjectId,
        Mixed
    });
}
function schemaOf(value) {
    const schema = isModel(value) ? value.schema : value;
    if (isSchema(schema) && schema.discriminatorMapping?.isRoot === false) throw new Error('a discriminator is served with the model that it belongs to: export that one');
    if (isSchema(value)) return {
        schema: value,
        collection: undefined
    };
    if (isModel(value)) return {
        schema: withKinds(value),
        collection: value.collection.name,
        compiledAs: value.modelName
    };
    throw new Error('the default export must be a Mongoose schema, a function that returns one, or a compiled model');
}
/** The schema of a compiled model with the discriminators that were given to the model, where Mongoose keeps them. */ function withKinds({ schema, discriminators = {} }) {
    const whole = schema.clone();
    for (const [name, kind] of Object.entries(discriminators)){
        const own = kind.schema.clone();
        // Mongoose adds the key itself, and takes no field of that name
        own.remove(String(whole.get('discriminatorKey')));
        whole.discriminator(name, own, {
            value: kind.schema.discriminatorMapping?.value ?? name
        });
    }
    return whole;
}
const isSchema = (value)=>typeof value === 'object' && value !== null && 'instanceOfSchema' in value && value.instanceOfSchema === true;
const isModel = (value)=>typeof value === 'function' && 'schema' in value && isSchema(value.schema) && 'collection' in value;
