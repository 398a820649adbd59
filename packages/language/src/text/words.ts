/** Splits a text into words, drops stop words and stems the rest. */
import type { Language } from './language.ts';

const separators = /[\p{Dash}\p{Pattern_Syntax}\p{Quotation_Mark}\p{Terminal_Punctuation}\p{White_Space}]+/u;
/** In English an apostrophe is a part of a word. */
const separatorsOfEnglish =
  /(?:(?!['’])[\p{Dash}\p{Pattern_Syntax}\p{Quotation_Mark}\p{Terminal_Punctuation}\p{White_Space}])+/u;
const accents = /\p{Mn}+/gu;
const ascii = /^[\x20-\x7e]*$/;

/** The significant differences between words. */
export interface Exactness {
  readonly caseSensitive: boolean;
  readonly diacriticSensitive: boolean;
}

/** The exactness of an index: without case and diacritics. */
export const loose: Exactness = { caseSensitive: false, diacriticSensitive: false };

/** Removes diacritics. */
const withoutAccents = (text: string): string =>
  ascii.test(text) ? text : text.normalize('NFD').replace(accents, '').normalize('NFC');

/** Folds a text for comparison. */
export function folded(text: string, { caseSensitive, diacriticSensitive }: Exactness): string {
  const cased = caseSensitive ? text : text.toLowerCase();
  return diacriticSensitive ? cased : withoutAccents(cased);
}

interface Reading {
  readonly language: Language;
  readonly exactness: Exactness;
}

/** Maximum cached stems per language. */
const memory = 50_000;

/** Reads words and caches their stems, which are slow to compute. */
export class Words {
  /** By language and exactness, then by word. */
  readonly #stems = new Map<string, Map<string, string | undefined>>();

  /** The stems of a text in order, without stop words. */
  of(text: string, language: Language, exactness: Exactness = loose): readonly string[] {
    const stems: string[] = [];
    const known = this.#knownOf(language, exactness);
    for (const word of text.split(language.name === 'english' ? separatorsOfEnglish : separators)) {
      const stem = word === '' ? undefined : this.#stem(word, known, { language, exactness });
      if (stem !== undefined) stems.push(stem);
    }
    return stems;
  }

  #knownOf(language: Language, { caseSensitive, diacriticSensitive }: Exactness): Map<string, string | undefined> {
    const key = `${language.name} ${Number(caseSensitive)}${Number(diacriticSensitive)}`;
    const known = this.#stems.get(key) ?? new Map<string, string | undefined>();
    this.#stems.set(key, known);
    return known;
  }

  #stem(word: string, known: Map<string, string | undefined>, { language, exactness }: Reading): string | undefined {
    const stem = known.get(word);
    if (stem !== undefined || known.has(word)) return stem;
    if (known.size >= memory) known.clear();
    const own = detached(word);
    const found = stemOf(own, language, exactness);
    known.set(own, found);
    return found;
  }
}

/** A copy: V8 keeps the whole text in memory for a long word that was cut from it. */
const detached = (word: string): string => ` ${word}`.slice(1);

function stemOf(
  word: string,
  language: Language,
  { caseSensitive, diacriticSensitive }: Exactness,
): string | undefined {
  const lower = word.toLowerCase();
  if (language.stops.has(lower)) return undefined;
  const stem = language.stem(caseSensitive ? word : lower);
  return diacriticSensitive ? stem : withoutAccents(stem);
}
