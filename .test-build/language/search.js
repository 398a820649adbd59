/** `search` → full text, or text in single fields as it is written, without case. */ import { badParameter, tooMany } from "../errors.js";
import { realPath } from "../registry/real-path.js";
import { checkKnown, checkPath } from "./names.js";
import { escaped } from "./regex.js";
import { isTree } from "./tree.js";
/** Where a list that is searched by text shows how well a document fits. */ export const scorePath = 'score';
const longest = 256;
const mostFields = 10;
/** What a caller searches for; undefined when nothing. @throws 400 */ export function searchFrom(value, schema) {
    if (value === undefined || value === '') return undefined;
    if (typeof value === 'string') return {
        text: checked('search', value),
        filters: []
    };
    if (!isTree(value)) throw badParameter('search', 'takes one text, or search[<field>]=<text>');
    const entries = Object.entries(value);
    if (entries.length > mostFields) throw tooMany('fields in search', mostFields);
    return {
        text: undefined,
        filters: entries.map(([name, text])=>inField(schema, name, text))
    };
}
function inField(schema, name, text) {
    const path = realPath(schema, name);
    checkPath(path);
    checkKnown(schema, path, 'search');
    if (typeof text !== 'string') throw badParameter(`search[${path}]`, 'takes one text');
    return {
        [path]: {
            $regex: escaped(checked(`search[${path}]`, text)),
            $options: 'i'
        }
    };
}
function checked(name, text) {
    if (text.length > longest) throw badParameter(name, `may have ${longest} characters at most`);
    if (text.includes('\0')) throw badParameter(name, 'must not hold a NUL');
    return text;
}
