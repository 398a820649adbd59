/** Which groups the console suggests for a user, and which names it points out. */
import { expect, test } from '@jest/globals';
import type { Field } from '../src/api/models.ts';
import { groupsInModels, unknownGroups } from '../src/pages/people/groups.ts';

const plain: Field = { type: 'String', input: 'text', required: false, unique: false, index: false, array: false };

test('the groups of models are those that models and their paths give letters to, each once', () => {
  const models = [
    { perms: { all: 'r', admin: 'crud', editor: 'cru' }, fields: { title: plain } },
    {
      perms: { owner: 'ru', user: 'c', guest: '' },
      fields: { title: plain, price: { ...plain, perms: { sales: 'r', editor: 'r' } } },
    },
  ];
  expect(groupsInModels(models)).toEqual(['editor', 'guest', 'sales']);
  expect(groupsInModels([])).toEqual([]);
});

test.each<[names: readonly string[], unknown: readonly string[]]>([
  [[], []],
  [['editor', 'guest'], []],
  [['editr', 'guest'], ['editr']],
  [[' editor ', ' '], []],
  [['Editor', 'Editor '], ['Editor']],
  [
    ['__proto__', 'constructor'],
    ['__proto__', 'constructor'],
  ],
])('of %j, the unknown ones are %j', (names, unknown) => {
  expect(unknownGroups(names, ['editor', 'guest'])).toEqual(unknown);
});
