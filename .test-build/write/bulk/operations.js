/** The operations of a bulk write, read and checked before any is run: one row a kind. */ import { decide, refusal } from "../../access/decide.js";
import { fieldsIn } from "../../access/fields-in.js";
import { adminOnly, badBody, Failure } from "../../errors.js";
import { filterFromJson } from "../../language/guard.js";
import { typeAt } from "../../registry/type-at.js";
import { checkKeys } from "../body.js";
import { checkGroups } from "../groups.js";
import { namesOne, refuseKindPaths } from "../kind.js";
import { sparingOneself } from "../own-credentials.js";
import { hashPasswords } from "../passwords.js";
import { numberedKeys } from "../positions.js";
import { checkSize, checkUnknown } from "../size.js";
import { noCounts } from "./counts.js";
import { faultAt } from "./fault.js";
import { checkedUpdate, pathsOf } from "./update.js";
/** The length of a list of operations. */ export const maxOperations = 1000;
/** Name → what it needs and how it is read. The documentation prints this table. */ export const bulkOperations = new Map([
    [
        'insertOne',
        {
            letter: 'c',
            keys: [
                'document'
            ],
            read: insertOne
        }
    ],
    [
        'updateOne',
        {
            letter: 'u',
            keys: [
                'filter',
                'update',
                'upsert'
            ],
            read: (...given)=>update(...given, false)
        }
    ],
    [
        'updateMany',
        {
            letter: 'u',
            keys: [
                'filter',
                'update',
                'upsert'
            ],
            adminOnly: true,
            read: (...given)=>update(...given, true)
        }
    ],
    [
        'replaceOne',
        {
            letter: 'u',
            keys: [
                'filter',
                'replacement',
                'upsert'
            ],
            read: replaceOne
        }
    ],
    [
        'deleteOne',
        {
            letter: 'd',
            keys: [
                'filter'
            ],
            read: (...given)=>remove(...given, false)
        }
    ],
    [
        'deleteMany',
        {
            letter: 'd',
            keys: [
                'filter'
            ],
            adminOnly: true,
            read: (...given)=>remove(...given, true)
        }
    ]
]);
/** All operations of a body, which is a list. @throws 400 and 403 naming the operation; nothing has been written then */ export async function readOperations(context) {
    const operations = [];
    for (const [at, given] of context.body.entries())try {
        operations.push(await readOne(context, given, at));
    } catch (error) {
        const namesFields = error instanceof Failure && error.errors !== undefined;
        throw namesFields ? faultAt(error, at, noCounts()) : error;
    }
    return operations;
}
async function readOne(context, given, at) {
    if (!isPlain(given) || Object.keys(given).length !== 1) throw badBody(`operation ${at} must be an object with one operation`);
    const [name = '', inner] = Object.entries(given)[0] ?? [];
    const row = bulkOperations.get(name);
    if (row === undefined) throw badBody(`operation ${at}: ${JSON.stringify(name.slice(0, 40))} is not known`);
    if (row.adminOnly === true && !context.principal.admin) throw adminOnly(context.principal, name);
    if (!isPlain(inner)) throw badBody(`operation ${at}: ${name} takes an object`);
    for (const key of Object.keys(inner))if (!row.keys.includes(key)) throw badBody(`operation ${at}: ${name} does not know ${JSON.stringify(key.slice(0, 40))}`);
    return row.read(context, inner, needed(context, row.letter, name));
}
function needed(context, letter, name) {
    const grant = decide(context.principal, letter, context.model);
    if (grant === undefined) throw refusal(context.principal, `you may not ${name} in ${context.model.name}`);
    return grant;
}
const isPlain = (value)=>typeof value === 'object' && value !== null && !Array.isArray(value);
async function insertOne(context, { document }) {
    return {
        kind: 'insert',
        document: await bodyValues(context, document, 'document')
    };
}
/** A document as POST takes it. */ async function bodyValues(context, given, name) {
    if (!isPlain(given)) throw badBody(`${name} must be an object`);
    checkKeys(given, false);
    const values = await hashPasswords(fieldsIn(given, context.model, context.principal, false), context);
    checkGroups(context.model, values);
    return values;
}
async function update(context, given, grant, many) {
    const { upsert } = given;
    // all operators work on the same document
    if (isPlain(given['update'])) checkSize(given['update']);
    const checked = await checkedUpdate(context, given['update']);
    checkUnknown(pathsOf(checked).filter((path)=>typeAt(context.model.schema, path).kind === 'unknown').length, checked);
    const filter = await sparingOneself(context, filterOf(context, given['filter'], many), setBy(given['update']));
    if (many || !namesOne(filter)) refuseKindPaths(context.model, pathsOf(checked));
    return {
        kind: 'update',
        many,
        filter,
        update: checked,
        numbered: numberedKeys(context.model.schema, pathsOf(checked)),
        upsert: upsertOf(context, upsert),
        grant
    };
}
async function replaceOne(context, given, grant) {
    const replacement = await bodyValues(context, given['replacement'], 'replacement');
    return {
        kind: 'replace',
        filter: await sparingOneself(context, filterOf(context, given['filter'], false), given['replacement']),
        replacement,
        upsert: upsertOf(context, given['upsert']),
        grant
    };
}
function remove(context, given, grant, many) {
    return Promise.resolve({
        kind: 'delete',
        many,
        filter: filterOf(context, given['filter'], many),
        grant
    });
}
/** An operation without a filter, or with an empty one, is a mistake; only an admin's *Many means all. */ function filterOf(context, given, emptyAllowed) {
    if (!isPlain(given)) throw badBody('filter must be an object');
    const filter = filterFromJson(given, context.model.schema, context.services.clock());
    if (!emptyAllowed && isEmpty(filter)) throw badBody('filter must not be empty');
    return filter;
}
/** What an update sets, as the caller names it. */ const setBy = (update)=>{
    const { $set } = update;
    return isPlain($set) ? $set : update;
};
/** Whether a filter says nothing of documents, also in its alternatives. */ const isEmpty = (filter)=>Object.entries(filter).every(([key, members])=>key === '$and' && members.every(isEmpty) || key === '$or' && members.some(isEmpty));
function upsertOf(context, upsert) {
    if (upsert !== undefined && typeof upsert !== 'boolean') throw badBody('upsert must be true or false');
    if (upsert === true) needed(context, 'c', 'upsert');
    return upsert === true;
}
