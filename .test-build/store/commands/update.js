/** `update`: changes documents, or inserts one where none is found. */ import { StoreError } from "../errors.js";
import { applyUpdate } from "../engine/updating.js";
import { isDoc } from "../values/kind.js";
import { collectionOf, docOf, docsOf, flagOf, statementOf, statementsOf } from "./arguments.js";
import { surroundingsOf, targetOf } from "./surroundings.js";
import { eachStatement } from "./statements.js";
const statementFields = new Set([
    'q',
    'u',
    'c',
    'upsert',
    'multi',
    'collation',
    'arrayFilters',
    'hint',
    'sort'
]);
async function run(context) {
    const name = collectionOf(context);
    const statements = statementsOf(context, 'updates').map((bytes)=>statementOf(bytes, statementFields, 'update.updates'));
    const { fields } = await eachStatement(context, statements, async (statement)=>{
        const { matched, modified, upserted } = await runOne(context, name, statement);
        return {
            n: upserted ? 1 : matched,
            nModified: modified,
            upserted: upserted?.doc
        };
    });
    return {
        fields: {
            n: 0,
            nModified: 0,
            ...fields
        }
    };
}
const runOne = (context, name, statement)=>applyUpdate(targetOf(context, name), updateOf(statement), surroundingsOf(context, name, statement));
function updateOf(statement) {
    const filter = docOf(statement, 'q');
    if (filter === undefined) throw new StoreError(40414, "BSON field 'update.updates.q' is missing but a required field");
    const multi = flagOf(statement, 'multi');
    const sort = docOf(statement, 'sort');
    if (multi && sort !== undefined) throw new StoreError(9, 'Cannot specify sort with multi=true');
    return {
        query: {
            filter,
            sort,
            hint: statement['hint']
        },
        change: changeOf(statement['u']),
        multi,
        upsert: flagOf(statement, 'upsert'),
        arrayFilters: docsOf(statement, 'arrayFilters'),
        constants: docOf(statement, 'c')
    };
}
/** An update is a document of operators, a whole document, or a pipeline. */ export function changeOf(value) {
    if (isDoc(value)) return value;
    if (Array.isArray(value) && value.every(isDoc)) return value;
    throw new StoreError(9, 'Update argument must be either an object or an array');
}
/** The row of `update`. */ export const update = {
    name: 'update',
    summary: 'Changes documents',
    fields: [
        'updates',
        'ordered',
        'let',
        'bypassDocumentValidation'
    ],
    inTransaction: true,
    kind: 'write',
    run
};
