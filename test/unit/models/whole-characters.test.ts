/** Halves of surrogate pairs are refused wherever JSON of callers is read, by the path. */
import { describe, expect, test } from '@jest/globals';
import { fromText, messageFrom } from '../../../src/features/events/websocket/protocol.ts';
import { fromJson } from '../../../src/models/fields/values/exact-json.ts';
import { parseValue } from '../../../src/transfer/extended-json.ts';

const ways: Readonly<Record<string, (text: string) => unknown>> = {
  'a body': fromJson,
  'a message of a WebSocket': (text) => messageFrom(fromText(text)),
  'a line of an import': parseValue,
};

describe.each(Object.entries(ways))('%s', (_name, read) => {
  test.each([
    ['{"a":"\\ud800"}', 'a'],
    ['{"a":{"b":[1,"x\\uDC00y"]}}', 'a.b.1'],
    ['{"a":{"\\ud83d":1}}', 'a.\\ud83d'],
    ['{"n":12345678901234567890,"a":"\\ude00\\ud83d"}', 'a'],
    ['{"a":"\\\\ud83d","b":"\\ud83d"}', 'b'],
  ])('%s', (text, path) => {
    let reason = '';
    try {
      read(text);
    } catch (error) {
      const { message, reason: given = message } = error as { readonly message: string; readonly reason?: string };
      reason = given;
    }
    expect(reason).toContain(`${path} has half of a surrogate pair`);
  });
});

test.each(['{"a":"\\ud83d\\ude00"}', '{"a":"\\\\ud83d"}', '{"\\u00e9":"\\ud7ff\\ue000"}'])('%s is read', (text) => {
  expect(fromJson(text)).toEqual(JSON.parse(text));
});
