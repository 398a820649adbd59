/** Parses a search string: optional terms, required phrases, and excluded terms and phrases. */
import { unknownName } from '../errors.ts';
import type { TextQuery } from '../query/index.ts';
import { type Language, languageOf } from './language.ts';
import type { Exactness, Words } from './words.ts';
import { loose } from './words.ts';

/** A parsed search. */
export interface Search {
  /** The stems to look up in the index, whatever the exactness. */
  readonly terms: ReadonlySet<string>;
  /** The stems to check in the texts, if case or diacritics are significant. */
  readonly exactTerms: ReadonlySet<string>;
  readonly excludedTerms: ReadonlySet<string>;
  readonly phrases: readonly string[];
  readonly excludedPhrases: readonly string[];
  readonly language: Language;
  readonly exactness: Exactness;
}

/** A word or a quoted phrase, and whether a minus precedes it. */
const piece = /(-?)"([^"]*)"?|([^\s"]+)/g;

/** Parses a search string. @throws StoreError 2 for an unknown language */
export function readSearch(query: TextQuery, words: Words, ownLanguage: Language): Search {
  const language = query.language === undefined ? ownLanguage : languageOf(query.language);
  if (language === undefined)
    throw unknownName(2, `unsupported language: "${query.language ?? ''}" for text index version 3`);
  const pieces = [...query.search.matchAll(piece)].flatMap(piecesOf);
  const wanted = pieces.filter(({ excluded }) => !excluded);
  const unwanted = pieces.filter(({ excluded, phrase }) => excluded && !phrase);
  const stems = (given: readonly Piece[], exactness: Exactness): ReadonlySet<string> =>
    new Set(given.flatMap(({ text }) => words.of(text, language, exactness)));
  return {
    terms: stems(wanted, loose),
    exactTerms: stems(wanted, query),
    excludedTerms: stems(unwanted, query),
    phrases: wanted.filter(({ phrase }) => phrase).map(({ text }) => text),
    excludedPhrases: pieces.filter(({ excluded, phrase }) => excluded && phrase).map(({ text }) => text),
    language,
    exactness: query,
  };
}

interface Piece {
  readonly text: string;
  readonly phrase: boolean;
  readonly excluded: boolean;
}

function piecesOf([, minus = '', quoted, word = '']: RegExpExecArray): readonly Piece[] {
  if (quoted !== undefined) return [{ text: quoted, phrase: true, excluded: minus === '-' }];
  const excluded = word.startsWith('-');
  return [{ text: excluded ? word.slice(1) : word, phrase: false, excluded }];
}
