/** `delete`: takes documents away. */ import { StoreError } from "../errors.js";
import { toDouble } from "../values/number.js";
import { oneByOne, targetsOf } from "../engine/targets.js";
import { collectionOf, docOf, statementOf, statementsOf } from "./arguments.js";
import { surroundingsOf, targetOf } from "./surroundings.js";
import { eachStatement } from "./statements.js";
const statementFields = new Set([
    'q',
    'limit',
    'collation',
    'hint'
]);
async function run(context) {
    const name = collectionOf(context);
    const statements = statementsOf(context, 'deletes').map((bytes)=>statementOf(bytes, statementFields, 'delete.deletes'));
    return eachStatement(context, statements, async (statement)=>({
            n: await runOne(context, name, statement)
        }));
}
async function runOne(context, name, statement) {
    const { view } = context;
    const filter = docOf(statement, 'q');
    const limit = toDouble(statement['limit']);
    if (filter === undefined) throw new StoreError(40414, "BSON field 'delete.deletes.q' is missing but a required field");
    if (limit !== 0 && limit !== 1) throw new StoreError(9, 'The limit field in delete objects must be 0 or 1');
    const collection = targetOf(context, name);
    const surroundings = surroundingsOf(context, name, statement);
    const targets = await targetsOf(collection, {
        filter,
        limit,
        hint: statement['hint']
    }, surroundings);
    let removed = 0;
    for await (const stored of oneByOne(collection, targets, surroundings)){
        view.remove(collection, stored);
        removed += 1;
    }
    return removed;
}
/** The row of `delete`. */ export const remove = {
    name: 'delete',
    summary: 'Takes documents away',
    fields: [
        'deletes',
        'ordered',
        'let'
    ],
    inTransaction: true,
    kind: 'write',
    run
};
