/** The forms in which a date may be written when no format is given: those of MongoDB that name the year in full. */

/** The parsed parts of a date, by name. */
export type Parts = ReadonlyMap<string, string>;

const weekday =
  '(?:(?<weekday>sun(?:day)?|mon(?:day)?|tue(?:s|sday)?|wed(?:nesday)?|thu(?:rs?|rsday)?|fri(?:day)?|sat(?:urday)?)(?:\\s*,\\s*|\\s+))?';
const year = '(?<year>\\d{4})';
const monthName = '(?<monthName>[a-z]{3,9})';
const day = '(?<day>\\d{1,2})';
const ordinalDay = `${day}(?:st|nd|rd|th)?`;
const time =
  '(?<hour>\\d{1,2})(?::?(?<minute>\\d{2})(?::?(?<second>\\d{2})(?:[.,](?<fraction>\\d{1,9}))?)?)?(?:\\s*(?<half>[ap])\\.?m\\b\\.?)?';
const laterTime = `(?:(?:T|\\s*,\\s*|\\s+)${time})?`;
const zone = '(?:\\s*(?<zone>[a-z]{1,4}|(?:GMT)?[+-]\\d{1,2}(?::?\\d{2})?))?';

const forms = [
  `${year}-(?<month>\\d{1,2})(?:-${day})?${laterTime}${zone}`,
  `${weekday}${ordinalDay}[ .-]*${monthName}[ .-]*,?\\s*${year}${laterTime}${zone}`,
  `${weekday}${monthName}[ .-]*${ordinalDay}[-,.\\s]+${year}${laterTime}${zone}`,
  `${weekday}${monthName}\\s+${ordinalDay}\\s+${time}\\s+${year}${zone}`,
  `${monthName}[ .-]*${year}`,
].map((form) => new RegExp(`^\\s*${form}\\s*$`, 'i'));

/** The parts of a date that is written in one of the forms; undefined for other texts. */
export function partsOf(text: string): Parts | undefined {
  for (const form of forms) {
    const found = form.exec(text)?.groups;
    if (found !== undefined)
      return new Map(Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined));
  }
  return undefined;
}
