/** The faults of texts in the source, and how they are repaired: one row for each fault. */

/** A fault of a text. `correct` returns a text without the fault unchanged. */
export interface TextFault {
  readonly fault: string;
  readonly correct: (text: string, year: number | undefined) => string;
}

const high = Array.from({ length: 128 }, (_, at) => 128 + at);

/** Latin-1, with the ellipsis of Windows. */
const meantBy = (byte: number): string => (byte === 0x85 ? '…' : String.fromCharCode(byte));

/** Western text that was decoded in the character set of an old Macintosh: what was read → what was meant. */
const misread = (() => {
  const read = [...new TextDecoder('macintosh').decode(Uint8Array.from(high))];
  return new Map(read.map((letter, at) => [letter, meantBy(128 + at)]));
})();

const isAscii = (letter: string): boolean => letter.charCodeAt(0) < 128;

function reread(text: string): string {
  const letters = [...text];
  return letters.every((letter) => isAscii(letter) || misread.has(letter))
    ? letters.map((letter) => misread.get(letter) ?? letter).join('')
    : text;
}

/** "Charge of the Light Brigade, The" → "The Charge of the Light Brigade". */
const articleFirst = (text: string): string => text.replace(/^(.+), (The|A|An|Das|Les)$/, '$2 $1');

/** "King Kong (1933)" → "King Kong", where the film is of that year. */
const withoutYear = (text: string, year: number | undefined): string =>
  year === undefined ? text : text.replace(` (${year})`, '');

const spaced = (text: string): string => text.replace(/\s+/g, ' ').trim();
const singleQuoted = (text: string): string => text.replaceAll('""', '"');

export const titleFaults: readonly TextFault[] = [
  { fault: 'titles in the wrong character set', correct: reread },
  { fault: 'titles with the article at the end', correct: articleFirst },
  { fault: 'titles with the year in them', correct: withoutYear },
  { fault: 'titles with double spaces', correct: spaced },
];

export const nameFaults: readonly TextFault[] = [
  { fault: 'names with doubled quotation marks', correct: singleQuoted },
  { fault: 'names with double spaces', correct: spaced },
];
