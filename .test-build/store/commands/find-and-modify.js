/** `findAndModify`: changes or removes one document and answers with it. */ import { StoreError } from "../errors.js";
import { chargeOf, exprCompiler, filterOptions } from "../engine/pipeline-context.js";
import { targetsOf } from "../engine/targets.js";
import { applyUpdate } from "../engine/updating.js";
import { compileProjection } from "../project/index.js";
import { compileFilter } from "../query/index.js";
import { collectionOf, docOf, docsOf, flagOf } from "./arguments.js";
import { surroundingsOf, targetOf } from "./surroundings.js";
import { changeOf } from "./update.js";
async function run(context) {
    const { body } = context;
    const name = collectionOf(context);
    const removing = flagOf(body, 'remove');
    const upsert = flagOf(body, 'upsert');
    checkOptions(body, removing, upsert);
    const query = {
        filter: docOf(body, 'query') ?? {},
        sort: docOf(body, 'sort'),
        hint: body['hint'],
        limit: 1
    };
    const collection = targetOf(context, name);
    return removing ? removeOne(context, collection, query) : updateOne(context, collection, query, upsert);
}
function checkOptions(body, removing, upsert) {
    const hasUpdate = body['update'] !== undefined && body['update'] !== null;
    if (removing && hasUpdate) throw new StoreError(9, 'Cannot specify both an update and remove=true');
    if (removing && upsert) throw new StoreError(9, 'Cannot specify both upsert=true and remove=true');
    if (removing && flagOf(body, 'new')) {
        throw new StoreError(9, "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document");
    }
    if (!removing && !hasUpdate) throw new StoreError(9, 'Either an update or remove=true must be specified');
}
async function removeOne(context, collection, query) {
    const project = projectionOf(context, collection);
    const { found } = await targetsOf(collection, query, surroundingsOf(context, collection.name));
    const [stored] = found;
    if (stored !== undefined) context.view.remove(collection, stored);
    return {
        fields: {
            lastErrorObject: {
                n: found.length
            },
            value: stored ? project(stored.doc) : null
        }
    };
}
async function updateOne(context, collection, query, upsert) {
    const { body } = context;
    const project = projectionOf(context, collection);
    const result = await applyUpdate(collection, {
        query,
        change: changeOf(body['update']),
        multi: false,
        upsert,
        arrayFilters: docsOf(body, 'arrayFilters'),
        constants: undefined
    }, surroundingsOf(context, collection.name));
    const shown = flagOf(body, 'new') ? result.upserted ?? result.after : result.before;
    return {
        fields: {
            lastErrorObject: lastError(result),
            value: shown ? project(shown.doc) : null
        }
    };
}
const lastError = ({ matched, upserted })=>upserted ? {
        n: 1,
        updatedExisting: false,
        upserted: upserted.doc['_id']
    } : {
        n: matched,
        updatedExisting: matched > 0
    };
/** Makes the answer of a document. It is read before anything is changed, so that a wrong one changes nothing. */ function projectionOf(context, collection) {
    const { body } = context;
    const fields = docOf(body, 'fields') ?? docOf(body, 'projection');
    if (fields === undefined || Object.keys(fields).length === 0) return (doc)=>doc;
    const surroundings = surroundingsOf(context, collection.name);
    const filter = compileFilter(docOf(body, 'query') ?? {}, filterOptions(surroundings));
    return compileProjection(fields, {
        filter,
        expr: exprCompiler(surroundings),
        charge: chargeOf(surroundings)
    });
}
/** The row of `findAndModify`. */ export const findAndModify = {
    name: 'findAndModify',
    aliases: [
        'findandmodify'
    ],
    summary: 'Changes or removes one document and answers with it',
    fields: [
        'query',
        'sort',
        'remove',
        'update',
        'new',
        'fields',
        'projection',
        'upsert',
        'bypassDocumentValidation',
        'collation',
        'arrayFilters',
        'hint',
        'let'
    ],
    inTransaction: true,
    kind: 'write',
    run
};
