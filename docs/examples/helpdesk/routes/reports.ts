/** Counts the tickets of a year by their status. */
import { defineRoute } from 'dossier';

const statuses = ['open', 'answered', 'closed'];

export default defineRoute({
  method: 'GET',
  path: '/reports/:year',
  access: { model: 'ticket', letter: 'r' },
  summary: 'Tickets of a year by status',
  params: { type: 'object', properties: { year: { type: 'integer', minimum: 2000, maximum: 9998 } } },
  answer: { type: 'object', additionalProperties: { type: 'integer' } },
  async handler({ params, api }) {
    const year = Number(params['year']);
    const of = { $gte: new Date(Date.UTC(year, 0)).toISOString(), $lt: new Date(Date.UTC(year + 1, 0)).toISOString() };
    const counts = statuses.map(async (status) => {
      const count = await api.model('ticket').count({ filter: { status, createdAt: of } });
      return [status, count];
    });
    return Object.fromEntries(await Promise.all(counts));
  },
});
