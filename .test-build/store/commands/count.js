/** `count` and `distinct`. */ import { StoreError } from "../errors.js";
import { countFound } from "../engine/counting.js";
import { DistinctValues } from "../engine/distinct-values.js";
import { prepareQuery } from "../engine/query.js";
import { readGroups } from "../engine/read.js";
import { valuesAt } from "../values/path.js";
import { collectionOf, countOf, docOf, neededText } from "./arguments.js";
import { surroundingsOf, targetOf } from "./surroundings.js";
async function count(context) {
    const { body } = context;
    const collection = targetOf(context, collectionOf(context));
    const filter = docOf(body, 'query') ?? {};
    const limit = typeof body['limit'] === 'number' ? Math.abs(body['limit']) : countOf(body, 'limit', 0);
    const skip = countOf(body, 'skip', 0);
    const query = {
        filter,
        skip,
        limit,
        hint: body['hint']
    };
    return {
        fields: {
            n: await countFound(collection, query, surroundingsOf(context, collection.name))
        }
    };
}
const longestAnswer = 16 * 1024 * 1024;
async function distinct(context) {
    const { body } = context;
    const path = neededText(body, 'key');
    const collection = targetOf(context, collectionOf(context));
    const filter = docOf(body, 'query') ?? {};
    const query = {
        filter,
        hint: body['hint']
    };
    const { reading } = prepareQuery(collection, query, surroundingsOf(context, collection.name));
    const found = new DistinctValues(reading.collation);
    for await (const group of readGroups(collection, reading)){
        for (const value of group.flatMap((stored)=>valuesAt(stored.doc, path)))found.add(value);
        if (found.size > longestAnswer) throw new StoreError(17217, 'distinct too big, 16mb cap');
    }
    return {
        fields: {
            values: found.values
        }
    };
}
/** The rows of this file. */ export const countCommands = [
    {
        name: 'count',
        summary: 'How many documents a filter finds',
        fields: [
            'query',
            'limit',
            'skip',
            'hint',
            'collation',
            'fields'
        ],
        kind: 'read',
        run: count
    },
    {
        name: 'distinct',
        summary: 'The different values of a field',
        fields: [
            'key',
            'query',
            'collation',
            'hint'
        ],
        inTransaction: true,
        kind: 'read',
        run: distinct
    }
];
