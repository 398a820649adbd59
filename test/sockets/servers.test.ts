/** Several servers on one database, and an orderly end. */
import { join } from 'node:path';
import { createServer } from '../../src/server.ts';
import { open } from '../../src/store/index.ts';
import { connect } from './connection.ts';

test('WS-16 origins that are not listed may not connect; a stopping server closes sockets with 1001', async () => {
  const server = await createServer({
    inMemory: true,
    port: 0,
    log_level: 'silent',
    models_dir: join(__dirname, '../writing/models'),
    cors: { origins: ['https://app.example'] },
  });
  await expect(connect(server.url, { origin: 'https://app.example.evil.com' })).rejects.toThrow('403');
  const socket = await connect(server.url, { origin: 'https://app.example' });
  await server.close();
  expect(await socket.closed()).toBe(1001);
});

test('events of one server reach the subscribers of another on the same database, once', async () => {
  const store = await open({});
  const settings = {
    mongodb_url: store.url,
    port: 0,
    log_level: 'silent',
    bcrypt_cost: 4,
    shared_secret: 's'.repeat(32),
    models_dir: join(__dirname, '../writing/models'),
  };
  const first = await createServer(settings);
  const second = await createServer(settings);
  const send = (url: string, method: string, path: string, body?: object, token?: string): Promise<any> =>
    fetch(url + path, {
      method,
      headers: {
        'content-type': 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).then((response) => response.json());
  await send(first.url, 'POST', '/setup', { email: 'root@x.test', password: 'pw' });
  const { token } = await send(first.url, 'POST', '/login', { email: 'root@x.test', password: 'pw' });
  const [here, there] = [
    await connect(first.url, { authorization: `Bearer ${token}` }),
    await connect(second.url, { authorization: `Bearer ${token}` }),
  ];
  for (const socket of [here, there]) await socket.ask('subscribe', { model: 'book' });
  const { data } = await send(first.url, 'POST', '/api/book', { title: 'a' }, token);
  await there.until(1);
  await send(second.url, 'PUT', `/api/book/${data._id}`, { title: 'b' }, token);
  await here.until(2);
  await send(first.url, 'DELETE', `/api/book/${data._id}`, undefined, token);
  await there.until(3);
  await send(second.url, 'POST', '/api/book', { title: 'last' }, token);
  await Promise.all([here.until(4), there.until(4)]);
  for (const socket of [here, there])
    expect(socket.events()).toEqual([
      ['post', 'a'],
      ['put', 'b'],
      ['del', data._id],
      ['post', 'last'],
    ]);
  await Promise.all([first.close(), second.close()]);
  await store.close();
});
