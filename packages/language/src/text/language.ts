/** The languages of text search: stop words and stemmers. A language is loaded when it is first used, since most programs use one. */
import { createRequire } from 'node:module';
import type * as Stemmers from '@orama/stemmers/english';
import type * as Stopwords from '@orama/stopwords/english';

/** How the words of a language are read. */
export interface Language {
  readonly name: string;
  readonly stops: ReadonlySet<string>;
  stem(word: string): string;
}

const load = createRequire(import.meta.url);

const names: Readonly<Record<string, string>> = {
  da: 'danish',
  nl: 'dutch',
  en: 'english',
  fi: 'finnish',
  fr: 'french',
  de: 'german',
  hu: 'hungarian',
  it: 'italian',
  nb: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  es: 'spanish',
  sv: 'swedish',
  tr: 'turkish',
};
const known = new Map([...Object.entries(names).flat(), 'none'].map((name) => [name, names[name] ?? name]));

/** MongoDB's English list of stop words differs from the package's in a few words. */
const notEnglishStops: ReadonlySet<string> = new Set(['us', 'will', 'shall', 'can', 'may', 'might', 'must']);
const asInMongo = (words: readonly string[]): readonly string[] => [
  'a',
  ...words.filter((word) => !notEnglishStops.has(word)),
];

const loaded = new Map<string, Language>([['none', { name: 'none', stops: new Set(), stem: (word) => word }]]);

/** The language by name or two-letter code, in any case; undefined if unknown. */
export function languageOf(given: string): Language | undefined {
  const name = known.get(given.toLowerCase());
  if (name === undefined) return undefined;
  let language = loaded.get(name);
  if (language === undefined) {
    const { stemmer } = load(`@orama/stemmers/${name}`) as typeof Stemmers;
    const { stopwords } = load(`@orama/stopwords/${name}`) as typeof Stopwords;
    const stops = name === 'english' ? asInMongo(stopwords) : stopwords;
    language = { name, stops: new Set(stops), stem: stemmer };
    loaded.set(name, language);
  }
  return language;
}
