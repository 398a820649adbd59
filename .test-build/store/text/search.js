/** How a search text is read: words that may occur, phrases that must, and both that must not. */ import { unknownName } from "../errors.js";
import { languageOf } from "./language.js";
import { loose } from "./words.js";
/** A word or a quoted phrase, and whether a minus stands before it. */ const piece = /(-?)"([^"]*)"?|([^\s"]+)/g;
/**
 * Reads a search.
 * @throws StoreError 2 for a language that isn't known
 */ export function readSearch(query, words, ownLanguage) {
    const language = query.language === undefined ? ownLanguage : languageOf(query.language);
    if (language === undefined) throw unknownName(2, `unsupported language: "${query.language ?? ''}" for text index version 3`);
    const pieces = [
        ...query.search.matchAll(piece)
    ].flatMap(piecesOf);
    const wanted = pieces.filter(({ excluded })=>!excluded);
    const unwanted = pieces.filter(({ excluded, phrase })=>excluded && !phrase);
    const stems = (given, exactness)=>new Set(given.flatMap(({ text })=>words.of(text, language, exactness)));
    return {
        terms: stems(wanted, loose),
        exactTerms: stems(wanted, query),
        excludedTerms: stems(unwanted, query),
        phrases: wanted.filter(({ phrase })=>phrase).map(({ text })=>text),
        excludedPhrases: pieces.filter(({ excluded, phrase })=>excluded && phrase).map(({ text })=>text),
        language,
        exactness: query
    };
}
function piecesOf([, minus = '', quoted, word = '']) {
    if (quoted !== undefined) return [
        {
            text: quoted,
            phrase: true,
            excluded: minus === '-'
        }
    ];
    const excluded = word.startsWith('-');
    return [
        {
            text: excluded ? word.slice(1) : word,
            phrase: false,
            excluded
        }
    ];
}
