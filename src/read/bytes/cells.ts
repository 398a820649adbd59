/** Reads the values of columns from stored documents (BSON), without creating an object for each document. */
import { hasFourDigitYear, writeDate } from './iso-date.ts';
import { bson, byteAt, intAt, isNamed, longAt, nameEnd, plainValue, valueEnd } from './layout.ts';

/** The values of a row by column. Ids and dates are text, as in JSON; rare types are as the driver decodes them. */
export type Cells = readonly unknown[];

/** A column, and the parts of its path that are left below a member. */
interface Column {
  readonly index: number;
  readonly parts: readonly string[];
}

/** A member that columns show, or that contains some. */
interface Member {
  readonly name: Buffer;
  /** The index among the members of its level. */
  readonly index: number;
  /** The columns of the member itself and below it. */
  readonly columns: readonly Column[];
  /** The members inside, if every column is below the member. */
  readonly inside: Level | undefined;
}

interface Level {
  readonly members: readonly Member[];
  readonly byName: ReadonlyMap<string, Member>;
}

/** The value at a dotted path; through a list, the list of its members' values. @param from the first part that counts */
export function valueAt(value: unknown, parts: readonly string[], from = 0): unknown {
  const part = parts[from];
  if (part === undefined) return value;
  if (Array.isArray(value))
    return value.map((member) => valueAt(member, parts, from)).filter((found) => found !== undefined);
  return typeof value === 'object' && value !== null && Object.hasOwn(value, part)
    ? valueAt((value as Readonly<Record<string, unknown>>)[part], parts, from + 1)
    : undefined;
}

/** Makes the cell of a value in which other values may be: of a list or a document. @param column its index */
type ComposedCell = (value: unknown, column: number) => unknown;

/** Reads the cells of rows. */
export class CellReader {
  readonly #top: Level;
  readonly #count: number;
  /** Of the current row. */
  #cells: unknown[] = [];

  /** @param columns dotted paths */
  constructor(
    columns: readonly string[],
    private readonly composed: ComposedCell = (value) => value,
  ) {
    this.#top = levelOf(columns.map((path, index) => ({ index, parts: path.split('.') })));
    this.#count = columns.length;
  }

  read(row: Buffer): Cells {
    this.#cells = new Array<unknown>(this.#count).fill(undefined);
    this.#document(row, 0, this.#top);
    return this.#cells;
  }

  /** Reads a document at a position. Its members are usually in the order of the columns, so that no name is decoded. */
  #document(bytes: Buffer, at: number, { members, byName }: Level): void {
    let expected = 0;
    for (let next = at + 4; byteAt(bytes, next) !== 0;) {
      const type = byteAt(bytes, next);
      const name = next + 1;
      const end = nameEnd(bytes, name);
      next = valueEnd(bytes, type, end + 1);
      let member = members[expected];
      if (member === undefined || !isNamed(bytes, name, member.name))
        member = byName.get(bytes.toString('utf8', name, end));
      if (member === undefined) continue;
      expected = member.index + 1;
      this.#member(bytes, type, end + 1, member);
    }
  }

  #member(bytes: Buffer, type: number, at: number, { columns, inside }: Member): void {
    if (inside !== undefined && type === bson.document) return this.#document(bytes, at, inside);
    // only lists and documents have values below them
    if (inside !== undefined && type !== bson.list) return;
    const value = valueOf(bytes, type, at);
    const isComposed = type === bson.list || type === bson.document;
    for (const { index, parts } of columns) {
      const cell = valueAt(value, parts);
      this.#cells[index] = isComposed ? this.composed(cell, index) : cell;
    }
  }
}

function levelOf(columns: readonly Column[]): Level {
  const byFirst = new Map<string, Column[]>();
  for (const { index, parts } of columns) {
    const [first = '', ...rest] = parts;
    byFirst.set(first, [...(byFirst.get(first) ?? []), { index, parts: rest }]);
  }
  const members = [...byFirst].map(([name, below], index) => ({
    name: Buffer.from(name),
    index,
    columns: below,
    inside: below.some(({ parts }) => parts.length === 0) ? undefined : levelOf(below),
  }));
  return { members, byName: new Map(members.map((member) => [member.name.toString(), member])) };
}

const date = Buffer.alloc(24);

function valueOf(bytes: Buffer, type: number, at: number): unknown {
  switch (type) {
    case bson.text:
      return bytes.toString('utf8', at + 4, at + 3 + intAt(bytes, at));
    case bson.id:
      return bytes.toString('hex', at, at + 12);
    case bson.int:
      return intAt(bytes, at);
    case bson.double:
      return bytes.readDoubleLE(at);
    case bson.boolean:
      return bytes[at] === 1;
    case bson.date: {
      const time = longAt(bytes, at);
      if (!hasFourDigitYear(time)) return plainValue(bytes, type, at);
      writeDate(date, 0, time);
      return date.toString('latin1');
    }
    default:
      return plainValue(bytes, type, at);
  }
}
