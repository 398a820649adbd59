/** `insert`: new documents. */ import { tooLarge } from "../errors.js";
import { decode } from "../values/decode.js";
import { withIdFirst } from "../wire/raw.js";
import { collectionOf, statementsOf } from "./arguments.js";
import { eachStatement } from "./statements.js";
async function run(context) {
    const { db, view } = context;
    const name = collectionOf(context);
    const documents = statementsOf(context, 'documents');
    view.ensure(db, name);
    return eachStatement(context, documents, (given)=>{
        if (given.length > context.store.limits.documentBytes) throw tooLarge(given.length, context.store.limits.documentBytes);
        const bytes = withIdFirst(given);
        const doc = decode(bytes ?? given);
        view.insert(view.ensure(db, name), doc, bytes);
        return {
            n: 1
        };
    });
}
/** The row of `insert`. */ export const insert = {
    name: 'insert',
    summary: 'New documents',
    fields: [
        'documents',
        'ordered',
        'bypassDocumentValidation'
    ],
    inTransaction: true,
    kind: 'write',
    run
};
