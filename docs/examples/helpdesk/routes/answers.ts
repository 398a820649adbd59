/** Answers a ticket: the message, the status and the mail are one unit. */
import { defineRoute } from 'dossier';

export default defineRoute({
  method: 'POST',
  path: '/tickets/:id/answers',
  access: { model: 'ticket', letter: 'u' },
  summary: 'Answers a ticket',
  body: {
    type: 'object',
    required: ['text'],
    properties: { text: { type: 'string', minLength: 1 }, close: { type: 'boolean', default: false } },
    additionalProperties: false,
  },
  handler: ({ params, body, api }) =>
    api.transaction(async (unit) => {
      const { text, close } = body as { text: string; close: boolean };
      const message = await unit.model('message').create({ ticket_id: params.id, text });
      await unit.model('ticket').patch(params.id, { status: close ? 'closed' : 'answered' });
      await unit.later('message.mail', { id: message._id });
      return message;
    }),
});
