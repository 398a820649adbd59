/** Dates as people, spreadsheets and databases write them, by every way in (docs/queries.md, "Filters"). */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { send } from '../support/client.ts';
import { startServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    models: {
      event: `import { Schema } from 'mongoose';
        const schema = new Schema({ name: String, at: Date, times: [Date] }, { perms: { all: 'crud' }, advanced_queries: { bulkwrite: true } });
        export default schema;`,
    },
  });
});

const day = '2024-01-02T00:00:00.000Z';
const made = async (body: object) => server.post('/api/event', body);

describe('a text of eight digits is that day', () => {
  test('in POST, in lists, too', async () => {
    expect((await made({ at: '20240102', times: ['20240102'] })).document).toMatchObject({ at: day, times: [day] });
  });

  test('in PUT, PATCH and operators', async () => {
    const path = `/api/event/${String((await made({ name: 'a' })).document['_id'])}`;
    expect((await server.put(path, { at: '20240102' })).document).toMatchObject({ at: day });
    const sent = { $set: { at: '20240103' }, $push: { times: '20240102' } };
    expect((await send('PATCH', server.url + path, { body: sent })).document).toMatchObject({
      at: '2024-01-03T00:00:00.000Z',
      times: [day],
    });
  });

  test('in filters', async () => {
    await made({ name: 'found', at: '2024-05-06' });
    expect((await server.get('/api/event?filter[at]=20240506')).rows).toMatchObject([{ name: 'found' }]);
    const query = { query: { at: { $gte: '20240506', $lt: '20240507' } } };
    expect((await server.post('/query/event', query)).rows).toMatchObject([{ name: 'found' }]);
  });

  test('in calls of api', async () => {
    const event = server.dossier.api.as('system').model('event');
    expect(await event.create({ at: '20240102' })).toMatchObject({ at: day });
  });
});

test('a number is a Unix time', async () => {
  expect((await made({ at: 20240102 })).document).toMatchObject({ at: '1970-08-23T06:15:02.000Z' });
});

test.each(['20240230', '12345', '1', '8640000000000001'])('%s is a 400', async (at) => {
  for (const answer of [await made({ at }), await server.get(`/api/event?filter[at]=${at}`)])
    expect(answer).toMatchObject({
      status: 400,
      text: expect.stringContaining('must be a date: ISO 8601 or Unix time'),
    });
});
