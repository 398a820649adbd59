/** Numbers and sizes as text. */

const number = new Intl.NumberFormat('en');
const units = ['bytes', 'KB', 'MB', 'GB', 'TB'] as const;

export const numberText = (value: number): string => number.format(value);

/** A size of 1024 bytes to the KB, with three digits at most; a dash for an unknown one. */
export function bytesText(bytes: number | undefined): string {
  if (bytes === undefined) return '–';
  const unit = Math.min(Math.floor(Math.log2(Math.max(bytes, 1)) / 10), units.length - 1);
  const value = bytes / 1024 ** unit;
  return `${number.format(Number(value.toPrecision(value < 1000 ? 3 : 4)))} ${units[unit] ?? ''}`;
}
