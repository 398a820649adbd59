/** Suggestions for misspelt names: parameters, fields, options. */ import leven, { closestMatch } from 'leven';
/** Longer names get no suggestion, so that a long name from a caller costs nothing. Any other letter is near to a single one. */ const maxLength = 60;
/**
 * The candidate that a misspelt name most likely means.
 * Upper and lower case count as equal. A third of the name may differ, and two letters of a short one (`lnik` → `link`).
 * @param candidates names that the reader of the message may see
 */ export function nearest(name, candidates) {
    if (name.length < 2 || name.length > maxLength) return undefined;
    const byLowerCase = new Map();
    for (const candidate of candidates)if (!byLowerCase.has(candidate.toLowerCase())) byLowerCase.set(candidate.toLowerCase(), candidate);
    const maxDistance = name.length < 4 ? 1 : Math.max(2, Math.floor(name.length / 3));
    const found = closestMatch(name.toLowerCase(), [
        ...byLowerCase.keys()
    ], {
        maxDistance
    });
    return found === undefined ? undefined : byLowerCase.get(found);
}
/** `; did you mean "status"?` to end a message with. */ export const didYouMean = (name)=>`; did you mean ${JSON.stringify(name)}?`;
/** The same for the nearest of the candidates, or nothing where none is near. */ export function suggestion(name, candidates) {
    const found = nearest(name, candidates);
    return found === undefined ? '' : didYouMean(found);
}
/**
 * The candidate of which a name is clearly a misspelling: the same first letter, and two neighbouring letters in the wrong order, one
 * letter too many or too few, another letter (from five letters on), or two such differences (from eight letters on). This is
 * stricter than `nearest`, for names that other software may also use.
 */ export function misspelt(name, candidates) {
    return nearest(name, [
        ...candidates
    ].filter((candidate)=>isSlip(name.toLowerCase(), candidate.toLowerCase())));
}
function isSlip(name, candidate) {
    if (candidate.length < 4 || name[0] !== candidate[0]) return false;
    const distance = leven(name, candidate);
    if (distance <= 1) return name.length !== candidate.length || candidate.length >= 5 || distance === 0;
    return distance === 2 && (candidate.length >= 8 || isSwap(name, candidate));
}
/** Whether two texts differ by two neighbouring letters in the wrong order. */ function isSwap(one, other) {
    const at = [
        ...one
    ].findIndex((letter, index)=>letter !== other[index]);
    return other === one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2);
}
