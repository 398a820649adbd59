/** The points of a chart: rows of a figure in their order, with the periods in between that have no documents. Pure. */
import type { Figure } from '../../api/saved-views.ts';
import type { FigureRow } from './figure.ts';

export interface Point {
  readonly key: unknown;
  readonly value: number;
}

/** Periods that a chart shows at most. */
const maxPeriods = 60;

export const numberOf = ({ value }: FigureRow): number => Number(value ?? 0);

/** Periods from the first to the last one. @param rows the last period first */
export function periodsOf(rows: readonly FigureRow[], unit: NonNullable<Figure['unit']>): readonly Point[] {
  const values = new Map(rows.map((row) => [String(row.key), numberOf(row)]));
  const [last, first] = [rows[0], rows.at(-1)].map((row) => String(row?.key ?? ''));
  const points: Point[] = [];
  for (let key = last ?? ''; key >= (first ?? '') && points.length < maxPeriods && key !== ''; key = before(key, unit))
    points.unshift({ key, value: values.get(key) ?? 0 });
  return points;
}

/** The first day of the period before. @param day such as `2026-03-01` */
function before(day: string, unit: NonNullable<Figure['unit']>): string {
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return '';
  if (unit === 'day' || unit === 'week') date.setUTCDate(date.getUTCDate() - (unit === 'day' ? 1 : 7));
  else if (unit === 'month') date.setUTCMonth(date.getUTCMonth() - 1);
  else date.setUTCFullYear(date.getUTCFullYear() - 1);
  return date.toISOString().slice(0, 10);
}

const formats = {
  day: new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' }),
  month: new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' }),
  year: new Intl.DateTimeFormat(undefined, { year: 'numeric', timeZone: 'UTC' }),
};

/** What a period is called, such as “Mar 2026”. */
export function periodText(key: unknown, unit: NonNullable<Figure['unit']>): string {
  const date = new Date(`${String(key)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return String(key);
  return unit === 'week' ? `Week of ${formats.day.format(date)}` : formats[unit].format(date);
}

/** What a value is called that is no link. */
export function valueText(key: unknown): string {
  if (key === null || key === undefined || key === '') return 'None';
  if (typeof key === 'boolean') return key ? 'Yes' : 'No';
  return typeof key === 'object' ? JSON.stringify(key) : String(key);
}
