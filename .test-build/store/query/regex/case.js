/** Which code points a code point becomes when its case changes, as regular expressions without case compare them. */ /** No code point beyond this one has a case. */ const lastCased = 0x1e943;
/** A code point, and another that is the same without case. Two code points that are the same without case share a third, or are a pair. */ export const casePairs = Array.from({
    length: lastCased + 1
}, (_, code)=>code).flatMap((code)=>variantsOf(code).map((other)=>[
            code,
            other
        ]));
function variantsOf(code) {
    const text = String.fromCodePoint(code);
    const upper = text.toUpperCase();
    const variants = new Set([
        text.toLowerCase(),
        upper,
        upper.toLowerCase()
    ].flatMap(single));
    variants.delete(code);
    return [
        ...variants
    ];
}
/** Several characters, such as those of the capital of ß, are no variant of one. */ function single(text) {
    const [only, ...more] = [
        ...text
    ];
    return only === undefined || more.length > 0 ? [] : [
        only.codePointAt(0) ?? 0
    ];
}
