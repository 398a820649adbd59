/** How a text becomes words: where they end, which don't count, and their stems. */
import type { Language } from './language.ts';

const separators = /[\p{Dash}\p{Pattern_Syntax}\p{Quotation_Mark}\p{Terminal_Punctuation}\p{White_Space}]+/u;
/** In English an apostrophe is a part of a word. */
const separatorsOfEnglish =
  /(?:(?!['’])[\p{Dash}\p{Pattern_Syntax}\p{Quotation_Mark}\p{Terminal_Punctuation}\p{White_Space}])+/u;
const accents = /\p{Mn}+/gu;
const ascii = /^[\x20-\x7e]*$/;

/** Which differences between words count. */
export interface Exactness {
  readonly caseSensitive: boolean;
  readonly diacriticSensitive: boolean;
}

/** What an index keeps: words without case and accents. */
export const loose: Exactness = { caseSensitive: false, diacriticSensitive: false };

/** A text without its accents. */
const withoutAccents = (text: string): string =>
  ascii.test(text) ? text : text.normalize('NFD').replace(accents, '').normalize('NFC');

/** A text as it's compared. */
export function folded(text: string, { caseSensitive, diacriticSensitive }: Exactness): string {
  const cased = caseSensitive ? text : text.toLowerCase();
  return diacriticSensitive ? cased : withoutAccents(cased);
}

/** How many stems are remembered. */
const memory = 50_000;

/** Reads words, and remembers their stems, which take long to find. */
export class Words {
  readonly #stems = new Map<string, string | undefined>();

  /** The stems of a text's words, in order; stop words are left out. */
  of(text: string, language: Language, exactness: Exactness = loose): readonly string[] {
    const stems: string[] = [];
    for (const word of text.split(language.name === 'english' ? separatorsOfEnglish : separators)) {
      const stem = word === '' ? undefined : this.#stem(word, language, exactness);
      if (stem !== undefined) stems.push(stem);
    }
    return stems;
  }

  #stem(word: string, language: Language, exactness: Exactness): string | undefined {
    const key = `${language.name} ${Number(exactness.caseSensitive)}${Number(exactness.diacriticSensitive)} ${word}`;
    if (this.#stems.has(key)) return this.#stems.get(key);
    if (this.#stems.size >= memory) this.#stems.clear();
    const stem = stemOf(word, language, exactness);
    this.#stems.set(key, stem);
    return stem;
  }
}

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
