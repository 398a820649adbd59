/** Row rules as filters: how the values of the caller's own document are inserted. */
import { describe, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { compileSchema } from '../../../src/models/fields/compile-schema.ts';
import { compileRule } from '../../../src/policy/row-rules.ts';
import { viewOf } from '../../../src/policy/view.ts';

const model = compileSchema(new Schema({ team: String, teams: [String] }));
const user = compileSchema(new Schema({ teams: [String] }));
const filterOf = (where: object, own: object): unknown =>
  compileRule(where as Readonly<Record<string, unknown>>, viewOf(model), user).filterFor(own as never, new Date());

describe('a list with members that cannot be compared', () => {
  const own = { teams: [{ $gt: '' }, 'a', null] };

  test('$in uses the other members', () => {
    expect(filterOf({ team: { $in: '$user.teams' } }, own)).toEqual({ team: { $in: ['a'] } });
    expect(filterOf({ team: { $in: ['x', '$user.teams'] } }, own)).toEqual({ team: { $in: ['x', 'a'] } });
  });

  test.each([
    { team: { $nin: '$user.teams' } },
    { teams: { $all: '$user.teams' } },
    { team: { $not: { $in: '$user.teams' } } },
    { $nor: [{ team: { $in: '$user.teams' } }] },
    { $nor: [{ teams: { $elemMatch: { $in: '$user.teams' } } }] },
  ])('%j matches nothing', (where) => {
    expect(filterOf(where, own)).toBeUndefined();
  });
});

test.each([{ $gt: '' }, {}, null, undefined])('%j in place of a list matches nothing, not even negated', (teams) => {
  for (const where of [
    { team: { $in: '$user.teams' } },
    { team: { $in: ['x', '$user.teams'] } },
    { team: { $not: { $in: '$user.teams' } } },
  ])
    expect(filterOf(where, { teams })).toBeUndefined();
});
