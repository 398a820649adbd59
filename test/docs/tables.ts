/** Tables in Markdown: their rows as lists of cells, without the headers. */
import { readFileSync } from 'node:fs';

export type Cells = readonly string[];

const cellsOf = (line: string): Cells =>
  line
    .slice(1, -1)
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replaceAll('\\|', '|'));

/** The rows of the tables whose header begins with these cells. */
export function rowsOf(file: string, ...head: string[]): Cells[] {
  const rows: Cells[] = [];
  let inside = false;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (!line.startsWith('|')) inside = false;
    else if (inside && !/^[|\s:-]+$/.test(line)) rows.push(cellsOf(line));
    else if (!inside) inside = head.every((name, at) => cellsOf(line)[at] === name);
  }
  return rows;
}
