/** Reads a command's arguments by type, with MongoDB's errors for the wrong ones. */ import { StoreError, unknownName } from "../errors.js";
import { checkCollectionName } from "../engine/names.js";
import { toDouble } from "../values/number.js";
import { decode } from "../values/decode.js";
import { isDoc } from "../values/kind.js";
/** @throws StoreError 14 saying which field has the wrong type */ function wrongType(name, expected) {
    return new StoreError(14, `BSON field '${name}' is the wrong type, expected type '${expected}'`);
}
const missing = (name)=>new StoreError(40414, `BSON field '${name}' is missing but a required field`);
const absent = (value)=>value === undefined || value === null;
/** A document, or undefined. */ export function docOf(from, name) {
    const value = from[name];
    if (absent(value)) return undefined;
    if (!isDoc(value)) throw wrongType(name, 'object');
    return value;
}
/** A list of documents, or undefined. */ export function docsOf(from, name) {
    const value = from[name];
    if (absent(value)) return undefined;
    if (!Array.isArray(value)) throw wrongType(name, 'array');
    return value.map((member, at)=>{
        if (!isDoc(member)) throw wrongType(`${name}.${at}`, 'object');
        return member;
    });
}
/** A list that must be there. */ export function neededDocs(from, name) {
    const list = docsOf(from, name);
    if (list === undefined) throw missing(name);
    return list;
}
/** A text, or undefined. */ export function textOf(from, name) {
    const value = from[name];
    if (absent(value)) return undefined;
    if (typeof value !== 'string') throw wrongType(name, 'string');
    return value;
}
/** A text that must be there. */ export function neededText(from, name) {
    const text = textOf(from, name);
    if (text === undefined) throw missing(name);
    return text;
}
/** Yes or no; numbers count, as they do in MongoDB. */ export function flagOf(from, name, otherwise = false) {
    const value = from[name];
    if (absent(value)) return otherwise;
    if (typeof value === 'boolean') return value;
    const number = toDouble(value);
    if (number === undefined) throw wrongType(name, 'bool');
    return number !== 0;
}
/** A whole number that is not negative. */ export function countOf(from, name, otherwise) {
    const value = from[name];
    if (absent(value)) return otherwise;
    const number = toDouble(value);
    if (number === undefined) throw wrongType(name, 'long');
    const whole = Math.trunc(number);
    if (Number.isNaN(whole)) throw new StoreError(9, `BSON field '${name}' is not a whole number`);
    if (whole < 0) throw new StoreError(2, `BSON field '${name}' value must be >= 0, actual value '${whole}'`);
    return whole;
}
/** The number of a retryable write or a transaction; undefined for what is no number. @throws StoreError 14 for NaN or Infinity */ export function bigOf(value) {
    if (typeof value === 'bigint') return value;
    const number = toDouble(value);
    if (number === undefined) return undefined;
    if (!Number.isFinite(number)) throw wrongType('txnNumber', 'long');
    return BigInt(Math.trunc(number));
}
/** The collection that a command names as its own value. */ export function collectionOf(context) {
    return collectionNamed(Object.values(context.body)[0]);
}
/** A collection's name as a value. */ export function collectionNamed(value) {
    if (typeof value !== 'string') throw new StoreError(73, 'collection name has invalid type');
    if (value.startsWith('$cmd') || value.startsWith('system.')) return value;
    return checkCollectionName(value);
}
/**
 * A list of statements: as it came beside the body, or within it.
 * @throws StoreError 2 when there are none or more than 100,000
 */ export function statementsOf(context, name) {
    const list = context.sequences.get(name);
    if (list === undefined) throw missing(`${Object.keys(context.body)[0] ?? ''}.${name}`);
    if (list.length === 0 || list.length > 100_000) {
        throw new StoreError(16, `Write batch sizes must be between 1 and 100000. Got ${list.length} operations.`);
    }
    return list;
}
/** A statement of a write command, whose fields must be known. */ export function statementOf(bytes, known, command) {
    const statement = decode(bytes);
    checkFields(statement, known, command);
    return statement;
}
/** @throws StoreError 40415 for a field that is not known */ export function checkFields(doc, known, where) {
    for (const name of Object.keys(doc)){
        if (!known.has(name)) throw unknownName(40415, `BSON field '${where}.${name}' is an unknown field.`);
    }
}
