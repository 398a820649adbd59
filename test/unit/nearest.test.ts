/** Suggestions for misspelt names. */
import { expect, test } from '@jest/globals';
import { nearestName, suggestion } from '../../src/text/nearest.ts';

test.each([
  ['statsu', ['title', 'status', 'state'], 'status'],
  ['filer', ['file', 'filter', 'fields'], 'file'],
  ['lnik', ['type', 'link', 'min'], 'link'],
  ['perm', ['perms', 'cache'], 'perms'],
  ['Title', ['title'], 'title'],
  ['createdat', ['createdAt', 'created'], 'createdAt'],
  ['id', ['_id', 'title'], '_id'],
  ['colour', ['title', 'pages'], undefined],
  ['xy', ['ab'], undefined],
  ['', ['a'], undefined],
  ['b', ['a'], undefined],
  ['a'.repeat(61), ['a'.repeat(60)], undefined],
  ['title', [], undefined],
])('the name nearest to %j among %j is %j', (name, candidates, expected) => {
  expect(nearestName(name, candidates)).toBe(expected);
});

test('a suggestion is the end of a message, or empty', () => {
  expect(suggestion('titel', ['title'])).toBe('; did you mean "title"?');
  expect(suggestion('colour', ['title'])).toBe('');
});
