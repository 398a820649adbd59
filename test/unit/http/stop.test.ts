/** The departure of a caller, as a signal and for what waits. */
import { EventEmitter } from 'node:events';
import { expect, jest, test } from '@jest/globals';
import { Stop } from '../../../src/http/handler.ts';

const open = () => {
  const res = Object.assign(new EventEmitter(), { destroyed: false, writableFinished: false });
  return { res, stop: new Stop(res) };
};

type Opened = ReturnType<typeof open>;

test.each<readonly [string, (opened: Opened) => void, boolean]>([
  ['the connection is closed before the answer is sent', ({ res }) => res.emit('close'), true],
  ['the time limit is reached', ({ stop }) => stop.abort(), true],
  [
    'both',
    ({ res, stop }) => {
      stop.abort();
      res.emit('close');
    },
    true,
  ],
  ['the answer is sent', ({ res }) => Object.assign(res, { writableFinished: true }).emit('close'), false],
])('what waits and the signal agree when %s', (_, end, isAborted) => {
  const opened = open();
  const { stop } = opened;
  const [left, removed, aborted] = [jest.fn(), jest.fn(), jest.fn()];
  stop.addEventListener('abort', removed);
  stop.addEventListener('abort', left);
  stop.removeEventListener('abort', removed);
  stop.signal.addEventListener('abort', aborted);
  end(opened);
  expect([left, removed, aborted].map(({ mock }) => mock.calls.length)).toEqual([+isAborted, 0, +isAborted]);
  expect([stop.aborted, stop.signal.aborted]).toEqual([isAborted, isAborted]);
});

test.each<readonly [string, (opened: Opened) => void]>([
  ['ended', ({ stop }) => stop.abort()],
  ['lost its connection', ({ res }) => void Object.assign(res, { destroyed: true })],
])('what begins after the request has %s is aborted', (_, end) => {
  const opened = open();
  end(opened);
  expect([opened.stop.aborted, opened.stop.signal.aborted]).toEqual([true, true]);
});
