/** What a command prints of an error of the database: what the server would answer. */
import { expect, test } from '@jest/globals';
import { messageOf } from '../../src/cli/message.ts';
import { mongo } from '../../src/models/mongoose.ts';

test.each([
  [
    new mongo.MongoServerError({ code: 11000, message: 'E11000 duplicate key error', keyPattern: { title: 1 } }),
    'error: title must be unique',
  ],
  [
    new mongo.MongoServerError({ code: 50, message: 'operation exceeded time limit' }),
    /^error: the time limit was reached/,
  ],
  [new mongo.MongoNetworkError('read ECONNRESET'), 'error: the database cannot be reached, try again'],
  [new mongo.MongoServerError({ code: 18, message: 'Authentication failed.' }), 'error: Authentication failed.'],
])('%s', (error, printed) => {
  expect(messageOf(error)).toMatch(printed);
});
