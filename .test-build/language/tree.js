/** The query string as plain data, and the readers of single values in it. */ import { badParameter } from "../errors.js";
export const isTree = (value)=>typeof value === 'object' && value !== null && !Array.isArray(value);
/** The one text of a parameter; undefined when it is not given. @throws 400 when given twice or with brackets */ export function textOf(query, name) {
    const value = query[name];
    if (value === undefined || typeof value === 'string') return value;
    throw badParameter(name, 'takes one value');
}
/** A flag: `1` or `true`, `0`, `false` or empty. @throws 400 for anything else */ export function flagOf(query, name) {
    const text = textOf(query, name);
    if (text === undefined || text === '' || text === '0' || text === 'false') return false;
    if (text === '1' || text === 'true') return true;
    throw badParameter(name, 'must be 1 or true, 0 or false');
}
/** A whole number from 1 on. @throws 400 for anything else */ export function wholeOf(query, name) {
    const text = textOf(query, name);
    if (text === undefined) return undefined;
    if (!/^\d{1,15}$/.test(text) || Number(text) < 1) throw badParameter(name, 'must be a whole number from 1 on');
    return Number(text);
}
/** Names separated by commas, or given as a list. @throws 400 for nested brackets */ export function namesOf(value, name) {
    if (value === undefined) return [];
    if (typeof value === 'string') return value.split(',').map((part)=>part.trim()).filter((part)=>part !== '');
    if (!Array.isArray(value)) throw badParameter(name, 'takes names separated by commas');
    return value.flatMap((member)=>{
        if (typeof member !== 'string') throw badParameter(name, 'takes names');
        return namesOf(member, name);
    });
}
