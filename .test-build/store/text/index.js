/** A text index: which documents have which words, and how well a search finds each. */ import { MergedPostings } from "./merged.js";
import { Postings } from "./postings.js";
import { readSearch } from "./search.js";
import { readTextSpec, textsOf } from "./spec.js";
import { folded, Words } from "./words.js";
/** Postings that are read for one batch of hits. */ const minBatchWork = 1024;
/** The words of a collection's documents. */ export class TextIndexData {
    #spec;
    #words = new Words();
    #postings = new Postings();
    /** @throws StoreError 67 for a definition that MongoDB would refuse */ constructor(definition){
        this.#spec = readTextSpec(definition);
    }
    /**
   * The stems of a document, with what each counts.
   * @throws StoreError 17261 or 17262 when it names a language that isn't known
   */ read(doc) {
        const scores = new Map();
        for (const field of textsOf(doc, this.#spec))addScores(scores, field, this.#words.of(field.text, field.language));
        return scores;
    }
    /** Adds a document by its number. A document that is there already with the same words stays as it is. */ add(sequence, terms) {
        for (const [term, score] of terms)this.#postings.put(term, sequence, score);
    }
    /** Takes a document away, which had these words. */ remove(sequence, terms) {
        for (const term of terms.keys())this.#postings.delete(term, sequence);
    }
    /**
   * Searches. Documents that come after the last one are not found.
   * @throws StoreError 2 for a language that isn't known
   */ search(query, last = Number.MAX_SAFE_INTEGER) {
        const search = readSearch(query, this.#words, this.#spec.language);
        const checksTexts = needsTexts(search);
        return {
            hits: this.#hits(search, last),
            holds: checksTexts ? (doc)=>this.#passes(doc, search) : ()=>true
        };
    }
    /** Each batch is found by the index as it is when the batch is asked for. */ *#hits(search, last) {
        const wanted = new MergedPostings(this.#postings.listsOf(search.terms));
        const excluded = new MergedPostings(this.#postings.listsOf(isExact(search) ? [] : search.excludedTerms));
        const batchWork = Math.max(minBatchWork, wanted.size + excluded.size);
        for(let from = 0; from <= last; from += 1){
            wanted.reload(from);
            excluded.reload(from);
            const hits = [];
            const end = wanted.work + excluded.work + batchWork;
            while(wanted.sequence <= last && wanted.work + excluded.work < end){
                from = wanted.sequence;
                const score = wanted.takeScore();
                excluded.seek(from);
                if (excluded.sequence !== from) hits.push({
                    sequence: from,
                    score
                });
            }
            if (hits.length > 0 || wanted.sequence <= last) yield hits;
            if (wanted.sequence > last) return;
        }
    }
    /** Holds the texts of a document against what the index alone can't answer. */ #passes(doc, search) {
        const texts = textsOf(doc, this.#spec);
        const { exactness } = search;
        if (isExact(search) && !this.#hasExactly(texts, search)) return false;
        const plain = texts.map(({ text })=>folded(text, exactness));
        const hasPhrase = (phrase)=>plain.some((text)=>text.includes(folded(phrase, exactness)));
        return search.phrases.every(hasPhrase) && !search.excludedPhrases.some(hasPhrase);
    }
    #hasExactly(texts, { exactness, exactTerms, excludedTerms }) {
        const stems = new Set(texts.flatMap(({ text, language })=>this.#words.of(text, language, exactness)));
        return [
            ...exactTerms
        ].some((term)=>stems.has(term)) && ![
            ...excludedTerms
        ].some((term)=>stems.has(term));
    }
}
const isExact = ({ exactness })=>exactness.caseSensitive || exactness.diacriticSensitive;
const needsTexts = (search)=>isExact(search) || search.phrases.length + search.excludedPhrases.length > 0;
/** Adds what each stem of one text counts: more in a short text, and more when it is the whole text. */ function addScores(scores, { text, weight }, stems) {
    const frequencies = new Map();
    for (const stem of stems){
        const frequency = frequencies.get(stem) ?? {
            count: 0,
            worth: 0
        };
        frequency.worth += 0.5 ** frequency.count;
        frequency.count += 1;
        frequencies.set(stem, frequency);
    }
    const whole = text.toLowerCase();
    for (const [stem, { count, worth }] of frequencies){
        const share = 0.5 * count / stems.length + 0.5;
        const bonus = whole === stem ? 1.1 : 1;
        scores.set(stem, (scores.get(stem) ?? 0) + weight * worth * share * bonus);
    }
}
