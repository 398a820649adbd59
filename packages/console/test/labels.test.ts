/** What models and paths are called on the screen. */
import { describe, expect, test } from '@jest/globals';
import { choicesOf, groupsOf, iconOf, labelOf, labelOfModel, labelOfNew, shortLabel } from '../src/api/labels.ts';
import type { Field } from '../src/api/models.ts';
import { pluralOf, singularOf } from '../src/api/plurals.ts';

const plain: Field = { type: 'String', input: 'text', required: false, unique: false, index: false, array: false };
const date: Field = { ...plain, type: 'Date', input: 'date' };
const link: Field = { ...plain, type: 'ObjectId', input: 'id', link: 'team', map_to: 'team' };

describe('paths', () => {
  test.each<[path: string, field: Field, label: string]>([
    ['title', plain, 'Title'],
    ['first_name', plain, 'First name'],
    ['firstName', plain, 'First name'],
    ['first-name', plain, 'First name'],
    ['PDFFile', plain, 'PDF file'],
    ['url', plain, 'URL'],
    ['imageUrls', { ...plain, array: true }, 'Image URLs'],
    ['isbn', plain, 'ISBN'],
    ['line2', plain, 'Line2'],
    ['_', plain, '_'],
    ['größe', plain, 'Größe'],
    ['数量', plain, '数量'],
    ['team', link, 'Team'],
    ['team_id', link, 'Team'],
    ['teamId', link, 'Team'],
    ['team_ids', { ...link, array: true }, 'Teams'],
    ['team_id', { ...link, array: true }, 'Teams'],
    ['child', { ...link, array: true }, 'Children'],
    ['teams', { ...link, array: true }, 'Teams'],
    ['dvd_sales', plain, 'DVD sales'],
    ['external_id', plain, 'External ID'],
    ['id', link, 'ID'],
    ['createdAt', date, 'Created'],
    ['published_at', date, 'Published'],
    ['due_date', date, 'Due date'],
    ['at', date, 'At'],
    ['looked_at', plain, 'Looked at'],
    ['_id', { ...plain, type: 'ObjectId', input: 'id' }, 'ID'],
    ['__v', { ...plain, input: 'number' }, 'Version'],
    ['_deleted', { ...plain, input: 'boolean' }, 'Deleted'],
    ['_owner_id', { ...link, link: 'user' }, 'Owner'],
    ['_updated_by_id', { ...link, link: 'user' }, 'Updated by'],
    ['title', { ...plain, label: 'Überschrift' }, 'Überschrift'],
  ])('%s', (path, field, label) => {
    expect(labelOf({ fields: { [path]: field } }, path)).toBe(label);
  });

  test('a nested path has the labels of its parents', () => {
    const fields = { 'address.city': plain, parts: { ...plain, label: 'Pieces' }, 'parts.team_id': link };
    expect(labelOf({ fields }, 'address.city')).toBe('Address: City');
    expect(labelOf({ fields }, 'parts.team_id')).toBe('Pieces: Team');
    expect(shortLabel({ fields }, 'parts.team_id')).toBe('Team');
    expect(labelOf({ fields }, 'extra.some_thing')).toBe('Extra: Some thing');
  });

  test('labels that are alike have their paths', () => {
    const fields = { team_id: link, team: plain, title: plain };
    expect(choicesOf({ fields }, ['team_id', 'team', 'title'])).toEqual([
      { value: 'team_id', label: 'Team (team_id)' },
      { value: 'team', label: 'Team (team)' },
      { value: 'title', label: 'Title' },
    ]);
  });

  test('labels that are alike to hidden ones alone do not', () => {
    const fields = { created_at: date, createdAt: { ...date, hidden: true as const } };
    expect(choicesOf({ fields }, ['created_at'])).toEqual([{ value: 'created_at', label: 'Created' }]);
  });
});

describe('models', () => {
  test.each([
    ['ticket', 'Tickets', 'New ticket'],
    ['tickets', 'Tickets', 'New ticket'],
    ['company', 'Companies', 'New company'],
    ['day', 'Days', 'New day'],
    ['box', 'Boxes', 'New box'],
    ['boxes', 'Boxes', 'New box'],
    ['address', 'Addresses', 'New address'],
    ['status', 'Statuses', 'New status'],
    ['person', 'People', 'New person'],
    ['salesperson', 'Salespersons', 'New salesperson'],
    ['order_line', 'Order lines', 'New order line'],
    ['movies', 'Movies', 'New movie'],
    ['child', 'Children', 'New child'],
    ['grandchildren', 'Grandchildren', 'New grandchild'],
    ['category', 'Categories', 'New category'],
    ['analysis', 'Analyses', 'New analysis'],
    ['risk_analyses', 'Risk analyses', 'New risk analysis'],
    ['criterion', 'Criteria', 'New criterion'],
    ['bus', 'Buses', 'New bus'],
    ['quiz', 'Quizzes', 'New quiz'],
    ['wolf', 'Wolves', 'New wolf'],
    ['bookshelf', 'Bookshelves', 'New bookshelf'],
    ['photo', 'Photos', 'New photo'],
    ['hero', 'Heroes', 'New hero'],
    ['matrix', 'Matrices', 'New matrix'],
    ['salesman', 'Salesmen', 'New salesman'],
    ['human', 'Humans', 'New human'],
    ['belief', 'Beliefs', 'New belief'],
    ['cache', 'Caches', 'New cache'],
    ['equipment', 'Equipment', 'New equipment'],
    ['gas', 'Gases', 'New gas'],
    ['houses', 'Houses', 'New house'],
    ['media', 'Media', 'New media'],
    ['faq', 'FAQs', 'New FAQ'],
    ['url', 'URLs', 'New URL'],
    ['数', '数', 'New 数'],
  ])('%s', (name, many, one) => {
    expect([labelOfModel({ name }), labelOfNew({ name })]).toEqual([many, one]);
  });

  test('a label of the model file is kept as it is', () => {
    const model = { name: 'ticket', label: 'Vorgänge' };
    expect([labelOfModel(model), labelOfNew(model)]).toEqual(['Vorgänge', 'Vorgänge: new document']);
  });

  test('a label that the name would yield has a singular, too', () => {
    expect(labelOfNew({ name: 'object', label: 'Objects' })).toBe('New object');
  });

  test('plural and singular are stable', () => {
    for (const name of ['ticket', 'company', 'box', 'status', 'person', 'house', 'news'])
      expect([pluralOf(pluralOf(name)), singularOf(pluralOf(name))]).toEqual([pluralOf(name), name]);
  });
});

test('nested documents have the labels of the model file', () => {
  const model = {
    fields: { 'address.geo.lat': plain },
    nested: { address: { label: 'Anschrift' }, 'address.geo': { label: 'Lage' } },
  };
  expect([labelOf(model, 'address.geo.lat'), shortLabel(model, 'address.geo')]).toEqual([
    'Anschrift: Lage: Lat',
    'Lage',
  ]);
});

test.each([
  ['🎫', '🎫'],
  ['👩‍💻', '👩‍💻'],
  ['A1', 'A1'],
  ['ticket', 'T'],
  [undefined, undefined],
])('the icon %s is shown as %s', (icon, shown) => {
  expect(iconOf(icon === undefined ? {} : { icon })).toBe(shown);
});

test('models are grouped by name, and those without a group come first', () => {
  const models = [{ group: 'Support' }, {}, { group: 'Finance' }, { group: 'Support' }];
  expect(groupsOf(models).map(([group, members]) => [group, members.length])).toEqual([
    ['', 1],
    ['Finance', 1],
    ['Support', 2],
  ]);
});
