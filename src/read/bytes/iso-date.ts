/** Writes dates in ISO 8601 as bytes, by arithmetic: several times faster than creating a Date and a string for each. */

const zero = 0x30;
const colon = 0x3a;
const point = 0x2e;
const zulu = 0x5a;
const dash = 0x2d;
const timeMark = 0x54;

const dayLength = 86_400_000;
/** Days from 1 March of the year 0 to 1 January 1970. */
const daysTo1970 = 719_468;
const daysOf400Years = 146_097;
/** The years that ISO 8601 writes with four digits, in milliseconds since 1970. */
const firstYear = Date.parse('0000-01-01T00:00:00Z');
const yearsEnd = Date.UTC(10_000, 0);

/** Whether a time is in the years that ISO 8601 writes with four digits. @param time milliseconds since 1970 */
export const hasFourDigitYear = (time: number): boolean => time >= firstYear && time < yearsEnd;

/** Writes the 24 characters of a date; its year must have four digits. @param time milliseconds since 1970 */
export function writeDate(out: Buffer, at: number, time: number): void {
  const day = Math.floor(time / dayLength);
  writeDay(out, at, day);
  writeTime(out, at + 11, time - day * dayLength);
}

/** Writes `YYYY-MM-DDT`. Years begin in March here, so that the leap day is the last day of a year. @param day days since 1970 */
function writeDay(out: Buffer, at: number, day: number): void {
  const sinceZero = day + daysTo1970;
  const era = Math.floor(sinceZero / daysOf400Years);
  const dayOfEra = sinceZero - era * daysOf400Years;
  const leaps = Math.floor(dayOfEra / 1460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leaps) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const month = Math.floor((5 * dayOfYear + 2) / 153);
  const year = yearOfEra + era * 400 + (month < 10 ? 0 : 1);
  twoDigits(out, at, Math.floor(year / 100));
  twoDigits(out, at + 2, year % 100);
  out[at + 4] = dash;
  twoDigits(out, at + 5, month < 10 ? month + 3 : month - 9);
  out[at + 7] = dash;
  twoDigits(out, at + 8, dayOfYear - Math.floor((153 * month + 2) / 5) + 1);
  out[at + 10] = timeMark;
}

/** Writes `hh:mm:ss.sssZ`. @param time milliseconds since midnight */
function writeTime(out: Buffer, at: number, time: number): void {
  const seconds = Math.floor(time / 1000);
  const minutes = Math.floor(seconds / 60);
  twoDigits(out, at, Math.floor(minutes / 60));
  out[at + 2] = colon;
  twoDigits(out, at + 3, minutes % 60);
  out[at + 5] = colon;
  twoDigits(out, at + 6, seconds % 60);
  out[at + 8] = point;
  const thousandths = time % 1000;
  out[at + 9] = zero + Math.floor(thousandths / 100);
  twoDigits(out, at + 10, thousandths % 100);
  out[at + 12] = zulu;
}

function twoDigits(out: Buffer, at: number, value: number): void {
  // the whole part of a tenth, for numbers below 100
  const tens = (value * 205) >> 11;
  out[at] = zero + tens;
  out[at + 1] = zero + value - tens * 10;
}
