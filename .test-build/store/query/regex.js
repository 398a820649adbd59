/** Regular expressions as MongoDB has them (PCRE's language), in a time that the length of the text bounds. */ import { RE2JS } from 're2js';
import { notSupported, StoreError } from "../errors.js";
import { sizeOf, stepsFor } from "./regex/cost.js";
import { invalid } from "./regex/cursor.js";
import { foldingOf, isRegular, toLinear, toNative } from "./regex/emit.js";
import { MeteredText } from "./regex/metered-text.js";
import { parsePattern } from "./regex/parse.js";
import { trimmed } from "./regex/trim.js";
/** The most steps that a pattern may take in a text of a length, whichever engine runs it. */ export function regexSteps(pattern, flags) {
    const node = trimmed(parsePattern(pattern, readFlags(flags)));
    const native = stepsFor(node);
    const linear = (length)=>(length + 1) * sizeOf(node) * linearFactor;
    if (!isRegular(node)) return native;
    if (foldingOf(node) === 'some') return linear;
    return (length)=>native(length) <= quickSteps ? native(length) : linear(length);
}
/** Steps of the linear engine that take as long as one of the backtracking engine, for each part of the pattern. */ const linearFactor = 20;
const maxLength = 16_384;
/** Up to so many steps the engine that may backtrack is the quicker one. */ const quickSteps = 2_000_000;
/** Steps of the backtracking engine that count as one step of a command. */ const stepsPerCharge = 100;
/** Products of a text's length and a pattern's size from which the linear engine's work is counted. */ const longWork = 100_000;
/** More steps are refused where the linear engine can't help. */ const mostSteps = 50_000_000;
/**
 * Makes a regular expression. JavaScript's own engine is used where its steps are few for the text at hand, and one whose
 * time is linear otherwise.
 * @throws StoreError 51091 for a pattern and 51108 for flags that aren't valid, 115 for what this store can't do
 */ export function compileRegex(pattern, flags) {
    if (pattern.includes('\0')) throw new StoreError(2, 'Regular expression cannot contain an embedded null byte');
    if (pattern.length > maxLength) throw invalid('regular expression is too large');
    const node = trimmed(parsePattern(pattern, readFlags(flags)));
    const folding = foldingOf(node);
    if (!isRegular(node)) {
        if (folding === 'some') throw notSupported('a regular expression with both look-arounds and changes of case');
        return backtracking(node, folding === 'all');
    }
    return folding === 'some' ? linearRegex(node) : either(node, folding === 'all');
}
const known = new Set([
    'i',
    'm',
    's',
    'x',
    'u'
]);
function readFlags(flags) {
    for (const flag of flags){
        if (!known.has(flag)) throw new StoreError(51108, `invalid flag in regex options: ${flag}`);
    }
    return {
        i: flags.includes('i'),
        m: flags.includes('m'),
        s: flags.includes('s'),
        x: flags.includes('x')
    };
}
function nativeRegex(node, fold) {
    try {
        return new RegExp(toNative(node), fold ? 'iu' : 'u');
    } catch  {
        throw invalid('the pattern is too large or not allowed');
    }
}
function linearRegex(node) {
    const regex = compileLinear(node);
    const size = regex.programSize();
    return {
        test: (text, charge)=>charge === undefined || text.length * size < longWork ? regex.test(text) : regex.test(new MeteredText(text, size, charge))
    };
}
function compileLinear(node) {
    try {
        return RE2JS.compile(toLinear(node));
    } catch  {
        throw notSupported('a regular expression with so large a repetition');
    }
}
/** The quicker engine for the text at hand; the linear one is made when it is first needed. */ function either(node, fold) {
    const native = nativeRegex(node, fold);
    const steps = stepsFor(node);
    const isQuick = (length)=>steps(length) <= quickSteps;
    const quickLength = largestLength(isQuick);
    let linear;
    return {
        test: (text, charge)=>{
            if (text.length <= quickLength) return native.test(text);
            linear ??= linearRegex(node);
            return linear.test(text, charge);
        }
    };
}
/** The longest text that passes a test which longer ones fail. */ function largestLength(passes) {
    let least = 0;
    let most = 2 ** 24;
    if (!passes(least)) return -1;
    while(most - least > 1){
        const middle = Math.floor((least + most) / 2);
        if (passes(middle)) least = middle;
        else most = middle;
    }
    return least;
}
function backtracking(node, fold) {
    const native = nativeRegex(node, fold);
    const steps = stepsFor(node);
    return {
        test: (text, charge)=>{
            const needed = steps(text.length);
            if (needed > mostSteps) {
                throw new StoreError(51156, 'the regular expression could take too long for a text of this length');
            }
            charge?.(needed / stepsPerCharge);
            return native.test(text);
        }
    };
}
