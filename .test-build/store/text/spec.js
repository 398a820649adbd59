/** What a text index covers: fields with their weights, and the languages of their texts. */ import { StoreError } from "../errors.js";
import { toDouble } from "../values/number.js";
import { isDoc } from "../values/kind.js";
import { languageOf } from "./language.js";
const wildcard = '$**';
const largestWeight = 99_999;
/**
 * Reads the definition of a text index.
 * @throws StoreError 67 for one that MongoDB would refuse
 */ export function readTextSpec(definition) {
    const weights = weightsOf(definition);
    const { default_language: language = 'english', language_override: field = 'language' } = definition;
    const found = typeof language === 'string' ? languageOf(language) : undefined;
    if (found === undefined) throw new StoreError(67, 'default_language is not valid');
    if (typeof field !== 'string' || field === '' || field.startsWith('$') || field.includes('.')) {
        throw new StoreError(67, 'language_override is not valid');
    }
    const everything = weights.get(wildcard);
    weights.delete(wildcard);
    return {
        weights,
        everything,
        language: found,
        languageField: field
    };
}
/**
 * The weight of each text field of an index, and of `$**`.
 * @throws StoreError 67 for a weight that is none
 */ export function weightsOf({ key, weights }) {
    const found = new Map();
    for (const [path, kind] of Object.entries(isDoc(key) ? key : {})){
        if (kind === 'text' && path !== '_fts') found.set(path, 1);
    }
    for (const [path, weight] of Object.entries(isDoc(weights) ? weights : {}))found.set(path, readWeight(weight));
    if (weights === wildcard) found.set(wildcard, 1);
    return found;
}
function readWeight(value) {
    const weight = toDouble(value);
    if (weight === undefined) throw new StoreError(67, 'weight for text index needs numeric type');
    if (!(weight >= 1 && weight <= largestWeight)) {
        throw new StoreError(67, `text index weight must be in the exclusive interval (0,${largestWeight + 1}) but found: ${weight}`);
    }
    return Math.trunc(weight);
}
/** All texts of a document that the index covers. A document inside may name its own language. */ export function textsOf(doc, spec) {
    const found = [];
    collectDoc({
        spec,
        found
    }, doc, '', spec.language);
    return found;
}
function collectDoc(into, doc, prefix, outer) {
    const language = languageIn(doc, into.spec, outer);
    for (const [name, value] of Object.entries(doc)){
        if (name === into.spec.languageField) continue;
        collectValue(into, value, prefix + name, language);
    }
}
function collectValue(into, value, path, language) {
    if (typeof value === 'string') {
        const weight = into.spec.weights.get(path) ?? into.spec.everything;
        if (weight !== undefined) into.found.push({
            text: value,
            weight,
            language
        });
    } else if (isDoc(value)) collectDoc(into, value, `${path}.`, language);
    else if (Array.isArray(value)) for (const member of value)collectValue(into, member, path, language);
}
function languageIn(doc, { languageField }, outer) {
    if (!Object.hasOwn(doc, languageField)) return outer;
    const name = doc[languageField];
    if (typeof name !== 'string') {
        throw new StoreError(17261, 'found language override field in document with non-string type');
    }
    const language = languageOf(name);
    if (language === undefined) throw new StoreError(17262, `language override unsupported: ${name}`);
    return language;
}
