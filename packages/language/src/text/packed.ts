/** Postings packed as bytes: most take two or three bytes. */

/** Document numbers in ascending order, each followed by its score. */
export type Flat = number[];

/** The id of a score that is not in the table and follows in the bytes as a double. */
const inline = 0;

/** Numbers the scores, because documents share few different ones. The table is limited in size. */
export class ScoreTable {
  readonly #ids = new Map<number, number>();
  readonly #scores: number[] = [inline];
  readonly #maxScores: number;

  /** @param maxScores maximum scores in the table */
  constructor(maxScores = 16_384) {
    this.#maxScores = maxScores;
  }

  /** The id of a score; 0 if the table is full and does not contain it. */
  idOf(score: number): number {
    const known = this.#ids.get(score);
    if (known !== undefined) return known;
    if (this.#ids.size >= this.#maxScores) return inline;
    const id = this.#scores.push(score) - 1;
    this.#ids.set(score, id);
    return id;
  }

  /** The score of an id. */
  scoreOf(id: number): number {
    return this.#scores[id] ?? 0;
  }
}

const double = new DataView(new ArrayBuffer(8));

/** Packs postings: each document number as its distance from the previous one, each score as its id. */
export function pack(flat: Flat, table: ScoreTable): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (let at = 0; at < flat.length; at += 2) {
    const [sequence = 0, score = 0] = [flat[at], flat[at + 1]];
    const id = table.idOf(score);
    writeNumber(bytes, sequence - before);
    writeNumber(bytes, id);
    if (id === inline) writeDouble(bytes, score);
    before = sequence;
  }
  return Uint8Array.from(bytes);
}

/** Writes a whole number from 0 on in groups of seven bits, lowest first. */
function writeNumber(bytes: number[], number: number): void {
  let rest = number;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  bytes.push(rest);
}

function writeDouble(bytes: number[], value: number): void {
  double.setFloat64(0, value);
  for (let at = 0; at < 8; at += 1) bytes.push(double.getUint8(at));
}

/** Unpacks postings. */
export function unpack(bytes: Uint8Array, table: ScoreTable): Flat {
  const flat: Flat = [];
  let at = 0;
  let sequence = 0;
  const readNumber = (): number => {
    let number = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      if (byte < 128) return number + byte * scale;
      number += (byte - 128) * scale;
    }
  };
  while (at < bytes.length) {
    sequence += readNumber();
    const id = readNumber();
    flat.push(sequence, id === inline ? readDouble(bytes, at) : table.scoreOf(id));
    if (id === inline) at += 8;
  }
  return flat;
}

const readDouble = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset + at, 8).getFloat64(0);
