/** A WebSocket whose rights cannot be verified, because the database is away: each message has an answer, and the socket stays. */
import { expect, test } from '@jest/globals';
import { connect } from '../support/connection.ts';
import { openWriting } from '../support/fixtures/writing/index.ts';

test('messages get an error until the database is back', async () => {
  const world = await openWriting();
  const { auth } = world.dossier.services;
  const socket = await connect(world.url, world.callers.ann.headers);
  const find = auth.bySession.bind(auth);
  const asked = new Promise<void>((done) => {
    auth.bySession = () => {
      done();
      return Promise.reject(new Error('the database is away'));
    };
  });
  await asked;
  const refused = { status: 'error', message: 'Database unavailable: the database cannot be reached, try again' };
  expect(await socket.ask('ping')).toMatchObject({ action: 'ping', ...refused });
  expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ action: 'subscribe', ...refused });
  auth.bySession = find;
  expect(await socket.ask('subscribe', { model: 'note' })).toMatchObject({ status: 'okay' });
  await world.as('ann', 'POST', '/api/note', { body: { title: 'after' } });
  await socket.until(1);
  expect(socket.events()).toEqual([['post', 'after']]);
  socket.socket.terminate();
});
