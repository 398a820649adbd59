/** Rows as comma-separated text (RFC 4180). Pure. */

/** A value as one text: objects and lists are JSON. */
export const textOfValue = (value: unknown): string =>
  value === undefined || value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A text that a spreadsheet would run as a formula gets an apostrophe in front, as in the CSV of the server. */
const harmless = (value: unknown): string => {
  const text = textOfValue(value);
  return typeof value === 'string' && /^(\s*[=+\-@]|[\t\n\r])/.test(text) ? `'${text}` : text;
};

const quoted = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

export const csvOf = (heads: readonly string[], rows: readonly Readonly<Record<string, unknown>>[]): string =>
  [heads, ...rows.map((row) => heads.map((head) => row[head]))]
    .map((cells) => cells.map((cell) => quoted(harmless(cell))).join(','))
    .join('\r\n');
