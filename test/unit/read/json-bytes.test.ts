/** The bytes that are written directly equal those of JSON.stringify. */
import { expect, test } from '@jest/globals';
import { JsonBytes } from '../../../src/read/bytes/json-bytes.ts';
import { randomFrom } from '../../support/numbers.ts';

const runs = 1000;

function written(write: (out: JsonBytes) => void): string {
  const out = new JsonBytes(64, 1e9);
  write(out);
  return out.written.toString();
}

test('numbers', () => {
  const random = randomFrom(1);
  const scales = [1, 10, 100, 1000, 3, 7, 1e9];
  const edges = [
    0,
    -0,
    0.01,
    0.1,
    0.07,
    0.29,
    1.1,
    1.005,
    999_999.99,
    1e6,
    1e6 + 0.01,
    1e21,
    1e-7,
    -0.5,
    NaN,
    Infinity,
  ];
  const drawn = Array.from({ length: runs }, () => random(2 ** 31) / (scales[random(scales.length)] ?? 1));
  for (const value of [...edges, ...drawn, ...drawn.map((one) => one / 1000), ...drawn.map((one) => -one)])
    expect(written((out) => out.number(value))).toBe(JSON.stringify(value));
});

const letters = ['a', ' ', '"', '\\', '\n', '\u0001', '\u001f', '\u007f', 'é', '€', '😀', '\u2028', 'b'];

test('strings and names', () => {
  const random = randomFrom(2);
  for (let run = 0; run < runs; run++) {
    const text = Array.from({ length: random(run % 50 === 0 ? 200 : 20) }, () => letters[random(letters.length)]).join(
      '',
    );
    const bytes = Buffer.from(`${text}\0rest`);
    const end = Buffer.byteLength(text);
    expect(written((out) => out.string(bytes, 0, end))).toBe(JSON.stringify(text));
    expect(written((out) => expect(out.name(bytes, 0)).toBe(end))).toBe(`${JSON.stringify(text)}:`);
  }
});

test('names of any length', () => {
  for (const length of [0, 1, 127, 128, 129, 300]) {
    const name = 'n'.repeat(length);
    expect(written((out) => expect(out.name(Buffer.from(`${name}\0`), 0)).toBe(length))).toBe(`"${name}":`);
  }
});

test('invalid UTF-8 after valid text', () => {
  const bytes = Buffer.concat([Buffer.from('a"é'), Buffer.from([0xff, 0xc3]), Buffer.from('z')]);
  expect(written((out) => out.string(bytes, 0, bytes.length))).toBe(JSON.stringify(bytes.toString()));
});

test('dates of each day, and their parts', () => {
  const random = randomFrom(3);
  for (let run = 0; run < runs; run++) {
    const time = (random(2 ** 32) - 2 ** 31) * 60_000 + random(60_000);
    expect(written((out) => out.date(time))).toBe(JSON.stringify(new Date(time)));
  }
});

test('a range is repeated, and the last bytes are removed', () => {
  for (const length of [3, 64, 65, 200]) {
    const text = 'x'.repeat(length - 1) + 'y';
    const twice = written((out) => {
      out.ascii(text);
      out.repeat(0, length);
      out.ascii('gone');
      out.truncate(2 * length);
    });
    expect(twice).toBe(text + text);
  }
});
