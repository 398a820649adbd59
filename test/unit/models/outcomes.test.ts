/** Which errors leave open whether the database has carried out a command. */
import { expect, test } from '@jest/globals';
import { isOutcomeUnknown } from '../../../src/models/database-errors.ts';
import { mongo } from '../../../src/models/mongoose.ts';

const { TransientTransactionError, UnknownTransactionCommitResult } = mongo.MongoErrorLabel;

type DriverError = InstanceType<typeof mongo.MongoError>;

function labelled(error: DriverError, label: string): DriverError {
  error.addErrorLabel(label);
  return error;
}

test.each<[what: string, error: Error, isUnknown: boolean]>([
  ['a lost connection', new mongo.MongoNetworkError('lost'), true],
  [
    'a lost connection below another error',
    new Error('not saved', { cause: new mongo.MongoNetworkError('lost') }),
    true,
  ],
  [
    'a lost connection in a transaction, which is rolled back',
    labelled(new mongo.MongoNetworkError('lost'), TransientTransactionError),
    false,
  ],
  ['a commit without an answer', labelled(new mongo.MongoError('lost'), UnknownTransactionCommitResult), true],
  ['a taken value', new mongo.MongoServerError({ message: 'taken', code: 11000 }), false],
  ['an error of a program', new TypeError('not a function'), false],
])('%s', (_, error, isUnknown) => {
  expect(isOutcomeUnknown(error)).toBe(isUnknown);
});
