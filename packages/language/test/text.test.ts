import type { TextQuery } from '../src/query/index.ts';
import { TextIndexData } from '../src/text/index.ts';
import type { Doc } from '../src/values/types.ts';
import { ArrayBlocks } from './block-map.ts';

const docs: Readonly<Record<string, Doc>> = {
  coffee: { title: 'Coffee', body: 'I like coffee and cake', tags: ['drink', 'hot'] },
  shop: { title: 'Coffee Shopping', body: "The shop's best coffees" },
  cafe: { title: 'Café', body: 'Ein Café mit Kaffee', language: 'german' },
  tea: { title: 'Tea', body: 'Running teas, a black tea', inner: { title: 'nothing' } },
  none: { title: 5 },
};

/** A text index over named documents. */
class Named {
  readonly #data: TextIndexData;
  readonly #names: string[] = [];
  readonly #docs: Doc[] = [];

  constructor(definition: Doc) {
    this.#data = new TextIndexData(definition, new ArrayBlocks());
  }

  add(name: string, doc: Doc): void {
    const terms = this.#data.read(doc);
    this.#data.put(this.#names.length, terms);
    this.#names.push(name);
    this.#docs.push(doc);
  }

  remove(name: string): void {
    const sequence = this.#names.indexOf(name);
    const doc = this.#docs[sequence];
    this.#data.put(sequence, new Map(), this.#data.read(doc ?? { title: 'coffee' }));
  }

  search(asked: TextQuery): Map<string, number> {
    const { hits, holds } = this.#data.search(asked);
    const found = [...hits].flat().filter(({ sequence }) => holds(this.#docs[sequence] ?? {}));
    return new Map(found.map(({ sequence, score }) => [this.#names[sequence] ?? '', score]));
  }
}

function indexOf(definition: Doc): Named {
  const index = new Named(definition);
  for (const [name, doc] of Object.entries(docs)) index.add(name, doc);
  return index;
}

const query = (search: string, more: Partial<TextQuery> = {}): TextQuery => ({
  search,
  language: undefined,
  caseSensitive: false,
  diacriticSensitive: false,
  ...more,
});

const fields = { key: { title: 'text', body: 'text' } };

describe('text search', () => {
  const rows: readonly (readonly [search: string, found: readonly string[], more?: Partial<TextQuery>])[] = [
    ['coffee', ['coffee', 'shop']],
    ['COFFEES', ['coffee', 'shop']],
    ['tea coffee', ['coffee', 'shop', 'tea']],
    ['run', ['tea']],
    ['the and', []],
    ['', []],
    ['cafe', ['cafe']],
    ['Café', ['cafe']],
    ['cafe', [], { diacriticSensitive: true }],
    ['café', ['cafe'], { diacriticSensitive: true }],
    ['Coffee', ['coffee', 'shop'], { caseSensitive: true }],
    ['COFFEE', [], { caseSensitive: true }],
    ['coffee -cake', ['shop']],
    ['coffee -"coffee shop"', ['coffee']],
    ['"coffee shop"', ['shop']],
    ['"COFFEE AND"', ['coffee']],
    ['"and cake" tea', ['coffee']],
    ['"no such phrase" coffee', []],
    ['-coffee', []],
    ['nothing', []],
    ['drink', []],
    ['kaffee', ['cafe'], { language: 'de' }],
    ['shop', ['shop']],
  ];

  test.each(rows.map(([search, found, more]) => [search, found, more ?? {}] as const))(
    '%s finds %j %j',
    (search, found, more) => {
      expect([...indexOf(fields).search(query(search, more)).keys()].toSorted()).toEqual(found);
    },
  );

  test('rare words in short texts score higher, and so does a match of the whole text', () => {
    const scores = indexOf(fields).search(query('coffee'));
    expect(scores.get('coffee')).toBeCloseTo(1 + (0.5 / 3 + 0.5), 10);
    expect(scores.get('shop')).toBeCloseTo(0.75 + (0.5 / 3 + 0.5), 10);
    expect(indexOf(fields).search(query('tea')).get('tea')).toBeCloseTo(1.1 + (1.5 * 1) / 4 + 0.75, 10);
  });

  test('each repetition of a word counts half as much as the one before', () => {
    const index = new Named({ key: { a: 'text' } });
    index.add('x', { a: 'tea tea tea' });
    expect(index.search(query('tea')).get('x')).toBeCloseTo((1 + 0.5 + 0.25) * 1, 10);
  });

  test('weights multiply', () => {
    const index = new Named({ key: { _fts: 'text', _ftsx: 1 }, weights: { a: 10, b: 1 } });
    index.add('x', { a: 'one tea', b: 'one tea' });
    expect(index.search(query('tea')).get('x')).toBeCloseTo(11 * 0.75, 10);
  });

  test('$** indexes nested texts too', () => {
    const index = indexOf({ key: { '$**': 'text' } });
    expect([...index.search(query('drink')).keys()]).toEqual(['coffee']);
    expect([...index.search(query('nothing')).keys()]).toEqual(['tea']);
    expect([...index.search(query('german')).keys()]).toEqual([]);
  });

  test('removed documents are not found', () => {
    const index = indexOf(fields);
    index.remove('coffee');
    index.remove('never there');
    expect([...index.search(query('coffee')).keys()]).toEqual(['shop']);
  });

  test.each<readonly [definition: Doc, code: number]>([
    [{ key: { a: 'text' }, default_language: 'klingon' }, 67],
    [{ key: { a: 'text' }, weights: { a: 0 } }, 67],
    [{ key: { a: 'text' }, weights: { a: 'x' } }, 67],
    [{ key: { a: 'text' }, language_override: 'a.b' }, 67],
  ])('%j is refused', (definition, code) => {
    expect(() => new TextIndexData(definition, new ArrayBlocks())).toThrow(expect.objectContaining({ code }));
  });

  test('unknown languages are refused', () => {
    const index = new Named(fields);
    expect(() => index.add('x', { language: 'klingon', title: 'x' })).toThrow(expect.objectContaining({ code: 17262 }));
    expect(() => index.add('x', { language: 5, title: 'x' })).toThrow(expect.objectContaining({ code: 17261 }));
    expect(() => index.search(query('x', { language: 'klingon' }))).toThrow(expect.objectContaining({ code: 2 }));
  });
});
