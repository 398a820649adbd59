/** CSV: header, cells, limits, and streaming of large answers. */
import { openReading, type World } from '../support/fixtures/reading/index.ts';
import { startServer } from '../support/server.ts';
import { until } from '../support/waiting.ts';

let world: World;
let ahead = 0;
beforeAll(async () => {
  const clock = () => new Date(Date.now() + ahead);
  world = await openReading({ query_limits: { max_response_size: '2mb' }, clock });
});

const csv = (path: string, as: 'ann' | 'eve' | 'anonymous' | 'root' = 'anonymous') =>
  world.as(as, 'GET', `/csv/${path}`);

/** A reader of RFC 4180 that is independent of the writer. */
function parse(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quoted && letter === '"' && text[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (letter === '"') quoted = !quoted;
    else if (!quoted && letter === ',') {
      row.push(cell);
      cell = '';
    } else if (!quoted && letter === '\r' && text[at + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      at += 1;
    } else cell += letter;
  }
  if (quoted || cell !== '' || row.length > 0) throw new Error('the last record does not end');
  return rows;
}

describe('header and cells', () => {
  test('the schema’s fields, nested ones with dots, no password', async () => {
    const { status, headers, text } = await csv('note', 'eve');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toBe('attachment; filename="note.csv"');
    const [header, ...rows] = parse(text);
    expect(header).toEqual(
      '_id title body book_id login.site logins meta _deleted _owner_id _updated_by_id createdAt updatedAt __v'.split(
        ' ',
      ),
    );
    expect(rows).toHaveLength(1);
    const cells = Object.fromEntries((header ?? []).map((name, at) => [name, rows[0]?.[at]]));
    expect(cells).toMatchObject({ title: 'Note of eve', 'login.site': 's', _deleted: 'false' });
    expect(JSON.parse(cells['logins'] ?? '')).toMatchObject([{ site: 't' }]);
    expect(JSON.parse(cells['meta'] ?? '')).toEqual({ colour: 'red', deep: [{ keep: 1 }, [{}]] });
    expect(text).not.toMatch(/CANARY|\$2b\$|password/i);
  });

  test('the requested fields, in that order', async () => {
    const { text } = await csv('book?fields=price,title,tags,published&sort=title&filter[title]=Book of eve');
    expect(parse(text)).toEqual([
      ['_id', 'price', 'title', 'tags', 'published'],
      [world.ids['eveBook'], '12', 'Book of eve', '["a","b"]', '2024-02-03T04:05:06.000Z'],
    ]);
  });

  test('a header also without rows', async () => {
    const { status, text } = await csv('book?fields=title&filter[title]=none');
    expect(status).toBe(200);
    expect(parse(text)).toEqual([['_id', 'title']]);
  });

  test('links stay ids, also with populate', async () => {
    const { text } = await csv('book?populate=author&autopopulate=1&fields=author_id&sort=title&limit=1');
    expect(parse(text)[1]).toEqual([world.ids['annBook'], world.ids['author']]);
  });

  test('values that a spreadsheet would run are escaped, and every record stays one', async () => {
    const titles = ['=1+1', '+1', '-1+1', '@SUM(1)', '\t=1', '\r=1', ' =1', '"=1', 'a,b', 'a"b', 'a\r\nb', 'a\nb'];
    for (const title of titles) await world.as('eve', 'POST', '/api/wiki', { body: { title, count: -5 } });
    const { text } = await csv('wiki?fields=title,count&filter[count]=-5');
    const rows = parse(text).slice(1);
    expect(rows).toHaveLength(titles.length);
    expect(new Set(rows.map(([, title]) => title?.replace(/^'/, '')))).toEqual(new Set(titles));
    for (const [, title, count] of rows) {
      expect(title).not.toMatch(/^[=+\-@\t\r]/);
      expect(count).toBe('-5');
    }
  });

  test('names that a spreadsheet would run are escaped too', async () => {
    const models = { free: `module.exports = ({ Schema }) => new Schema({}, { strict: false, perms: { all: 'r' } });` };
    const server = await startServer({ models });
    const { text } = await server.get('/csv/free?fields==1,title');
    expect(parse(text)[0]).toEqual(['_id', "'=1", 'title']);
  });
});

describe('limits', () => {
  beforeAll(async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      n,
      pad: 'x'.repeat(n < 500 ? 1500 : 2000),
      _deleted: false,
    }));
    await world.dossier.services.connection.collection('bigs').insertMany(rows);
    ahead = 2000; // sizes are at most a second old
  });

  test.each([
    ['big', 400],
    ['big?limit=', 400],
    ['big?limit=201', 400],
    ['big?limit[]=5', 400],
    ['big?limit=5&limit=6', 400],
    ['big?limit=200', 200],
  ])('%s %i', async (path, status) => {
    expect((await csv(path)).status).toBe(status);
  });

  test('pages', async () => {
    const { text } = await csv('big?limit=2&page=3&fields=n&sort=n');
    expect(parse(text).map(([, n]) => n)).toEqual(['n', '4', '5']);
  });

  test('HEAD is answered like GET, without the body', async () => {
    expect(await world.as('eve', 'HEAD', '/csv/ledger')).toMatchObject({ status: 403, text: '' });
    expect(await world.send('HEAD', '/csv/big?limit=5')).toMatchObject({ status: 200, text: '' });
  });
});

describe('large answers', () => {
  test('a large export is sent in pieces and is complete', async () => {
    const large = await openReading({ query_limits: { max_response_size: '1mb' } });
    try {
      const rows = Array.from({ length: 200 }, (_, n) => ({ n, pad: 'y'.repeat(8_000), _deleted: false }));
      await large.dossier.services.connection.collection('bigs').insertMany(rows);
      const { status, headers, text } = await large.send('GET', '/csv/big?sort=n&fields=n,pad');
      expect(status).toBe(200);
      expect(headers.get('content-length')).toBeNull();
      expect(
        parse(text)
          .slice(1)
          .map(([, n]) => Number(n)),
      ).toEqual(rows.map(({ n }) => n));
    } finally {
      await large.close();
    }
  });

  test('an export that fails in the middle is cut off, and the log contains the reason', async () => {
    const faulty = `import { Schema } from 'mongoose';
const faulty = new Schema({ n: Number, pad: String }, { perms: { all: 'r' } });
faulty.virtual('odd').get(function () {
  if (this.n === 900) throw new Error('nine hundred is too much');
  return this.n;
});
export default faulty;`;
    const server = await startServer({ models: { faulty } });
    const rows = Array.from({ length: 1000 }, (_, n) => ({ n, pad: 'y'.repeat(2_000), _deleted: false }));
    await server.dossier.services.connection.collection('faulties').insertMany(rows);
    const response = await fetch(`${server.url}/csv/faulty?sort=n`);
    await expect(response.text()).rejects.toThrow();
    await until(() => server.log.join('').includes('nine hundred is too much'));
  });

  test('a page over the limit is a 413 before anything is sent', async () => {
    await world.dossier.services.connection
      .collection('bigs')
      .insertMany(Array.from({ length: 200 }, (_, n) => ({ n: 5000 + n, pad: 'z'.repeat(12_000), _deleted: false })));
    const { status, body } = await csv('big?limit=200&filter[n]=$gte:5000');
    expect(status).toBe(413);
    expect(body).toMatchObject({ status: 'fail', message: 'Answer too large' });
  });
});
