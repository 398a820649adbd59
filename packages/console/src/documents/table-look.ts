/** How a table looks: its columns and their widths. Pure. */
export interface KeptTable {
  /** Undefined where none were chosen. */
  readonly columns?: readonly string[];
  /** Pixels by path. */
  readonly widths: Readonly<Record<string, number>>;
}

/** Pixels of a column. */
export const narrowest = 60;
const widest = 900;

export const widthWithin = (pixels: number): number => Math.round(Math.min(widest, Math.max(narrowest, pixels)));

/** A table as it was kept; what is not understood is left out. */
export function readKept(text: string | null): KeptTable {
  const given = parsed(text);
  const columns = Array.isArray(given['columns'])
    ? given['columns'].filter((path): path is string => typeof path === 'string')
    : [];
  const widths = Object.entries(objectOf(given['widths'])).flatMap(([path, width]): [string, number][] =>
    typeof width === 'number' && Number.isFinite(width) ? [[path, widthWithin(width)]] : [],
  );
  return { ...(columns.length === 0 ? {} : { columns }), widths: Object.fromEntries(widths) };
}

function parsed(text: string | null): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};

/** Columns of which one is moved by places to the right; to the left by negative ones. */
export function movedBy(columns: readonly string[], path: string, places: number): string[] {
  const to = Math.max(0, columns.indexOf(path) + places);
  const others = columns.filter((one) => one !== path);
  return [...others.slice(0, to), path, ...others.slice(to)];
}
