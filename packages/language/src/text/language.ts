/** The languages of text search: stop words and stemmers. */
import { stemmer as danishStem } from '@orama/stemmers/danish';
import { stemmer as dutchStem } from '@orama/stemmers/dutch';
import { stemmer as englishStem } from '@orama/stemmers/english';
import { stemmer as finnishStem } from '@orama/stemmers/finnish';
import { stemmer as frenchStem } from '@orama/stemmers/french';
import { stemmer as germanStem } from '@orama/stemmers/german';
import { stemmer as hungarianStem } from '@orama/stemmers/hungarian';
import { stemmer as italianStem } from '@orama/stemmers/italian';
import { stemmer as norwegianStem } from '@orama/stemmers/norwegian';
import { stemmer as portugueseStem } from '@orama/stemmers/portuguese';
import { stemmer as romanianStem } from '@orama/stemmers/romanian';
import { stemmer as russianStem } from '@orama/stemmers/russian';
import { stemmer as spanishStem } from '@orama/stemmers/spanish';
import { stemmer as swedishStem } from '@orama/stemmers/swedish';
import { stemmer as turkishStem } from '@orama/stemmers/turkish';
import { stopwords as danishStops } from '@orama/stopwords/danish';
import { stopwords as dutchStops } from '@orama/stopwords/dutch';
import { stopwords as englishStops } from '@orama/stopwords/english';
import { stopwords as finnishStops } from '@orama/stopwords/finnish';
import { stopwords as frenchStops } from '@orama/stopwords/french';
import { stopwords as germanStops } from '@orama/stopwords/german';
import { stopwords as hungarianStops } from '@orama/stopwords/hungarian';
import { stopwords as italianStops } from '@orama/stopwords/italian';
import { stopwords as norwegianStops } from '@orama/stopwords/norwegian';
import { stopwords as portugueseStops } from '@orama/stopwords/portuguese';
import { stopwords as romanianStops } from '@orama/stopwords/romanian';
import { stopwords as russianStops } from '@orama/stopwords/russian';
import { stopwords as spanishStops } from '@orama/stopwords/spanish';
import { stopwords as swedishStops } from '@orama/stopwords/swedish';
import { stopwords as turkishStops } from '@orama/stopwords/turkish';

/** How the words of a language are read. */
export interface Language {
  readonly name: string;
  readonly stops: ReadonlySet<string>;
  stem(word: string): string;
}

const language = (name: string, stops: readonly string[], stem: (word: string) => string): Language => ({
  name,
  stops: new Set(stops),
  stem,
});

/** MongoDB's English list of stop words differs from this one in a few words. */
const notEnglishStops: ReadonlySet<string> = new Set(['us', 'will', 'shall', 'can', 'may', 'might', 'must']);
const mongoEnglishStops = ['a', ...englishStops.filter((word) => !notEnglishStops.has(word))];

const languages: readonly (readonly [code: string, language: Language])[] = [
  ['da', language('danish', danishStops, danishStem)],
  ['nl', language('dutch', dutchStops, dutchStem)],
  ['en', language('english', mongoEnglishStops, englishStem)],
  ['fi', language('finnish', finnishStops, finnishStem)],
  ['fr', language('french', frenchStops, frenchStem)],
  ['de', language('german', germanStops, germanStem)],
  ['hu', language('hungarian', hungarianStops, hungarianStem)],
  ['it', language('italian', italianStops, italianStem)],
  ['nb', language('norwegian', norwegianStops, norwegianStem)],
  ['pt', language('portuguese', portugueseStops, portugueseStem)],
  ['ro', language('romanian', romanianStops, romanianStem)],
  ['ru', language('russian', russianStops, russianStem)],
  ['es', language('spanish', spanishStops, spanishStem)],
  ['sv', language('swedish', swedishStops, swedishStem)],
  ['tr', language('turkish', turkishStops, turkishStem)],
  ['none', language('none', [], (word) => word)],
];

const byName: ReadonlyMap<string, Language> = new Map(
  languages.flatMap(([code, found]): readonly (readonly [string, Language])[] => [
    [code, found],
    [found.name, found],
  ]),
);

/** The language by name or two-letter code, in any case; undefined if unknown. */
export const languageOf = (name: string): Language | undefined => byName.get(name.toLowerCase());
